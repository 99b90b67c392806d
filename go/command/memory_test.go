// SPDX-License-Identifier: BSD-3-Clause

//go:build !(gtrace_native && cgo)

package main

import (
	"testing"

	"github.com/tetratelabs/wazero/experimental"
)

const page = 1 << 16

// TestMemory grows memory, which keeps what is in it, and where the system reserves
// addresses also its own.
func TestMemory(t *testing.T) {
	for name, m := range map[string]experimental.LinearMemory{
		"reserved": newMemory(0, 1<<30),
		"copied":   &copied{},
	} {
		first := m.Reallocate(page)
		if len(first) != page {
			t.Fatalf("%s: %d bytes", name, len(first))
		}
		first[page-1] = 1
		grown := m.Reallocate(100 * page)
		if len(grown) != 100*page || grown[page-1] != 1 || grown[100*page-1] != 0 {
			t.Errorf("%s: grown, it has other bytes", name)
		}
		if _, is := m.(*memory); is && &first[0] != &grown[0] {
			t.Errorf("%s: it has moved", name)
		}
		m.Free()
	}
}

// TestMemoryEnds asks for more than is reserved.
func TestMemoryEnds(t *testing.T) {
	if !canReserve {
		t.Skip("this system reserves no addresses")
	}
	m := newMemory(0, 10*page)
	defer m.Free()
	if m.Reallocate(10*page) == nil || m.Reallocate(11*page) != nil {
		t.Error("ten pages are not the end")
	}
}
