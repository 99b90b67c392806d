// SPDX-License-Identifier: BSD-3-Clause
//
// web_test.mjs PAGE GTRACE TRACE... - runs the command of the page gtrace.html on
// traces. What it prints is what the command GTRACE does.
import {execFileSync} from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import vm from 'node:vm'
import zlib from 'node:zlib'

const [page, gtrace, ...traces] = process.argv.slice(2)
const text = fs.readFileSync(page, 'utf8')
const part = id => text.match(new RegExp(`<script type="text/plain" id=${id}>\\s*([^<]*?)\\s*</script>`))[1]

// The worker's text has < in it, so it is cut out in another way.
const begin = text.indexOf('id=worker>') + 'id=worker>'.length
const worker = text.slice(begin, text.indexOf('</script>', begin))
const context = vm.createContext({
  TextEncoder, TextDecoder, WebAssembly, performance, crypto: globalThis.crypto, BigInt, DataView, Uint8Array, Map,
})
vm.runInContext(worker + '\nthis.run = run', context)
const module = await WebAssembly.compile(zlib.gunzipSync(Buffer.from(part('module'), 'base64')))

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
  const data = new Uint8Array(fs.readFileSync(trace)), name = path.basename(trace)
  const files = new Map([[name, {size: data.length, read: (at, size) => data.slice(at, at + size)}]])
  for (const flags of kinds) {
    const want = native([...flags, name], path.dirname(trace))
    const got = context.run(module, [...flags, name], files, () => {}, () => {})
    if (got.status !== want.status || Buffer.compare(Buffer.concat(got.output), want.output) !== 0) {
      console.log(`FAIL: ${flags.join(' ')} ${trace}: status ${got.status}, want ${want.status}, or another text`)
      failures++
    }
    runs++
  }
  const golden = trace.replace(/\.trace$/, '.diagreedy10')
  if (fs.existsSync(golden)) {
    const got = context.run(module, ['-diagreedy=10', name], files, () => {}, () => {})
    if (Buffer.compare(Buffer.concat(got.output), fs.readFileSync(golden)) !== 0) {
      console.log(`FAIL: not ${golden}`)
      failures++
    }
    runs++
  }
}
console.log(`${runs} runs in Node ${process.version}, ${failures} of them wrong`)
process.exit(failures !== 0 || runs < 100 ? 1 : 0)
