// SPDX-License-Identifier: BSD-3-Clause
//
// web_test.mjs PAGE GTRACE TRACE... - runs the command of the page gtrace.html on
// traces. What it prints is what the command GTRACE does.
import {execFileSync} from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import {commandOf} from './page.mjs'

const [page, gtrace, ...traces] = process.argv.slice(2)
const run = await commandOf(page)

const all = ['-diagreedy=10', '-stw=10', '-wait=10', '-delay=10', '-block=10']
const kinds = [
  ['-diagreedy=1000'], all, [...all, '-format=json'], ['-format=json'], [], ['-html=-'], ['-dump'], ['-pprof=greedy'],
]
let runs = 0, failures = 0

function native(args, folder) {
  try {
    return {status: 0, output: execFileSync(gtrace, args, {cwd: folder, maxBuffer: 1 << 30, stdio: ['ignore', 'pipe', 'ignore']})}
  } catch (error) {
    return {status: error.status, output: error.stdout}
  }
}

for (const trace of traces) {
  const name = path.basename(trace), files = new Map([[name, trace]])
  for (const flags of kinds) {
    const want = native([...flags, name], path.dirname(trace))
    const got = run([...flags, name], files)
    if (got.status !== want.status || Buffer.compare(Buffer.concat(got.output), want.output) !== 0) {
      console.log(`FAIL: ${flags.join(' ')} ${trace}: status ${got.status}, want ${want.status}, or another text`)
      failures++
    }
    runs++
  }
  const golden = trace.replace(/\.trace$/, '.diagreedy10')
  if (fs.existsSync(golden)) {
    const got = run(['-diagreedy=10', name], files)
    if (Buffer.compare(Buffer.concat(got.output), fs.readFileSync(golden)) !== 0) {
      console.log(`FAIL: not ${golden}`)
      failures++
    }
    runs++
  }
}
console.log(`${runs} runs in Node ${process.version}, ${failures} of them wrong`)
process.exit(failures !== 0 || runs < 100 ? 1 : 0)
