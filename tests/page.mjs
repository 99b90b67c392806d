// SPDX-License-Identifier: BSD-3-Clause
//
// page.mjs - the command of the page gtrace.html, for Node.
import fs from 'node:fs'
import vm from 'node:vm'
import zlib from 'node:zlib'

// scriptOf returns the script of the file page with an id.
export function scriptOf(page, id) {
  const text = fs.readFileSync(page, 'utf8'), begin = text.indexOf(`id=${id}>`) + `id=${id}>`.length
  return text.slice(begin, text.indexOf('</script>', begin))
}

// commandOf returns a function that runs the command of the file page with args on
// files: a map from names to paths. It returns {status, output}.
export async function commandOf(page) {
  const context = vm.createContext({
    TextEncoder, TextDecoder, WebAssembly, performance, crypto: globalThis.crypto, BigInt, DataView, Uint8Array, Map,
  })
  vm.runInContext(scriptOf(page, 'worker') + '\nthis.run = run', context)
  const module = await WebAssembly.compile(zlib.gunzipSync(Buffer.from(scriptOf(page, 'module'), 'base64')))
  return (args, files) => {
    const readers = new Map(), opened = []
    for (const [name, path] of files) {
      const file = fs.openSync(path)
      opened.push(file)
      readers.set(name, {size: fs.fstatSync(file).size, read: (at, to) => fs.readSync(file, to, 0, to.length, at)})
    }
    try {
      return context.run(module, args, readers, () => {}, () => {})
    } finally {
      opened.forEach(file => fs.closeSync(file))
    }
  }
}
