// SPDX-License-Identifier: BSD-3-Clause

//go:build !(gtrace_native && cgo)

package main

import (
	"context"
	"crypto/rand"
	"errors"
	"io"
	"io/fs"
	"os"
	"syscall"
	"time"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/sys"
)

// Error numbers of WASI, snapshot preview 1, that are given here.
const (
	ok       = 0
	noPerm   = 2
	badFile  = 8
	exists   = 20
	fault    = 21
	inval    = 28
	ioError  = 29
	noEntry  = 44
	noSystem = 52
	noSeek   = 70
)

// numbers has those of errors of the system. Where Windows has other errors for
// the same, they are in errors_windows.go.
var numbers = map[syscall.Errno]uint32{
	syscall.EACCES: noPerm, syscall.EBUSY: 10, syscall.EEXIST: exists,
	syscall.EFBIG: 22, syscall.EINTR: 27, syscall.EINVAL: inval, syscall.EIO: ioError,
	syscall.EISDIR: 31, syscall.ELOOP: 32, syscall.EMFILE: 33,
	syscall.ENAMETOOLONG: 37, syscall.ENFILE: 41, syscall.ENODEV: 43,
	syscall.ENOENT: noEntry, syscall.ENOMEM: 48, syscall.ENOSPC: 51,
	syscall.ENOTDIR: 54, syscall.ENOTEMPTY: 55, syscall.ENXIO: 60, syscall.EPERM: 63,
	syscall.EPIPE: 64, syscall.EROFS: 69, syscall.ESPIPE: noSeek,
	syscall.ETXTBSY: 74, syscall.EXDEV: 75,
}

// Types of files.
const (
	charDevice = 2
	folderType = 3
	regular    = 4
	stream     = 6 // which C takes for a pipe
)

// root is the descriptor of the only folder, which all files are below.
const root = 3

// A host is the system that the command runs on: its files, its clock, and the
// programs that it starts. All is as for a program of this system.
type host struct {
	args      []string
	files     map[uint32]*file
	temporary string // a folder, if there is one
	interrupt interrupt
	known     map[identityKey][]identity
	count     uint64  // of these
	engine    *engine // that runs the command
	isCopy    bool    // see readApart
	said      []byte  // what a copy says of its trace
}

// newHost returns one with args, of which the first is the name of the command, and
// its standard files.
func newHost(args []string, in, out, errors *os.File) *host {
	return &host{args: args, files: map[uint32]*file{
		0: {File: in}, 1: {File: out}, 2: {File: errors}, root: {isRoot: true},
	}}
}

// close removes what the command leaves behind.
func (h *host) close() {
	for _, open := range h.files {
		if open.run != nil {
			open.run.stop()
		}
	}
	if h.temporary != "" {
		for fd, open := range h.files {
			if fd > root && open.File != nil {
				open.Close()
			}
		}
		left.done(h.temporary, func() error { return os.RemoveAll(h.temporary) })
	}
}

// number returns the error number of err.
func number(err error) uint32 {
	var code syscall.Errno
	if errors.As(err, &code) {
		if number, known := numbers[code]; known {
			return number
		}
	}
	switch {
	case err == nil:
		return ok
	case errors.Is(err, fs.ErrNotExist):
		return noEntry
	case errors.Is(err, fs.ErrExist):
		return exists
	case errors.Is(err, fs.ErrPermission):
		return noPerm
	}
	return ioError
}

// A hostKey is that of the host in a context.
type hostKey struct{}

// on returns a context in which the command runs on h.
func (h *host) on(ctx context.Context) context.Context {
	return context.WithValue(ctx, hostKey{}, h)
}

// hostOf returns the host that the command which calls a function runs on.
func hostOf(ctx context.Context) *host {
	return ctx.Value(hostKey{}).(*host)
}

// instantiate gives runtime the functions that module imports. Those that the
// command does without say that they are not there.
func instantiate(ctx context.Context, runtime wazero.Runtime, module wazero.CompiledModule) error {
	has := map[string]any{
		"args_sizes_get": func(ctx context.Context, m api.Module, count, size uint32) uint32 {
			return sizes(m, hostOf(ctx).args, count, size)
		},
		"args_get": func(ctx context.Context, m api.Module, pointers, at uint32) uint32 {
			return texts(m, hostOf(ctx).args, pointers, at)
		},
		"environ_sizes_get": func(_ context.Context, m api.Module, count, size uint32) uint32 {
			return sizes(m, os.Environ(), count, size)
		},
		"environ_get": func(_ context.Context, m api.Module, pointers, at uint32) uint32 {
			return texts(m, os.Environ(), pointers, at)
		},
		"clock_time_get": func(_ context.Context, m api.Module, _ uint32, _ uint64, at uint32) uint32 {
			return put64(m, at, uint64(time.Now().UnixNano()))
		},
		"random_get":            random,
		"poll_oneoff":           poll,
		"proc_exit":             exit,
		"fd_fdstat_get":         fdStat,
		"fd_fdstat_set_flags":   func(context.Context, api.Module, uint32, uint32) uint32 { return ok },
		"fd_filestat_get":       fdFilestat,
		"fd_prestat_get":        prestat,
		"fd_prestat_dir_name":   prestatName,
		"fd_read":               fdRead,
		"fd_pread":              fdReadAt,
		"fd_write":              fdWrite,
		"fd_seek":               fdSeek,
		"fd_sync":               fdSync,
		"fd_close":              fdClose,
		"path_open":             pathOpen,
		"path_filestat_get":     pathStat,
		"path_create_directory": pathMakeFolder,
		"path_remove_directory": pathRemove,
		"path_unlink_file":      pathRemove,
		"path_rename":           pathRename,
	}
	builder := runtime.NewHostModuleBuilder("wasi_snapshot_preview1")
	for _, function := range module.ImportedFunctions() {
		_, name, _ := function.Import()
		if f := has[name]; f != nil {
			builder.NewFunctionBuilder().WithFunc(f).Export(name)
			continue
		}
		builder.NewFunctionBuilder().WithGoFunction(
			api.GoFunc(func(_ context.Context, stack []uint64) { stack[0] = noSystem }),
			function.ParamTypes(), function.ResultTypes()).Export(name)
	}
	_, err := builder.Instantiate(ctx)
	return err
}

// sizes writes how many texts there are, and how long they are together.
func sizes(m api.Module, texts []string, count, size uint32) uint32 {
	total := 0
	for _, text := range texts {
		total += len(text) + 1
	}
	if !m.Memory().WriteUint32Le(count, uint32(len(texts))) || !m.Memory().WriteUint32Le(size, uint32(total)) {
		return fault
	}
	return ok
}

// texts writes them to at, and where each is to pointers.
func texts(m api.Module, texts []string, pointers, at uint32) uint32 {
	for _, text := range texts {
		if !m.Memory().WriteUint32Le(pointers, at) || !m.Memory().WriteString(at, text+"\x00") {
			return fault
		}
		pointers += 4
		at += uint32(len(text)) + 1
	}
	return ok
}

func put64(m api.Module, at uint32, value uint64) uint32 {
	if !m.Memory().WriteUint64Le(at, value) {
		return fault
	}
	return ok
}

func random(_ context.Context, m api.Module, at, size uint32) uint32 {
	bytes, inside := m.Memory().Read(at, size)
	if !inside {
		return fault
	}
	_, err := rand.Read(bytes)
	return number(err)
}

// poll says of all files that they can be read and written: who does that waits.
func poll(_ context.Context, m api.Module, in, out, count, found uint32) uint32 {
	ready := uint32(0)
	for i := uint32(0); i < count; i++ {
		user, _ := m.Memory().ReadUint64Le(in + 48*i)
		kind, _ := m.Memory().ReadByte(in + 48*i + 8)
		if kind == 0 && count > 1 {
			continue // a time
		}
		event := make([]byte, 32)
		event[10] = kind
		if !m.Memory().Write(out+32*ready, event) || put64(m, out+32*ready, user) != ok {
			return fault
		}
		ready++
	}
	if !m.Memory().WriteUint32Le(found, ready) {
		return fault
	}
	return ok
}

func exit(ctx context.Context, m api.Module, status uint32) {
	m.CloseWithExitCode(ctx, status)
	panic(sys.NewExitError(status))
}

// prestat tells of the only folder that is open.
func prestat(_ context.Context, m api.Module, fd, at uint32) uint32 {
	if fd != root {
		return badFile
	}
	return put64(m, at, 1<<32) // a folder, whose name has one byte
}

func prestatName(_ context.Context, m api.Module, fd, at, size uint32) uint32 {
	if fd != root || size < 1 || !m.Memory().WriteByte(at, '/') {
		return badFile
	}
	return ok
}

// Of copies in the memory of the command.
type vector struct{ at, size uint32 }

// vectors returns the count buffers at at.
func vectors(m api.Module, at, count uint32) ([]vector, bool) {
	list := make([]vector, 0, count)
	for i := uint32(0); i < count; i++ {
		where, good := m.Memory().ReadUint32Le(at + 8*i)
		size, more := m.Memory().ReadUint32Le(at + 8*i + 4)
		if !good || !more {
			return nil, false
		}
		list = append(list, vector{where, size})
	}
	return list, true
}

// transfer calls move for the buffers at at, until one is not filled, and writes
// how many bytes that were to total. The end of a file is no error.
func transfer(m api.Module, at, count, total uint32, move func([]byte) (int, error)) uint32 {
	list, good := vectors(m, at, count)
	if !good {
		return fault
	}
	moved := 0
	for _, v := range list {
		bytes, good := m.Memory().Read(v.at, v.size)
		if !good {
			return fault
		}
		if len(bytes) == 0 {
			continue
		}
		n, err := move(bytes)
		moved += n
		if err != nil && err != io.EOF && moved == 0 {
			return number(err)
		}
		if n < len(bytes) {
			break
		}
	}
	if !m.Memory().WriteUint32Le(total, uint32(moved)) {
		return fault
	}
	return ok
}
