// SPDX-License-Identifier: BSD-3-Clause
//
// node.mjs PAGE FLAG... TRACE - does what the command does, with that of the page
// gtrace.html.
import fs from 'node:fs'
import path from 'node:path'
import {commandOf} from '../page.mjs'

const [page, ...args] = process.argv.slice(2)
const trace = args.pop(), name = path.basename(trace)
const run = await commandOf(page)
const {status, output} = run([...args, name], new Map([[name, trace]]))
for (const data of output) fs.writeSync(1, data)
process.exitCode = status
