// SPDX-License-Identifier: BSD-3-Clause

//go:build !(gtrace_native && cgo)

package main

import (
	"context"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"

	"github.com/tetratelabs/wazero/api"
)

// A file is what a descriptor of the command stands for.
type file struct {
	*os.File
	isRoot bool
	run    *program // whose output it is
	peeked []byte   // that were looked at, and are still to be read
}

// place returns the name that this system has for path, as the C library of WASI
// gives it: below /, and relative names below /.here, see main() in C.
func (h *host) place(path string) (string, error) {
	path = strings.TrimRight(path, "\x00")
	if path == ".here" {
		return ".", nil
	}
	if rest, is := strings.CutPrefix(path, ".here/"); is {
		return rest, nil
	}
	rest, is := strings.CutPrefix(path, ".temporary/")
	if !is {
		return "/" + path, nil
	}
	if h.temporary == "" {
		err := left.add(func() (string, error) {
			folder, err := os.MkdirTemp("", "gtrace")
			h.temporary = folder
			return folder, err
		})
		if err != nil {
			return "", err
		}
	}
	return filepath.Join(h.temporary, rest), nil
}

// text returns the size bytes at at.
func text(m api.Module, at, size uint32) string {
	bytes, _ := m.Memory().Read(at, size)
	return string(bytes)
}

func typeOf(mode fs.FileMode) byte {
	switch {
	case mode.IsDir():
		return folderType
	case mode&fs.ModeCharDevice != 0:
		return charDevice
	case mode&(fs.ModeNamedPipe|fs.ModeSocket) != 0:
		return stream
	case mode.IsRegular():
		return regular
	}
	return 0
}

// identity returns a number that only info's file has: the command does not
// overwrite what it reads. This works alike on all systems.
func (h *host) identity(info fs.FileInfo) uint64 {
	key := identityKey{info.Size(), info.ModTime().UnixNano()}
	for _, known := range h.known[key] {
		if os.SameFile(known.info, info) {
			return known.number
		}
	}
	h.count++
	if h.known == nil {
		h.known = map[identityKey][]identity{}
	}
	h.known[key] = append(h.known[key], identity{info, h.count})
	return h.count
}

type identityKey struct{ size, time int64 }

type identity struct {
	info   fs.FileInfo
	number uint64
}

// putStat writes a filestat.
func (h *host) putStat(m api.Module, at uint32, info fs.FileInfo) uint32 {
	stat := make([]byte, 64)
	stat[16] = typeOf(info.Mode())
	if !m.Memory().Write(at, stat) {
		return fault
	}
	put64(m, at, 1)
	put64(m, at+8, h.identity(info))
	if info.Mode().IsRegular() {
		put64(m, at+32, uint64(info.Size()))
	}
	return put64(m, at+48, uint64(info.ModTime().UnixNano()))
}

func fdFilestat(ctx context.Context, m api.Module, fd, at uint32) uint32 {
	h := hostOf(ctx)
	open := h.files[fd]
	if open == nil || open.File == nil {
		return badFile
	}
	info, err := open.Stat()
	if err != nil {
		return number(err)
	}
	return h.putStat(m, at, info)
}

func pathStat(ctx context.Context, m api.Module, _, _, path, size, at uint32) uint32 {
	h := hostOf(ctx)
	name := text(m, path, size)
	if rest, is := strings.CutPrefix(name, ".interrupt/"); is {
		return h.interrupt.ask(rest)
	}
	if rest, is := strings.CutPrefix(name, ".stop/"); is {
		return h.stop(rest)
	}
	if rest, is := strings.CutPrefix(name, ".apart/"); is {
		return h.apart(ctx, m, rest)
	}
	name, err := h.place(name)
	if err != nil {
		return number(err)
	}
	info, err := os.Stat(name)
	if err != nil {
		return number(err)
	}
	return h.putStat(m, at, info)
}

// fdStat tells what fd is. What cannot be sought in is a terminal, if it is a
// device.
func fdStat(ctx context.Context, m api.Module, fd, at uint32) uint32 {
	h := hostOf(ctx)
	open := h.files[fd]
	if open == nil {
		return badFile
	}
	kind := byte(folderType)
	if !open.isRoot {
		info, err := open.Stat()
		if err != nil {
			return number(err)
		}
		kind = typeOf(info.Mode())
	}
	rights := ^uint64(0)
	if kind == charDevice && open.Name() != os.DevNull && isTerminal(open.File) {
		rights &^= 1<<2 | 1<<5 // seek and tell
	}
	stat := make([]byte, 24)
	stat[0] = kind
	if !m.Memory().Write(at, stat) {
		return fault
	}
	put64(m, at+8, rights)
	return put64(m, at+16, rights)
}

// Flags of path_open.
const (
	create    = 1
	onlyNew   = 4
	truncate  = 8
	append_   = 1
	readRight = 1 << 1
	writes    = 1 << 6
)

func pathOpen(ctx context.Context, m api.Module, _, _, path, size, how uint32, rights, _ uint64, flags, at uint32) uint32 {
	h := hostOf(ctx)
	name := text(m, path, size)
	if rest, is := strings.CutPrefix(name, ".run/"); is {
		return h.start(m, rest, at)
	}
	name, err := h.place(name)
	if err != nil {
		return number(err)
	}
	mode := os.O_RDONLY
	if rights&writes != 0 {
		mode = os.O_WRONLY
		if rights&readRight != 0 {
			mode = os.O_RDWR
		}
	}
	for _, flag := range []struct {
		given bool
		mode  int
	}{
		{how&create != 0, os.O_CREATE}, {how&onlyNew != 0, os.O_EXCL},
		{how&truncate != 0, os.O_TRUNC}, {flags&append_ != 0, os.O_APPEND},
	} {
		if flag.given {
			mode |= flag.mode
		}
	}
	opened, err := openFile(name, mode)
	if err != nil {
		return number(err)
	}
	return h.add(m, &file{File: opened}, at)
}

// openFile opens a file. One that must not be there yet is written until it is
// renamed.
func openFile(name string, mode int) (opened *os.File, err error) {
	if mode&os.O_EXCL == 0 {
		return os.OpenFile(name, mode, 0o666)
	}
	err = left.add(func() (string, error) {
		opened, err = os.OpenFile(name, mode, 0o666)
		return name, err
	})
	return opened, err
}

// add gives open a descriptor, and writes it to at.
func (h *host) add(m api.Module, open *file, at uint32) uint32 {
	fd := uint32(root + 1)
	for h.files[fd] != nil {
		fd++
	}
	h.files[fd] = open
	if !m.Memory().WriteUint32Le(at, fd) {
		return fault
	}
	return ok
}

func fdClose(ctx context.Context, _ api.Module, fd uint32) uint32 {
	h := hostOf(ctx)
	open := h.files[fd]
	if open == nil {
		return badFile
	}
	delete(h.files, fd)
	if open.isRoot {
		return ok
	}
	if open.run != nil {
		open.run.status()
		return ok
	}
	return number(open.Close())
}

func fdRead(ctx context.Context, m api.Module, fd, at, count, total uint32) uint32 {
	h := hostOf(ctx)
	open := h.files[fd]
	if open == nil || open.File == nil {
		return badFile
	}
	if len(open.peeked) != 0 {
		return transfer(m, at, count, total, open.readPeeked)
	}
	// What still comes, and no file that the command itself has written.
	if info, err := open.Stat(); h.interrupt.isCaught() && err == nil && !info.Mode().IsRegular() {
		return transfer(m, at, count, total, func(to []byte) (int, error) {
			return h.interrupt.read(open.File, to)
		})
	}
	return transfer(m, at, count, total, open.Read)
}

func fdReadAt(ctx context.Context, m api.Module, fd, at, count uint32, offset uint64, total uint32) uint32 {
	h := hostOf(ctx)
	open := h.files[fd]
	if open == nil || open.File == nil {
		return badFile
	}
	if info, err := open.Stat(); err == nil && typeOf(info.Mode()) == stream {
		return transfer(m, at, count, total, open.peek)
	}
	return transfer(m, at, count, total, func(to []byte) (int, error) {
		n, err := open.ReadAt(to, int64(offset))
		offset += uint64(n)
		return n, err
	})
}

// peek fills to with what comes first from a pipe, which the next read gives again.
func (f *file) peek(to []byte) (int, error) {
	if len(f.peeked) == 0 {
		bytes := make([]byte, len(to))
		n, err := f.Read(bytes)
		if n == 0 {
			return 0, err
		}
		f.peeked = bytes[:n]
	}
	return copy(to, f.peeked), nil
}

func (f *file) readPeeked(to []byte) (int, error) {
	n := copy(to, f.peeked)
	f.peeked = f.peeked[n:]
	return n, nil
}

// say keeps what a copy says, as it comes in pieces and copies would say theirs in
// between.
func (h *host) say(text []byte) (int, error) {
	h.said = append(h.said, text...)
	return len(text), nil
}

func fdWrite(ctx context.Context, m api.Module, fd, at, count, total uint32) uint32 {
	h := hostOf(ctx)
	open := h.files[fd]
	if open == nil || open.File == nil {
		return badFile
	}
	write := open.Write
	if h.isCopy && fd == 2 {
		write = h.say
	}
	status := transfer(m, at, count, total, write)
	if status == numbers[syscall.EPIPE] && (open.File == os.Stdout || open.File == os.Stderr) {
		closedPipe(open.File)
	}
	return status
}

func fdSeek(ctx context.Context, m api.Module, fd uint32, offset uint64, whence, at uint32) uint32 {
	h := hostOf(ctx)
	open := h.files[fd]
	if open == nil || open.File == nil {
		return badFile
	}
	if open.run != nil {
		return put64(m, at, uint64(open.run.status()))
	}
	info, err := open.Stat()
	if err == nil && typeOf(info.Mode()) == stream {
		return noSeek
	}
	where, err := open.Seek(int64(offset), [...]int{io.SeekStart, io.SeekCurrent, io.SeekEnd}[whence%3])
	if err != nil {
		return noSeek
	}
	return put64(m, at, uint64(where))
}

func fdSync(ctx context.Context, _ api.Module, fd uint32) uint32 {
	h := hostOf(ctx)
	open := h.files[fd]
	if open == nil || open.File == nil {
		return badFile
	}
	return number(open.Sync())
}

func pathMakeFolder(ctx context.Context, m api.Module, _, path, size uint32) uint32 {
	h := hostOf(ctx)
	name, err := h.place(text(m, path, size))
	if err == nil {
		err = os.Mkdir(name, 0o777)
	}
	return number(err)
}

func pathRemove(ctx context.Context, m api.Module, _, path, size uint32) uint32 {
	h := hostOf(ctx)
	name, err := h.place(text(m, path, size))
	if err == nil {
		err = left.done(name, func() error { return os.Remove(name) })
	}
	return number(err)
}

func pathRename(ctx context.Context, m api.Module, _, from, size, _, to, toSize uint32) uint32 {
	h := hostOf(ctx)
	old, err := h.place(text(m, from, size))
	if err != nil {
		return number(err)
	}
	name, err := h.place(text(m, to, toSize))
	if err == nil {
		err = left.done(old, func() error { return os.Rename(old, name) })
	}
	return number(err)
}

// stop ends the program whose output the descriptor written as fd is.
func (h *host) stop(fd string) uint32 {
	number, err := strconv.ParseUint(fd, 10, 32)
	if err != nil {
		return inval
	}
	open := h.files[uint32(number)]
	if open == nil || open.run == nil {
		return badFile
	}
	open.run.stop()
	return ok
}
