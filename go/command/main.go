// SPDX-License-Identifier: BSD-3-Clause

//go:build !(gtrace_native && cgo)

// Gtrace says what stalls a Go program, from its execution trace. It is the C
// command gtrace, compiled to WebAssembly, so that installing it takes nothing but
// Go. With cgo and the build tag gtrace_native it is compiled from C.
package main

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/sys"
)

//go:embed gtrace.wasm
var command []byte

func main() {
	status, err := run()
	if err != nil {
		fmt.Fprintln(os.Stderr, "gtrace:", err)
		status = 1
	}
	os.Exit(status)
}

// cache is where the compiled command is kept. It is compiled each time if there
// can be no such folder.
func cache() wazero.CompilationCache {
	folder, err := os.UserCacheDir()
	if err != nil {
		return wazero.NewCompilationCache()
	}
	kept, err := wazero.NewCompilationCacheWithDir(filepath.Join(folder, "gtrace"))
	if err != nil {
		return wazero.NewCompilationCache()
	}
	return kept
}

// run runs the command as this program was started, and returns its exit status.
func run() (int, error) {
	ctx := context.Background()
	compiled := cache()
	defer compiled.Close(ctx)
	e, err := newEngine(ctx, compiled)
	if err != nil {
		return 0, err
	}
	h := newHost(os.Args, os.Stdin, os.Stdout, os.Stderr)
	defer h.close()
	return e.run(ctx, h)
}

// An engine is the compiled command, which runs any number of times, also at once.
type engine struct {
	runtime wazero.Runtime
	module  wazero.CompiledModule
}

func newEngine(ctx context.Context, compiled wazero.CompilationCache) (*engine, error) {
	runtime := wazero.NewRuntimeWithConfig(ctx,
		wazero.NewRuntimeConfig().WithCompilationCache(compiled))
	module, err := runtime.CompileModule(ctx, command)
	if err != nil {
		return nil, err
	}
	return &engine{runtime, module}, instantiate(ctx, runtime, module)
}

// run runs the command on h, and returns its exit status.
func (e *engine) run(ctx context.Context, h *host) (int, error) {
	h.engine = e
	instance, err := e.runtime.InstantiateModule(withMemory(h.on(ctx)), e.module,
		wazero.NewModuleConfig().WithName(""))
	if instance != nil {
		instance.Close(ctx)
	}
	var exit *sys.ExitError
	if errors.As(err, &exit) {
		return int(exit.ExitCode()), nil
	}
	return 0, err
}
