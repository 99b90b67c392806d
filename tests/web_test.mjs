// SPDX-License-Identifier: BSD-3-Clause
//
// web_test.mjs PAGE GTRACE TRACE... - runs the command of the page gtrace.html on
// traces. What it prints is what the command GTRACE does, and what the golden files
// beside the traces have.
import {execFileSync} from 'node:child_process'
import {createHash} from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import vm from 'node:vm'
import zlib from 'node:zlib'
import {commandOf, scriptOf} from './page.mjs'

const [page, gtrace, ...traces] = process.argv.slice(2)
const run = await commandOf(page)

const all = ['-diagreedy=10', '-stw=10', '-wait=10', '-delay=10', '-block=10']
const kinds = [
  ['-diagreedy=1000'], all, [...all, '-format=json'], ['-format=json'], [], ['-html=-'], ['-dump'], ['-pprof=greedy'],
  ['-gctrace'], ['-gctrace', '-format=json'], ['-schedtrace=10ms'],
  ['-cut=100ms,', '-o=-'], ['-anonymise', '-salt=a', '-o=-'],
]
let runs = 0, failures = 0, goldens = 0

// wrong says that the output of flags for trace is not what it should be.
function wrong(flags, trace, why) {
  console.log(`FAIL: ${flags.join(' ')} ${trace}: ${why}`)
  failures++
}

const digest = data => createHash('md5').update(data).digest('hex')

function native(args, folder) {
  try {
    return {status: 0, output: execFileSync(gtrace, args, {cwd: folder, maxBuffer: 1 << 30, stdio: ['ignore', 'pipe', 'ignore']})}
  } catch (error) {
    return {status: error.status, output: error.stdout}
  }
}

for (const trace of traces) {
  const name = path.basename(trace), folder = path.dirname(trace), files = new Map([[name, trace]])
  const printed = flags => {
    const {status, output} = run([...flags, name], files)
    runs++
    return {status, output: Buffer.concat(output)}
  }
  for (const flags of kinds) {
    const want = native([...flags, name], folder), got = printed(flags)
    if (got.status !== want.status || Buffer.compare(got.output, want.output) !== 0)
      wrong(flags, trace, `status ${got.status}, want ${want.status}, or another text`)
  }
  // MD5 NAME REPORT [MD5 OF WHAT IS PRINTED]
  const list = path.join(folder, 'golden.md5')
  for (const line of fs.existsSync(list) ? fs.readFileSync(list, 'utf8').trim().split('\n') : []) {
    const [md5, of, report, raw] = line.split(/ +/)
    if (of + '.trace' !== name) continue
    const flags = [`-${report}`, '-format=text']
    if (digest(printed(flags).output) !== (raw || md5)) wrong(flags, trace, 'not as in golden.md5')
    goldens++
  }
  const golden = trace.replace(/\.trace$/, '.stw1000.json')
  if (fs.existsSync(golden)) {
    const got = printed(['-stw=1000', '-format=json']).output.toString().replaceAll(`{"trace":"${name}",`, '{')
      .replaceAll(',"clock_changed":false}\n', '}\n')
    if (got !== fs.readFileSync(golden, 'utf8')) wrong(['-stw=1000', '-format=json'], trace, `not ${golden}`)
    goldens++
  }
}
// Of a file that holds too much, no more than that is unpacked.
{
  let taken = 0
  class Counting extends DecompressionStream {
    get readable() {
      return super.readable.pipeThrough(new TransformStream({
        transform(piece, to) {
          taken += piece.length
          to.enqueue(piece)
        },
      }))
    }
  }
  const context = vm.createContext({Blob, DecompressionStream: Counting, Uint8Array, postMessage() {}})
  vm.runInContext(scriptOf(page, 'worker') + '\nthis.unpack = unpack', context)
  const unpack = async (bytes, most) => Buffer.from(await (await context.unpack(new Blob([bytes]), most)).arrayBuffer())
  const large = zlib.gzipSync(Buffer.alloc(1e8)), small = Buffer.from('go 1.22 trace'), packed = zlib.gzipSync(small)
  const refused = await unpack(large, 1e6).then(() => false, () => true)
  if (!refused || taken > 1e7) wrong(['unpack'], 'zeros', `${refused ? 'refused' : 'read'} after ${taken} bytes`)
  if (Buffer.compare(await unpack(packed, small.length), small) !== 0) wrong(['unpack'], 'gzip', 'another text')
  if (Buffer.compare(await unpack(small, 1), small) !== 0) wrong(['unpack'], 'plain', 'another text')
}
console.log(`${runs} runs in Node ${process.version}, ${goldens} of them of golden files, ${failures} wrong`)
process.exit(failures !== 0 || runs < 100 || goldens < 300 ? 1 : 0)
