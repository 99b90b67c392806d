// SPDX-License-Identifier: BSD-3-Clause
//
// Runs the command, as a WebAssembly module of WASI (snapshot preview 1), on files
// that are given to it. It has no other files, and no network.
'use strict'

const WASI = {OK: 0, BADF: 8, NOENT: 44, NOSYS: 52, SPIPE: 70}
const ROOT = 3 // the descriptor of the only folder

// Thrown by proc_exit.
class Exit {
  constructor(status) {
    this.status = status
  }
}

// run calls the command of module with the flags args. files maps names to
// {size, read(offset, to)}, where read fills the Uint8Array to, which is in the
// memory of the module: a copy less of a large trace. onRead is called with the
// number of bytes that have been read of all files, onError with what is written to
// stderr. Returns {status, output}, output being a list of Uint8Array.
function run(module, args, files, onRead, onError) {
  let memory, bytes = 0
  const output = []
  const open = new Map() // descriptor: {file, offset}
  const encoder = new TextEncoder(), decoder = new TextDecoder()
  const argv = ['gtrace', ...args].map(arg => encoder.encode(arg + '\0'))
  const view = () => new DataView(memory.buffer)
  const part = (at, size) => new Uint8Array(memory.buffer, at, size)
  const name = (at, size) => decoder.decode(part(at, size).slice())
  // The C library can leave out a ./ before a name.
  const fileAt = (at, size) => files.get(name(at, size)) ?? files.get('./' + name(at, size))

  // Fills a filestat: the type of a regular file, and its size.
  function stat(at, size) {
    part(at, 64).fill(0)
    view().setUint8(at + 16, 4)
    view().setBigUint64(at + 32, BigInt(size), true)
    return WASI.OK
  }

  // Reads a piece of file from offset on into the first of count buffers that is
  // not empty; returns how many bytes. The first pieces are small: then there is
  // progress at once, and what is no trace is told by them. Small ones are slow.
  function read(file, offset, vectors, count) {
    while (count > 1 && view().getUint32(vectors + 4, true) === 0) vectors += 8, count--
    const at = view().getUint32(vectors, true), size = view().getUint32(vectors + 4, true)
    const most = Math.min(Math.max(bytes, 1 << 20), 1 << 24)
    const length = Math.max(0, Math.min(size, most, file.size - offset))
    file.read(offset, part(at, length))
    bytes += length
    onRead(bytes)
    return length
  }

  const system = {
    args_sizes_get(count, size) {
      view().setUint32(count, argv.length, true)
      view().setUint32(size, argv.reduce((sum, arg) => sum + arg.length, 0), true)
      return WASI.OK
    },
    args_get(pointers, at) {
      for (const arg of argv) {
        view().setUint32(pointers, at, true)
        part(at, arg.length).set(arg)
        pointers += 4
        at += arg.length
      }
      return WASI.OK
    },
    clock_time_get(clock, precision, at) {
      view().setBigUint64(at, BigInt(Math.round(performance.now() * 1e6)), true)
      return WASI.OK
    },
    random_get(at, size) {
      crypto.getRandomValues(part(at, size))
      return WASI.OK
    },
    fd_fdstat_get(fd, at) {
      if (fd > ROOT && !open.has(fd)) return WASI.BADF
      part(at, 24).fill(0)
      // stderr is a terminal, so that the command tells how far it is.
      view().setUint8(at, fd === 2 ? 2 : fd === ROOT ? 3 : fd > ROOT ? 4 : 0)
      view().setBigUint64(at + 8, fd < ROOT ? 0n : ~0n, true)
      view().setBigUint64(at + 16, fd < ROOT ? 0n : ~0n, true)
      return WASI.OK
    },
    fd_filestat_get(fd, at) {
      if (open.has(fd)) return stat(at, open.get(fd).file.size)
      if (fd > 2) return WASI.BADF
      part(at, 64).fill(0)
      return WASI.OK
    },
    fd_prestat_get(fd, at) {
      if (fd !== ROOT) return WASI.BADF
      view().setUint32(at, 0, true)
      view().setUint32(at + 4, 1, true)
      return WASI.OK
    },
    fd_prestat_dir_name(fd, at) {
      part(at, 1)[0] = 0x2e // "."
      return WASI.OK
    },
    path_filestat_get(fd, flags, path, size, at) {
      const file = fileAt(path, size)
      return file ? stat(at, file.size) : WASI.NOENT
    },
    path_open(fd, lookup, path, size, how, rights, inheriting, flags, at) {
      const file = fileAt(path, size)
      if (!file) return WASI.NOENT
      let opened = ROOT + 1
      while (open.has(opened)) opened++
      open.set(opened, {file, offset: 0})
      view().setUint32(at, opened, true)
      return WASI.OK
    },
    fd_read(fd, vectors, count, at) {
      const from = open.get(fd)
      if (!from) return WASI.BADF
      const size = read(from.file, from.offset, vectors, count)
      from.offset += size
      view().setUint32(at, size, true)
      return WASI.OK
    },
    fd_pread(fd, vectors, count, offset, at) {
      const from = open.get(fd)
      if (!from) return WASI.BADF
      view().setUint32(at, read(from.file, Number(offset), vectors, count), true)
      return WASI.OK
    },
    fd_seek(fd, offset, whence, at) {
      const from = open.get(fd)
      if (!from) return WASI.SPIPE
      from.offset = Number(offset) + [0, from.offset, from.file.size][whence]
      view().setBigUint64(at, BigInt(from.offset), true)
      return WASI.OK
    },
    fd_write(fd, vectors, count, at) {
      let total = 0
      for (let i = 0; i < count; i++) {
        const data = part(view().getUint32(vectors + 8 * i, true), view().getUint32(vectors + 8 * i + 4, true)).slice()
        if (data.length === 0) continue
        if (fd === 2) onError(decoder.decode(data))
        else output.push(data)
        total += data.length
      }
      view().setUint32(at, total, true)
      return WASI.OK
    },
    fd_close(fd) {
      return open.delete(fd) || fd <= ROOT ? WASI.OK : WASI.BADF
    },
    fd_fdstat_set_flags: () => WASI.OK,
    proc_exit(status) {
      throw new Exit(status)
    },
  }
  const imports = {}
  for (const {name} of WebAssembly.Module.imports(module)) imports[name] = system[name] || (() => WASI.NOSYS)
  const instance = new WebAssembly.Instance(module, {wasi_snapshot_preview1: imports})
  memory = instance.exports.memory
  // Room for the files and 32 MB, at once: engines collect garbage when memory grows.
  let pages = 512
  for (const {size} of files.values()) pages += Math.ceil(size / 65536)
  memory.grow(pages)
  try {
    instance.exports._start()
  } catch (error) {
    if (error instanceof Exit) return {status: error.status, output}
    throw error
  }
  return {status: 0, output}
}
