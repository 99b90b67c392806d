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
	"reflect"
	"strings"
	"sync"
	"unsafe"
)

// A copier copies what a report consists of to Go's memory. The library has each
// stack and each name once, however many events have it, and so has the copy:
// both are kept by their addresses in the report.
type copier struct {
	stacks map[unsafe.Pointer][]Frame
	texts  map[*C.char]string
}

func newCopier() *copier {
	return &copier{make(map[unsafe.Pointer][]Frame), make(map[*C.char]string)}
}

// A copyFunc copies the C value at from to the Go value at to, which is zero.
type copyFunc func(c *copier, to, from unsafe.Pointer)

// plans are the functions for the two structs that the library returns.
var plans struct {
	once             sync.Once
	reports, summary copyFunc
}

func makePlans() {
	m := newPlanMaker()
	plans.reports, plans.summary = m.plans()
}

func goReports(to *Report, from *C.struct_gtrace_reports) {
	plans.once.Do(makePlans)
	plans.reports(newCopier(), unsafe.Pointer(to), unsafe.Pointer(from))
}

func goSummary(from *C.struct_gtrace_summary) *Summary {
	plans.once.Do(makePlans)
	to := new(Summary)
	plans.summary(newCopier(), unsafe.Pointer(to), unsafe.Pointer(from))
	return to
}

// A planMaker makes copyFuncs from the types of Go and of C. A field of Go is
// copied from the member of the same name, but for case and underscores, or from
// the one that its tag "c" names:
//
//	c:"max_start"           another member
//	c:"at.frames"           a member of a struct that is a member, or of the
//	                        one that a pointer leads to; NULL is the zero value
//	c:"greedy.slices,count" an array, and how many items it has; otherwise the
//	                        next member says so
//	c:"."                   the struct itself
//	c:"-"                   none
type planMaker struct {
	known map[[2]reflect.Type]copyFunc
	used  map[string]bool // the members that are copied, as "gtrace_event.ts"
}

func newPlanMaker() *planMaker {
	return &planMaker{make(map[[2]reflect.Type]copyFunc), make(map[string]bool)}
}

// The structs of C that are copied.
var (
	reportsType = reflect.TypeOf(C.struct_gtrace_reports{})
	summaryType = reflect.TypeOf(C.struct_gtrace_summary{})
	textType    = reflect.TypeOf(C.struct_gtrace_string{})
)

func (m *planMaker) plans() (reports, summary copyFunc) {
	return m.value(reflect.TypeOf(Report{}), reportsType), m.value(reflect.TypeOf(Summary{}), summaryType)
}

// structName returns the name of a struct of C, without "struct".
func structName(t reflect.Type) string {
	return strings.TrimPrefix(t.Name(), "_Ctype_struct_")
}

// value returns the function for a value that is not an array with a count.
func (m *planMaker) value(to, from reflect.Type) copyFunc {
	switch {
	case to.Kind() == reflect.String && from == textType:
		return copyText
	case to.Kind() == reflect.String && from.Kind() == reflect.Ptr:
		return copyName
	case to.Kind() == reflect.Struct && from.Kind() == reflect.Ptr:
		return followed(m.value(to, from.Elem()))
	case to.Kind() == reflect.Struct && from.Kind() == reflect.Struct:
		return m.structs(to, from)
	case to.Kind() == reflect.Ptr && from.Kind() == reflect.Ptr:
		return allocated(to.Elem(), m.value(to.Elem(), from.Elem()))
	case to.Kind() == reflect.Array && from.Kind() == reflect.Array && to.Len() == from.Len():
		return repeated(to, from, m.value(to.Elem(), from.Elem()))
	case to.Kind() == reflect.Struct && from.Kind() == reflect.Array && to.NumField() == from.Len():
		// Its fields are of one type, in the order of the array.
		fields := reflect.ArrayOf(from.Len(), to.Field(0).Type)
		return repeated(fields, from, m.value(fields.Elem(), from.Elem()))
	}
	if number := copyNumber(to.Kind(), from); number != nil {
		return number
	}
	panic("gtrace: a " + from.String() + " cannot become a " + to.String())
}

func copyNumber(to reflect.Kind, from reflect.Type) copyFunc {
	switch {
	case to == reflect.Bool && from.Kind() == reflect.Int32:
		return func(c *copier, to, from unsafe.Pointer) { *(*bool)(to) = *(*int32)(from) != 0 }
	case to == reflect.Float64 && from.Kind() == reflect.Float64:
		return func(c *copier, to, from unsafe.Pointer) { *(*float64)(to) = *(*float64)(from) }
	case to != reflect.Int && to != reflect.Int64 && to != reflect.Uint64:
		return nil
	case from.Kind() == reflect.Int32:
		return func(c *copier, to, from unsafe.Pointer) { *(*int64)(to) = int64(*(*int32)(from)) }
	case from.Kind() == reflect.Uint32:
		return func(c *copier, to, from unsafe.Pointer) { *(*int64)(to) = int64(*(*uint32)(from)) }
	case from.Kind() == reflect.Int64 || from.Kind() == reflect.Uint64:
		return func(c *copier, to, from unsafe.Pointer) { *(*int64)(to) = *(*int64)(from) }
	}
	return nil
}

// followed returns a function that copies what a pointer of C leads to.
func followed(copy copyFunc) copyFunc {
	return func(c *copier, to, from unsafe.Pointer) {
		if from = *(*unsafe.Pointer)(from); from != nil {
			copy(c, to, from)
		}
	}
}

// allocated does so too, to a new variable.
func allocated(to reflect.Type, copy copyFunc) copyFunc {
	return followed(func(c *copier, pointer, from unsafe.Pointer) {
		at := unsafe.Pointer(reflect.New(to).Pointer())
		copy(c, at, from)
		*(*unsafe.Pointer)(pointer) = at
	})
}

func repeated(to, from reflect.Type, copy copyFunc) copyFunc {
	count, toSize, fromSize := to.Len(), to.Elem().Size(), from.Elem().Size()
	return func(c *copier, to, from unsafe.Pointer) {
		for i := 0; i < count; i++ {
			copy(c, element(to, i, toSize), element(from, i, fromSize))
		}
	}
}

// A fieldCopy copies one field: from the struct of C, or from the one that
// pointers at these offsets lead to.
type fieldCopy struct {
	through  []uintptr
	to, from uintptr
	copy     copyFunc
}

func (m *planMaker) structs(to, from reflect.Type) copyFunc {
	pair := [2]reflect.Type{to, from}
	if copy := m.known[pair]; copy != nil {
		return copy
	}
	var fields []fieldCopy
	for i := 0; i < to.NumField(); i++ {
		field := to.Field(i)
		name := field.Tag.Get("c")
		if name == "" {
			name = field.Name
		}
		if name != "-" {
			fields = append(fields, m.field(field, from, name))
		}
	}
	m.known[pair] = func(c *copier, to, from unsafe.Pointer) {
		for i := range fields {
			fields[i].do(c, to, from)
		}
	}
	return m.known[pair]
}

func (f *fieldCopy) do(c *copier, to, from unsafe.Pointer) {
	for _, offset := range f.through {
		if from = *(*unsafe.Pointer)(element(from, 1, offset)); from == nil {
			return
		}
	}
	f.copy(c, element(to, 1, f.to), element(from, 1, f.from))
}

// field returns how the field to is copied from the member of from that name
// leads to.
func (m *planMaker) field(to reflect.StructField, from reflect.Type, name string) fieldCopy {
	f := fieldCopy{to: to.Offset}
	if name == "." {
		f.copy = m.value(to.Type, from)
		return f
	}
	options := strings.Split(name, ",")
	path := strings.Split(options[0], ".")
	for _, part := range path[:len(path)-1] {
		member := from.Field(m.member(from, part))
		f.from += member.Offset
		from = member.Type
		if from.Kind() == reflect.Ptr {
			f.through, f.from, from = append(f.through, f.from), 0, from.Elem()
		}
	}
	i := m.member(from, path[len(path)-1])
	member := from.Field(i)
	if to.Type.Kind() != reflect.Slice {
		f.from += member.Offset
		f.copy = m.value(to.Type, member.Type)
		return f
	}
	count := i + 1
	if len(options) > 1 {
		count = m.member(from, options[1])
	}
	m.used[structName(from)+"."+from.Field(count).Name] = true
	f.copy = m.list(to.Type, member, from.Field(count))
	return f
}

// member returns the number of the member of from with that name.
func (m *planMaker) member(from reflect.Type, name string) int {
	for i := 0; i < from.NumField(); i++ {
		if strings.EqualFold(strings.Replace(from.Field(i).Name, "_", "", -1), strings.Replace(name, "_", "", -1)) {
			m.used[structName(from)+"."+from.Field(i).Name] = true
			return i
		}
	}
	panic("gtrace: " + structName(from) + " has no " + name)
}

// list returns the function for an array with a count, both members of the struct
// that it gets.
func (m *planMaker) list(to reflect.Type, array, count reflect.StructField) copyFunc {
	item := m.value(to.Elem(), array.Type.Elem())
	toSize, fromSize := to.Elem().Size(), array.Type.Elem().Size()
	isStack := to.Elem() == reflect.TypeOf(Frame{})
	isStruct := to.Elem().Kind() == reflect.Struct
	return func(c *copier, slice, from unsafe.Pointer) {
		items := *(*unsafe.Pointer)(element(from, 1, array.Offset))
		n := int(*(*C.size_t)(element(from, 1, count.Offset)))
		// Only lists of the report's own structs are never nil.
		if n == 0 && (isStack || !isStruct) {
			return
		}
		if stack, known := c.stacks[items]; isStack && known {
			*(*[]Frame)(slice) = stack
			return
		}
		reflect.NewAt(to, slice).Elem().Set(reflect.MakeSlice(to, n, n))
		for i := 0; i < n; i++ {
			item(c, element(*(*unsafe.Pointer)(slice), i, toSize), element(items, i, fromSize))
		}
		if isStack {
			c.stacks[items] = *(*[]Frame)(slice)
		}
	}
}

// copyText copies a text that knows its size.
func copyText(c *copier, to, at unsafe.Pointer) {
	from := (*C.struct_gtrace_string)(at)
	if from.size == 0 {
		return
	}
	text, known := c.texts[from.data]
	if !known || len(text) != int(from.size) {
		text = C.GoStringN(from.data, C.int(from.size))
		c.texts[from.data] = text
	}
	*(*string)(to) = text
}

// copyName copies a text that ends with a zero byte.
func copyName(c *copier, to, at unsafe.Pointer) {
	from := *(**C.char)(at)
	name, known := c.texts[from]
	if !known {
		name = C.GoString(from)
		c.texts[from] = name
	}
	*(*string)(to) = name
}

// element returns the address of element i of an array. Go 1.8 has no
// unsafe.Slice.
func element(array unsafe.Pointer, i int, size uintptr) unsafe.Pointer {
	return unsafe.Pointer(uintptr(array) + uintptr(i)*size)
}
