// SPDX-License-Identifier: BSD-3-Clause

//go:build go1.13
// +build go1.13

package gtrace

import (
	"errors"
	"fmt"
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
}
