// SPDX-License-Identifier: BSD-3-Clause

// Flight is a service that stalls now and then, and records why. Players guess a
// number over HTTP; the counts of the guesses are in a few shards, each with a lock.
// Now and then it posts a report of all counts to another server, and keeps all
// locks until that has answered, as an unlock that is deferred in a loop does. A
// flight recorder keeps what happened last; when a guess took long, it is written
// to a file, for gtrace. It needs Go 1.25.
//
//	go run go/flight/main.go flight.trace
package main

import (
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"runtime/trace"
	"strconv"
	"strings"
	"sync"
	"time"
)

const (
	players = 8
	numbers = 100
	shards  = 10
	slow    = 100 * time.Millisecond // a guess that takes longer is to be explained
)

type shard struct {
	mu     sync.Mutex
	counts [numbers / shards]int
}

type game struct {
	shards [shards]shard
	report string // the address that reports are posted to
}

// guess counts a guess, and tells whether it is right.
func (g *game) guess(w http.ResponseWriter, r *http.Request) {
	n, err := strconv.Atoi(r.URL.Query().Get("n"))
	if err != nil || n < 0 || n >= numbers {
		http.Error(w, "a number from 0 to 99", http.StatusBadRequest)
		return
	}
	s := &g.shards[n%shards]
	s.mu.Lock()
	s.counts[n/shards]++
	s.mu.Unlock()
	fmt.Fprintln(w, n == 42)
}

// sendReport posts all counts. The locks are held until it returns.
func (g *game) sendReport() {
	var text strings.Builder
	for i := range g.shards {
		s := &g.shards[i]
		s.mu.Lock()
		defer s.mu.Unlock()
		fmt.Fprintln(&text, s.counts)
	}
	response, err := http.Post(g.report, "text/plain", strings.NewReader(text.String()))
	check(err)
	response.Body.Close()
}

// serve returns the address of a new server.
func serve(handler http.HandlerFunc) string {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	check(err)
	go http.Serve(listener, handler)
	return "http://" + listener.Addr().String()
}

// play guesses until told to stop, and tells of guesses that took long.
func play(address string, long chan<- time.Duration, stop <-chan bool) {
	for n := 0; ; n++ {
		select {
		case <-stop:
			return
		case <-time.After(5 * time.Millisecond):
		}
		begin := time.Now()
		response, err := http.Get(fmt.Sprintf("%s/?n=%d", address, n%numbers))
		check(err)
		io.Copy(io.Discard, response.Body)
		response.Body.Close()
		if took := time.Since(begin); took > slow {
			select {
			case long <- took:
			default:
			}
		}
	}
}

func main() {
	if len(os.Args) != 2 {
		log.Fatal("usage: flight FILE")
	}
	recorder := trace.NewFlightRecorder(trace.FlightRecorderConfig{MinAge: time.Second})
	check(recorder.Start())
	g := &game{report: serve(func(w http.ResponseWriter, r *http.Request) {
		time.Sleep(400 * time.Millisecond) // far away, or busy
	})}
	address := serve(g.guess)
	long, stop := make(chan time.Duration, 1), make(chan bool)
	for range players {
		go play(address, long, stop)
	}
	time.Sleep(200 * time.Millisecond)
	g.sendReport()
	fmt.Println("a guess took", <-long)
	file, err := os.Create(os.Args[1])
	check(err)
	_, err = recorder.WriteTo(file)
	check(err)
	check(file.Close())
	close(stop)
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
