// SPDX-License-Identifier: BSD-3-Clause

//go:build cgo && (darwin || dragonfly || freebsd || linux || netbsd || openbsd) && (amd64 || arm64)
// +build cgo
// +build darwin dragonfly freebsd linux netbsd openbsd
// +build amd64 arm64

package gtrace

/*
#include <stdlib.h>

#include <gtrace/gtrace.h>

struct job {
	const char *path;
	int fd; // to read in place of path; -1: none
	struct gtrace_options options;
	struct gtrace_request request;
	struct gtrace_output output;
	int print, dump, summarise;

	// What run_job sets.
	enum gtrace_status status;
	struct gtrace_error error;
	unsigned trace_version;
	int in_ticks;
	struct gtrace_reports *reports;
	struct gtrace_summary *summary;
	int left_out;
	uint64_t left_out_offset, left_out_size;
	struct gtrace_error fault;
};

// What a summary does not have takes a second pass.
static void analyse_rest(struct job *job, struct gtrace *trace)
{
	struct gtrace_request rest = job->request;

	rest.n = rest.stops = rest.waits = rest.delays = rest.blocks = 0;
	rest.collections = 0;
	if (rest.goroutines != 0 || rest.requests != 0 || rest.paths != 0 || rest.sched != 0)
		job->status = gtrace_analyse(trace, &rest, &job->reports, &job->error);
}

// The fields of a request that count for report: others are refused.
static struct gtrace_request request_for(const struct job *job, enum gtrace_report report)
{
	struct gtrace_request request = job->request;

	if (report == GTRACE_REPORT_SUMMARY) {
		request.goroutines = request.requests = request.paths = 0;
		request.sched = 0;
	}
	if (report == GTRACE_REPORT_DUMP)
		request = (struct gtrace_request){
			.size = sizeof(request),
			.format = job->request.format,
			.name = job->request.name,
		};
	return request;
}

static enum gtrace_status print_report(struct job *job, struct gtrace *trace, enum gtrace_report report)
{
	struct gtrace_request request = request_for(job, report);

	request.report = report;
	return gtrace_print(trace, &request, &job->output, &job->error);
}

static enum gtrace_status summarise(struct job *job, struct gtrace *trace)
{
	struct gtrace_request request = request_for(job, GTRACE_REPORT_SUMMARY);

	return gtrace_summarise(trace, &request, &job->summary, &job->error);
}

static enum gtrace_status open_trace(struct job *job, struct gtrace **trace)
{
	const struct gtrace_stream stream = {.size = sizeof(stream), .fd = job->fd};

	if (job->fd >= 0)
		return gtrace_open_stream(&stream, &job->options, trace, &job->error);
	return gtrace_open_path(job->path, &job->options, trace, &job->error);
}

// Does all of a job in one call, so that a trace that comes through a pipe is
// read once.
static void run_job(struct job *job)
{
	const struct gtrace_error *fault;
	struct gtrace *trace;
	int reports;

	job->status = open_trace(job, &trace);
	if (job->status != GTRACE_OK)
		return;
	job->trace_version = gtrace_trace_version(trace);
	job->in_ticks = gtrace_in_ticks(trace);
	reports = job->request.n != 0 || job->request.stops != 0 ||
		job->request.waits != 0 || job->request.delays != 0 ||
		job->request.blocks != 0 || job->request.goroutines != 0 ||
		job->request.requests != 0 || job->request.paths != 0 ||
		job->request.collections || job->request.sched != 0;
	if (job->summarise && job->print)
		job->status = print_report(job, trace, GTRACE_REPORT_SUMMARY);
	else if (job->summarise)
		job->status = summarise(job, trace);
	else if (reports && !job->print)
		job->status = gtrace_analyse(trace, &job->request, &job->reports, &job->error);
	if (job->summarise && !job->print && job->status == GTRACE_OK)
		analyse_rest(job, trace);
	if (reports && job->print && job->status == GTRACE_OK)
		job->status = print_report(job, trace, GTRACE_REPORT_LONGEST);
	if (job->dump && job->status == GTRACE_OK)
		job->status = print_report(job, trace, GTRACE_REPORT_DUMP);
	job->left_out = gtrace_left_out(trace, &job->left_out_offset, &job->left_out_size, &fault);
	if (job->left_out)
		job->fault = *fault;
	gtrace_close(trace);
}
*/
import "C"

import (
	"io"
	"os"
	"runtime"
	"strings"
	"syscall"
	"time"
	"unsafe"
)

// Available says whether this build has the library.
const Available = true

// An index out of range, which does not compile, where the library numbers a
// Status, a Format, a LateHow, a Work or a BlockKind differently.
var (
	_ = [1]struct{}{}[ArgumentError-C.GTRACE_ERROR_ARGUMENT]
	_ = [1]struct{}{}[MemoryError-C.GTRACE_ERROR_MEMORY]
	_ = [1]struct{}{}[OpenError-C.GTRACE_ERROR_OPEN]
	_ = [1]struct{}{}[ReadError-C.GTRACE_ERROR_READ]
	_ = [1]struct{}{}[WriteError-C.GTRACE_ERROR_WRITE]
	_ = [1]struct{}{}[VersionError-C.GTRACE_ERROR_VERSION]
	_ = [1]struct{}{}[CutOffError-C.GTRACE_ERROR_CUT_OFF]

	_ = [1]struct{}{}[FormatText-C.GTRACE_FORMAT_TEXT]
	_ = [1]struct{}{}[FormatJSON-C.GTRACE_FORMAT_JSON]
	_ = [1]struct{}{}[FormatCSV-C.GTRACE_FORMAT_CSV]

	_ = [1]struct{}{}[LateRan-C.GTRACE_LATE_RAN]
	_ = [1]struct{}{}[LateSyscall-C.GTRACE_LATE_SYSCALL]
	_ = [1]struct{}{}[LateScheduler-C.GTRACE_LATE_SCHEDULER]

	_ = [1]struct{}{}[WorkProgram-C.GTRACE_WORK_PROGRAM]
	_ = [1]struct{}{}[WorkRuntime-C.GTRACE_WORK_RUNTIME]
	_ = [1]struct{}{}[WorkSyscall-C.GTRACE_WORK_SYSCALL]
	_ = [1]struct{}{}[WorkScheduler-C.GTRACE_WORK_SCHEDULER]
	_ = [1]struct{}{}[WorkNone-C.GTRACE_WORK_NONE]
	_ = [1]struct{}{}[WorkTracer-C.GTRACE_WORK_TRACER]
	_ = [1]struct{}{}[WorkGCDedicated-C.GTRACE_WORK_GC_DEDICATED]
	_ = [1]struct{}{}[WorkGCFractional-C.GTRACE_WORK_GC_FRACTIONAL]
	_ = [1]struct{}{}[WorkGCIdle-C.GTRACE_WORK_GC_IDLE]

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
	_ = [1]struct{}{}[blockKinds-C.GTRACE_BLOCK_KINDS]
)

// Print writes the reports that r names to out. If the trace is at fault
// nothing has been written, unless the error is a *PartialError: then the
// reports have been written. A WriteError, a ReadError and a MemoryError can come
// after a part of the reports.
func Print(out *os.File, r Request) error {
	if r.Format == FormatCSV && (r.reports() || r.Summary) && r.Dump {
		return &Error{Status: ArgumentError, Message: "CSV output holds one report; set one of them"}
	}
	job, err := newJob(r)
	if err != nil {
		return err
	}
	defer freeJob(job)
	job.output.fd = C.int(out.Fd())
	job.print = 1
	job.dump = cBool(r.Dump)
	err = runJob(job, r)
	runtime.KeepAlive(out)
	return err
}

// Read returns the reports that r names. Dump has no effect. If the error is a
// *PartialError, the Report is what can be read of the trace; with any other error
// it is nil.
func Read(r Request) (*Report, error) {
	job, err := newJob(r)
	if err != nil {
		return nil, err
	}
	defer freeJob(job)
	job.request.details = 1 // for GCWorker and Syscalls
	job.request.rows = ^C.size_t(0)
	err = runJob(job, r)
	if _, failed := err.(*Error); failed {
		return nil, err
	}
	report := &Report{TraceVersion: int(job.trace_version), InTicks: job.in_ticks != 0}
	if job.reports != nil {
		goReports(report, job.reports)
	}
	if job.summary != nil {
		report.FirstTime = time.Duration(job.summary.first_time)
		report.summary(goSummary(job.summary), r)
	}
	return report, err
}

// summary sets the summary of r, and the reports that it consists of.
func (r *Report) summary(s *Summary, asked Request) {
	r.Summary = s
	if asked.Greedy != 0 {
		r.Slices = s.Slices
	}
	if asked.Stops != 0 {
		r.Stops = s.Stops
	}
	if asked.Waits != 0 {
		r.Waits = s.Waits
	}
	if asked.Delays != 0 {
		r.Delays = s.Delays
	}
	if asked.Blocks != 0 {
		blocks := *s.Blocks
		blocks.Places = firstPlaces(blocks.Places, asked.Blocks)
		blocks.Rests = firstPlaces(blocks.Rests, asked.Blocks)
		r.Blocks = &blocks
	}
	r.Collections = s.CollectionReport
}

func firstPlaces(places []BlockPlace, n int) []BlockPlace {
	if n < len(places) {
		return places[:n]
	}
	return places
}

// reports is whether r asks for reports beside a summary and a dump.
func (r *Request) reports() bool {
	return r.Greedy|r.Stops|r.Waits|r.Delays|r.Blocks|r.Goroutines|r.Requests|r.Paths != 0 || r.Collections || r.Sched != 0
}

// newJob returns r for C, but for what only Print uses.
func newJob(r Request) (*C.struct_job, error) {
	for i, n := range []int{r.Greedy, r.Stops, r.Waits, r.Delays, r.Blocks, r.Goroutines, r.Requests, r.Paths, int(r.Sched)} {
		if n < 0 {
			what := []string{"slices", "pauses", "waits", "delays", "places", "functions", "requests", "kinds of requests", "nanoseconds"}[i]
			return nil, &Error{Status: ArgumentError, Message: "a negative number of " + what}
		}
	}
	if strings.Contains(r.Path+r.Binary+r.GoCommand, "\x00") {
		return nil, &Error{Status: ArgumentError, Message: "a file name with a zero byte"}
	}
	job := new(C.struct_job)
	job.path = C.CString(r.Path)
	job.options.size = C.sizeof_struct_gtrace_options
	job.options.binary = cString(r.Binary)
	job.options.go_command = cString(r.GoCommand)
	job.options.partial = partialMode(r)
	job.options.frequency = C.int64_t(r.Frequency)
	job.request.size = C.sizeof_struct_gtrace_request
	job.request.n = C.size_t(r.Greedy)
	job.request.stops = C.size_t(r.Stops)
	job.request.waits = C.size_t(r.Waits)
	job.request.delays = C.size_t(r.Delays)
	job.request.blocks = C.size_t(r.Blocks)
	job.request.goroutines = C.size_t(r.Goroutines)
	job.request.requests = C.size_t(r.Requests)
	job.request.paths = C.size_t(r.Paths)
	job.request.collections = cBool(r.Collections)
	if r.Collections {
		job.request.rows = 10 // of its tables, as of the command
	}
	job.request.sched = C.int64_t(r.Sched)
	job.summarise = cBool(r.Summary)
	job.request.format = C.int(r.Format)
	job.request.name = job.path
	job.output.size = C.sizeof_struct_gtrace_output
	return job, nil
}

// runJob runs the job of r and returns its error.
func runJob(job *C.struct_job, r Request) error {
	job.fd = -1
	if r.Input == nil {
		C.run_job(job)
		return jobError(job)
	}
	in, out, err := os.Pipe()
	if err != nil {
		return &Error{Status: OpenError, Path: r.Path, Message: err.Error(), Err: err}
	}
	failed := make(chan error, 1)
	go func() {
		_, err := io.Copy(out, r.Input)
		// Before the library sees the end.
		failed <- err
		out.Close()
	}()
	job.fd = C.int(in.Fd())
	C.run_job(job)
	select {
	case err = <-failed:
	default: // the library has not read to the end
	}
	in.Close()
	if err != nil {
		return &Error{Status: ReadError, Path: r.Path, Message: err.Error(), Err: err}
	}
	return jobError(job)
}

// freeJob frees what C has allocated for job.
func freeJob(job *C.struct_job) {
	C.gtrace_reports_free(job.reports)
	C.gtrace_summary_free(job.summary)
	C.free(unsafe.Pointer(job.path))
	C.free(unsafe.Pointer(job.options.binary))
	C.free(unsafe.Pointer(job.options.go_command))
}

// jobError returns the error of a job that has run: an *Error if it failed, a
// *PartialError if it left something out, or nil.
func jobError(job *C.struct_job) error {
	if job.status != C.GTRACE_OK {
		e := goError(job, &job.error)
		return &e
	}
	if job.left_out != 0 {
		return &PartialError{
			Fault:  goError(job, &job.fault),
			Offset: uint64(job.left_out_offset),
			Size:   uint64(job.left_out_size),
		}
	}
	return nil
}

func goError(job *C.struct_job, e *C.struct_gtrace_error) Error {
	to := Error{
		Status:  Status(e.status),
		Path:    C.GoString(job.path),
		Offset:  uint64(e.offset),
		Message: C.GoString(&e.message[0]),
	}
	if code := syscall.Errno(e.system_error); code != 0 {
		to.BrokenPipe = code == syscall.EPIPE
		to.Err = code
	}
	return to
}

// cString returns s for C, to be freed, and NULL for an empty s.
func cString(s string) *C.char {
	if s == "" {
		return nil
	}
	return C.CString(s)
}

func partialMode(r Request) C.int {
	switch {
	case r.Unfinished:
		return C.GTRACE_PARTIAL_UNFINISHED
	case r.Partial:
		return C.GTRACE_PARTIAL_GOOD
	}
	return C.GTRACE_PARTIAL_NO
}

func cBool(b bool) C.int {
	if b {
		return 1
	}
	return 0
}
