module gtrace

go 1.17
