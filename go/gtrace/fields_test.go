// SPDX-License-Identifier: BSD-3-Clause

//go:build cgo && (darwin || dragonfly || freebsd || linux || netbsd || openbsd) && (amd64 || arm64)
// +build cgo
// +build darwin dragonfly freebsd linux netbsd openbsd
// +build amd64 arm64

package gtrace

import (
	"reflect"
	"strings"
	"testing"
)

// notInGo are the members of the library's structs that have no field in Go, and
// why.
var notInGo = map[string]string{
	"gtrace_event._type":                     "Type is its name",
	"gtrace_event.link":                      "only visitors get it",
	"gtrace_finding.kind":                    "Kind is its name",
	"gtrace_finding.inners":                  "Text has them",
	"gtrace_stop.sampled_count":              "Late has the samples",
	"gtrace_collection_report.longest":       "they are in Collections",
	"gtrace_collection_report.longest_count": "they are in Collections",
	"gtrace_wait_report.parts":               "a Request does not ask for them",
	"gtrace_wait_report.part_count":          "a Request does not ask for them",
	"gtrace_wait_report.part_length":         "a Request does not ask for them",
	"gtrace_slice.on_cpu":                    "a Request has no scheduling record",
	"gtrace_slice.preempted":                 "a Request has no scheduling record",
	"gtrace_slice.asleep":                    "a Request has no scheduling record",
	"gtrace_late.own_on_cpu":                 "a Request has no scheduling record",
	"gtrace_summary.cpu":                     "a Request has no scheduling record",
	"gtrace_summary.threads":                 "a Request has no accounts of threads",
	"gtrace_reports.has_record":              "a Request has no scheduling record",
	"gtrace_reports.began":                   "a Summary has it",
	"gtrace_sched_report.origin":             "it is the Ts of the first sample less its Interval",
	"gtrace_summary.in_period":               "a Request has no filter",
	"gtrace_summary.delaying":                "they are in Functions",
	"gtrace_summary.delaying_count":          "they are in Functions",
	"gtrace_summary.trace_version":           "a Report has it",
	"gtrace_summary.in_ticks":                "a Report has it",
	"gtrace_summary.first_time":              "a Report has it",
}

// A walk over the structs of C that reports consist of: calls visit for each
// member once.
type structWalk struct {
	seen  map[reflect.Type]bool
	visit func(name string)
}

func (w *structWalk) walk(t reflect.Type) {
	for t.Kind() == reflect.Ptr || t.Kind() == reflect.Array {
		t = t.Elem()
	}
	if t.Kind() != reflect.Struct || t == textType || w.seen[t] {
		return
	}
	w.seen[t] = true
	for i := 0; i < t.NumField(); i++ {
		// Up to Go 1.9 padding has such a name.
		if t.Field(i).Name == "_" || strings.HasPrefix(t.Field(i).Name, "pad_cgo_") {
			continue
		}
		name := structName(t) + "." + t.Field(i).Name
		w.visit(name)
		if notInGo[name] == "" {
			w.walk(t.Field(i).Type)
		}
	}
}

// Each member of the library's structs is copied, or notInGo says why not.
func TestFields(t *testing.T) {
	m := newPlanMaker()
	m.plans()
	members := make(map[string]bool)
	w := structWalk{make(map[reflect.Type]bool), func(name string) {
		members[name] = true
		if m.used[name] == (notInGo[name] != "") {
			t.Errorf("%s: copied is %v, the reason to leave it out is %q", name, m.used[name], notInGo[name])
		}
	}}
	w.walk(reportsType)
	w.walk(summaryType)
	for name := range notInGo {
		if !members[name] {
			t.Errorf("%s is left out, but does not exist", name)
		}
	}
	if len(members) < 250 {
		t.Errorf("only %d members were found", len(members))
	}
}
