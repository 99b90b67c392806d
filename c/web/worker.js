// SPDX-License-Identifier: BSD-3-Clause
//
// Runs the command once, apart from the page, so that the page never stops to
// answer. Gets {module, args, files, most}, files being [name, Blob], none of which
// may hold more than most bytes; sends {read, whole}, {percent}, and at last
// {status, output, errors}.

// fileOf returns a Blob as wasi.js wants it.
function fileOf(blob) {
  const reader = new FileReaderSync()
  return {
    size: blob.size,
    read: (offset, to) => to.set(new Uint8Array(reader.readAsArrayBuffer(blob.slice(offset, offset + to.length)))),
  }
}

// Unpacked bytes in memory before the browser gets them as a Blob.
const HELD = 1 << 26

// Thrown for a file that holds too much.
class TooLarge extends Error {}

// unpack returns what a Blob holds, unpacked if it is compressed with gzip: a small
// file can hold more than there is memory.
async function unpack(blob, most) {
  const head = new Uint8Array(await blob.slice(0, 2).arrayBuffer())
  if (head[0] !== 0x1f || head[1] !== 0x8b) return blob
  const reader = blob.stream().pipeThrough(new DecompressionStream('gzip')).getReader()
  let parts = [], held = 0, size = 0
  for (;;) {
    const {done, value} = await reader.read()
    if (done) return new Blob(parts)
    parts.push(value)
    held += value.length
    size += value.length
    if (size > most) {
      reader.cancel().catch(() => {})
      throw new TooLarge()
    }
    if (held > HELD) {
      parts = [new Blob(parts)]
      held = 0
    }
  }
}

// reason says what was wrong, if that was none of the command's messages.
function reason(error, most) {
  if (error instanceof TooLarge)
    return `it holds more than ${most / 1e6} MB when it is unpacked, too much for the memory of the page`
  if (error instanceof RangeError || error instanceof WebAssembly.RuntimeError) return 'the memory of the page is full'
  if (error.name === 'NotReadableError') return 'the file has changed or is gone: choose it again'
  return error
}

onmessage = async ({data: {module, args, files, most}}) => {
  let sent = 0, whole = 0, errors = ''
  // The first piece at once, then ten times a second.
  const onRead = read => {
    if (performance.now() < sent + 100 && sent !== 0) return
    sent = performance.now()
    postMessage({read, whole})
  }
  // The command writes a line of progress in several parts.
  const onError = text => {
    errors += text
    const percent = /gtrace: (?:\d+ of \d+ traces, )?(\d+) %, $/.exec(errors)
    if (percent) postMessage({percent: Number(percent[1])})
  }
  try {
    const map = new Map()
    for (const [name, blob] of files) {
      const file = fileOf(await unpack(blob, most))
      map.set(name, file)
      whole += file.size
    }
    const {status, output} = run(module, args, map, onRead, onError)
    // Without the lines of progress, which the command erases.
    errors = errors.replace(/[^\n]*\r\x1b\[K/g, '')
    postMessage({status, output: new Blob(output), errors})
  } catch (error) {
    postMessage({status: 1, output: new Blob([]), errors: `gtrace: ${reason(error, most)}\n`})
  }
}
