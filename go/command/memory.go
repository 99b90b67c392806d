// SPDX-License-Identifier: BSD-3-Clause

//go:build !(gtrace_native && cgo)

package main

import (
	"context"
	"math/bits"

	"github.com/tetratelabs/wazero/experimental"
)

// A memory is that of a command: so many addresses as it can have are reserved, and
// memory is there for those that it uses. So it grows without being copied.
type memory struct {
	reserved []byte
	used     uint64
}

// withMemory returns a context in which commands have such memory, or that of wazero
// where the system gives none.
func withMemory(ctx context.Context) context.Context {
	if bits.UintSize < 64 || !canReserve {
		return ctx
	}
	return experimental.WithMemoryAllocator(ctx, experimental.MemoryAllocatorFunc(newMemory))
}

func newMemory(_, most uint64) experimental.LinearMemory {
	reserved, err := reserve(most)
	if err != nil {
		return &copied{}
	}
	return &memory{reserved: reserved}
}

// Reallocate returns nil if there is no more.
func (m *memory) Reallocate(size uint64) []byte {
	if size > m.used {
		if size > uint64(len(m.reserved)) || commit(m.reserved[m.used:size]) != nil {
			return nil
		}
		m.used = size
	}
	return m.reserved[:size:size]
}

func (m *memory) Free() {
	release(m.reserved)
	m.reserved = nil
}

// A copied memory moves when it grows.
type copied struct{ bytes []byte }

func (c *copied) Reallocate(size uint64) []byte {
	if uint64(cap(c.bytes)) < size {
		grown := make([]byte, size, size+size/4)
		copy(grown, c.bytes)
		c.bytes = grown
	}
	c.bytes = c.bytes[:size]
	return c.bytes
}

func (c *copied) Free() {
	c.bytes = nil
}
