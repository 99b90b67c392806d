module gtrace/cmd/gtrace

go 1.22

require github.com/tetratelabs/wazero v1.9.0
