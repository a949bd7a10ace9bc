package main

import (
	"bufio"
	"io"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"time"
)

// watched is one run of a test binary, whose marks go to a listener while it runs.
type watched struct {
	binary    string
	arguments []string
	env       []string
	// True where the binary frames its marks, so that a test cannot print one.
	framed bool
	// Called for each mark and each other line, one after the other.
	onMark func(mark)
	onLine func(string)
	// May be nil.
	ends *endWatch
	// Asked many times per second: why the process has to end, or "".
	check func(pid int) string
}

type ending struct {
	// -1 after a signal.
	exitCode int
	// What check said.
	stopped string
}

const (
	checkEvery = 20 * time.Millisecond
	dumpTime   = 2 * time.Second
	drainTime  = time.Second
)

// run starts the process in a group of its own, which is gone when it returns, or when we are killed.
func (w *watched) run() (ending, error) {
	reader, writer, err := os.Pipe()
	if err != nil {
		return ending{}, err
	}
	defer reader.Close()
	command := exec.Command(w.binary, w.arguments...)
	command.Env = w.env
	command.Stdout = writer
	command.Stderr = writer
	// A child that ends with us ends with the thread that started it: it is kept until then.
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	command.SysProcAttr = childAttributes()
	if w.ends != nil {
		command.Env = append(append([]string{}, w.env...), endVariable+"="+w.ends.name)
		w.ends.starting()
	}
	err = command.Start()
	if w.ends != nil {
		process := 0
		if err == nil {
			process = command.Process.Pid
		}
		w.ends.started(process)
	}
	if err != nil {
		writer.Close()
		return ending{}, err
	}
	writer.Close()
	var mutex sync.Mutex
	read := make(chan struct{})
	go func() {
		w.read(reader, &mutex)
		close(read)
	}()
	exited := make(chan error, 1)
	go func() { exited <- command.Wait() }()
	stopped := w.wait(exited, &mutex, command.Process.Pid)
	_ = syscall.Kill(-command.Process.Pid, syscall.SIGKILL)
	select {
	case <-read:
	case <-time.After(drainTime):
		// Something that left the group holds the pipe.
	}
	mutex.Lock()
	defer mutex.Unlock()
	w.onMark, w.onLine = func(mark) {}, func(string) {}
	return ending{exitCode: command.ProcessState.ExitCode(), stopped: stopped}, nil
}

// wait returns when the process has ended: by itself, or at a word of check, after the dump of its goroutines.
func (w *watched) wait(exited <-chan error, mutex *sync.Mutex, pid int) string {
	ticker := time.NewTicker(checkEvery)
	defer ticker.Stop()
	for {
		select {
		case <-exited:
			return ""
		case <-ticker.C:
			mutex.Lock()
			reason := w.check(pid)
			mutex.Unlock()
			if reason == "" {
				continue
			}
			_ = syscall.Kill(pid, syscall.SIGQUIT)
			select {
			case <-exited:
			case <-time.After(dumpTime):
				_ = syscall.Kill(-pid, syscall.SIGKILL)
				<-exited
			}
			return reason
		}
	}
}

// longestLine bounds what is kept of a line that never ends.
const longestLine = 1 << 16

func (w *watched) read(from io.Reader, mutex *sync.Mutex) {
	lines := bufio.NewReaderSize(from, longestLine)
	for {
		line, err := readLine(lines)
		if line != "" || err == nil {
			mutex.Lock()
			w.take(line)
			mutex.Unlock()
		}
		if err != nil {
			return
		}
	}
}

func readLine(lines *bufio.Reader) (string, error) {
	text, isPrefix, err := lines.ReadLine()
	line := string(text)
	for isPrefix && err == nil {
		_, isPrefix, err = lines.ReadLine()
	}
	return line, err
}

func (w *watched) take(line string) {
	line = strings.TrimSuffix(line, "\r")
	for _, piece := range splitFramed(line) {
		found, isMark := readMark(piece.text)
		if isMark && piece.framed == w.framed {
			w.onMark(found)
		} else {
			w.onLine(piece.text)
		}
	}
}
