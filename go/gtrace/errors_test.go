// SPDX-License-Identifier: BSD-3-Clause

//go:build go1.13
// +build go1.13

package gtrace

import (
	"errors"
	"fmt"
	"os"
	"testing"
)

// Errors are found in others that wrap them.
func TestErrorsAs(t *testing.T) {
	needCgo(t)
	_, err := Greedy(testdata+"/none", 1)
	var e *Error
	if !errors.As(fmt.Errorf("wrapped: %w", err), &e) || e.Status != OpenError {
		t.Errorf("no *Error in %#v", err)
	}
	if !errors.Is(err, os.ErrNotExist) || errors.Is(err, os.ErrPermission) {
		t.Errorf("%#v is not os.ErrNotExist, or is os.ErrPermission", err)
	}

	_, err = Greedy(testdata+"/README.md", 1)
	if !errors.As(err, &e) || e.Err != nil || errors.Is(err, os.ErrNotExist) {
		t.Errorf("%#v has a failed system call", err)
	}

	_, err = Read(Request{Path: testdata + "/attack/partial-longer-1.trace", Greedy: 1, Partial: true})
	var p *PartialError
	if !errors.As(fmt.Errorf("wrapped: %w", err), &p) || !errors.As(err, &e) || e.Offset != p.Fault.Offset {
		t.Errorf("no *PartialError, or no *Error, in %#v", err)
	}
}
