// SPDX-License-Identifier: BSD-3-Clause

//go:build cgo && (darwin || dragonfly || freebsd || linux || netbsd || openbsd) && (amd64 || arm64)
// +build cgo
// +build darwin dragonfly freebsd linux netbsd openbsd
// +build amd64 arm64

package gtrace

/*
#include <gtrace/gtrace.h>
*/
import "C"

import (
	"time"
	"unsafe"
)

// An index out of range, which does not compile, where the library numbers the
// kinds differently.
var (
	_ = [1]struct{}{}[BlockOther-C.GTRACE_BLOCK_OTHER]
	_ = [1]struct{}{}[BlockLock-C.GTRACE_BLOCK_LOCK]
	_ = [1]struct{}{}[BlockWaitGroup-C.GTRACE_BLOCK_WAIT_GROUP]
	_ = [1]struct{}{}[BlockCondition-C.GTRACE_BLOCK_CONDITION]
	_ = [1]struct{}{}[BlockSend-C.GTRACE_BLOCK_SEND]
	_ = [1]struct{}{}[BlockReceive-C.GTRACE_BLOCK_RECEIVE]
	_ = [1]struct{}{}[BlockSelect-C.GTRACE_BLOCK_SELECT]
	_ = [1]struct{}{}[BlockNetwork-C.GTRACE_BLOCK_NETWORK]
	_ = [1]struct{}{}[BlockSleep-C.GTRACE_BLOCK_SLEEP]
	_ = [1]struct{}{}[BlockSyscall-C.GTRACE_BLOCK_SYSCALL]
	_ = [1]struct{}{}[BlockAssist-C.GTRACE_BLOCK_ASSIST]
	_ = [1]struct{}{}[BlockCollection-C.GTRACE_BLOCK_COLLECTION]
)

func goBlocks(from *C.struct_gtrace_block_report) *BlockReport {
	c := newCopier()
	to := &BlockReport{
		Sums:   make([]BlockSum, from.sum_count),
		Places: c.places(from.places, int(from.place_count)),
		Rests:  c.places(from.rests, int(from.rest_count)),
	}
	for i := range to.Sums {
		s := (*C.struct_gtrace_block_sum)(element(unsafe.Pointer(from.sums), i, unsafe.Sizeof(*from.sums)))
		to.Sums[i] = BlockSum{
			Kind:  BlockKind(s.kind),
			Rest:  s.rest != 0,
			Count: int(s.count),
			Sum:   time.Duration(s.sum),
			Max:   time.Duration(s.max),
		}
	}
	return to
}

func (c *copier) places(from **C.struct_gtrace_block_place, count int) []BlockPlace {
	to := make([]BlockPlace, count)
	for i := range to {
		c.place(&to[i], *(**C.struct_gtrace_block_place)(element(unsafe.Pointer(from), i, unsafe.Sizeof(*from))))
	}
	return to
}

func (c *copier) place(to *BlockPlace, from *C.struct_gtrace_block_place) {
	*to = BlockPlace{
		Kind:         BlockKind(from.kind),
		Rest:         from.rest != 0,
		Count:        int(from.count),
		Sum:          time.Duration(from.sum),
		Max:          time.Duration(from.max),
		Median:       time.Duration(from.median),
		P99:          time.Duration(from.p99),
		MaxStart:     time.Duration(from.max_start),
		MaxG:         int64(from.max_g),
		Lost:         time.Duration(from.lost),
		Before:       int(from.before),
		Unfinished:   int(from.unfinished),
		Frames:       c.frames(from.frames, int(from.frame_count)),
		Enders:       c.unblockers(from.enders, int(from.ender_count)),
		EndedMore:    int(from.ended_more),
		EndedMoreSum: time.Duration(from.ended_more_sum),
		Holders:      c.unblockers(from.holders, int(from.holder_count)),
	}
}

func (c *copier) unblockers(from *C.struct_gtrace_unblocker, count int) []Unblocker {
	to := make([]Unblocker, count)
	for i := range to {
		e := (*C.struct_gtrace_unblocker)(element(unsafe.Pointer(from), i, unsafe.Sizeof(*from)))
		to[i] = Unblocker{
			By:     c.name(e.by),
			Count:  int(e.count),
			Sum:    time.Duration(e.sum),
			Frames: c.frames(e.frames, int(e.frame_count)),
		}
	}
	return to
}
