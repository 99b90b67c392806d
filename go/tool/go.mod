module cmd/trace

go 1.19
