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
	status, err := run(os.Args)
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

// run runs the command with args, of which the first is its name, and returns its
// exit status.
func run(args []string) (int, error) {
	ctx := context.Background()
	compiled := cache()
	defer compiled.Close(ctx)
	runtime := wazero.NewRuntimeWithConfig(ctx,
		wazero.NewRuntimeConfig().WithCompilationCache(compiled))
	module, err := runtime.CompileModule(ctx, command)
	if err != nil {
		return 0, err
	}
	host := newHost(args)
	defer host.close()
	if err := host.instantiate(ctx, runtime, module); err != nil {
		return 0, err
	}
	_, err = runtime.InstantiateModule(ctx, module, wazero.NewModuleConfig().WithName(""))
	var exit *sys.ExitError
	if errors.As(err, &exit) {
		return int(exit.ExitCode()), nil
	}
	return 0, err
}
