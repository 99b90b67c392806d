// SPDX-License-Identifier: BSD-3-Clause

//go:build !(gtrace_native && cgo)

package main

import (
	"context"
	"fmt"
	"maps"
	"runtime"
	"sync"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
)

// apart reads traces in copies of the command, several at a time, see apart.c: what
// says how many at once, how many there are, where the addresses for what is found in
// the first one begin, and how many each has. The command waits meanwhile.
func (h *host) apart(ctx context.Context, m api.Module, what string) uint32 {
	var threads, count, first, size uint32
	if _, err := fmt.Sscanf(what, "%d/%d/%d/%d", &threads, &count, &first, &size); err != nil || h.engine == nil {
		return noEntry
	}
	if threads == 0 {
		threads = uint32(min(2, runtime.NumCPU()))
	}
	numbers := make(chan uint32)
	var workers sync.WaitGroup
	for range min(threads, count) {
		workers.Add(1)
		go func() {
			defer workers.Done()
			for number := range numbers {
				h.readApart(ctx, m, number, first, first+count*size, first+number*size, size)
			}
		}()
	}
	for number := range count {
		numbers <- number
	}
	close(numbers)
	workers.Wait()
	return ok
}

// readApart reads a trace in a copy of m, whose memory is that below first. What it
// finds lies at base and after it, in ranges that it tells there (struct region), and
// is copied to the same addresses of m. Where
// anything fails nothing is found, and m reads the trace itself.
func (h *host) readApart(ctx context.Context, m api.Module, number, first, end, base, size uint32) {
	if wanted, _ := m.Memory().ReadUint32Le(base); wanted == 0 {
		return
	}
	host := &host{args: h.args, files: maps.Clone(h.files), temporary: h.temporary, isCopy: true}
	ctx = withMemory(host.on(ctx))
	instance, err := h.engine.runtime.InstantiateModule(ctx, h.engine.module,
		wazero.NewModuleConfig().WithName("").WithStartFunctions())
	if err != nil {
		return
	}
	defer instance.Close(ctx)
	memory := instance.Memory()
	was, inside := m.Memory().Read(0, first)
	_, grown := memory.Grow((end - memory.Size()) >> 16)
	if !inside || !grown || !memory.Write(0, was) {
		return
	}
	if _, err := instance.ExportedFunction("apart").Call(ctx, uint64(number), uint64(base), uint64(size)); err != nil {
		return
	}
	if len(host.said) != 0 {
		h.files[2].Write(host.said)
	}
	count, _ := memory.ReadUint32Le(base + 4)
	for i := range count {
		at, _ := memory.ReadUint32Le(base + 8 + 8*i)
		size, _ := memory.ReadUint32Le(base + 12 + 8*i)
		if found, inside := memory.Read(at, size); inside {
			m.Memory().Write(at, found)
		}
	}
}
