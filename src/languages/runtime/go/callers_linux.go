package main

import (
	"debug/elf"
	"debug/gosym"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// callers knows where the functions lie that stand under the end of M.Run.
type callers struct {
	binary string
	// Where the first part of the file is to be loaded.
	base uint64
	// From the innermost: each [entry, end).
	functions [2][2]uint64
	// What every goroutine's stack begins with.
	bottom [2]uint64
}

func findCallers(path string) (*callers, error) {
	if err := tryWatching(); err != nil {
		return nil, err
	}
	file, err := elf.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	text := file.Section(".text")
	lines := file.Section(".gopclntab")
	if lines == nil {
		lines = file.Section(".data.rel.ro.gopclntab")
	}
	if text == nil || lines == nil || file.Class != elf.ELFCLASS64 || file.ByteOrder != binary.LittleEndian {
		return nil, errors.New("the test binary has another form than Go's")
	}
	data, err := lines.Data()
	if err != nil {
		return nil, err
	}
	table, err := gosym.NewTable(nil, gosym.NewLineTable(data, text.Addr))
	if err != nil {
		return nil, err
	}
	found := &callers{binary: path}
	places := [3][2]uint64{}
	for index, name := range []string{"testing.(*M).Run", "main.main", "runtime.goexit"} {
		function := table.LookupFunc(name)
		if function == nil {
			return nil, fmt.Errorf("the test binary has no %s", name)
		}
		places[index] = [2]uint64{function.Entry, function.End}
	}
	copy(found.functions[:], places[:2])
	found.bottom = places[2]
	for _, part := range file.Progs {
		if part.Type == elf.PT_LOAD && part.Off == 0 {
			found.base = part.Vaddr
		}
	}
	return found, nil
}

// tryWatching sees whether this system shows a child's calls and memory: some hide them from all but a debugger.
func tryWatching() error {
	child := exec.Command("cat")
	input, err := child.StdinPipe()
	if err != nil {
		return err
	}
	if err := child.Start(); err != nil {
		return err
	}
	defer func() {
		_ = input.Close()
		_ = child.Wait()
	}()
	process := child.Process.Pid
	for deadline := time.Now().Add(waitForRead); time.Now().Before(deadline); time.Sleep(time.Millisecond) {
		stack := waitingRead(fmt.Sprintf("/proc/%d/task/%d/syscall", process, process))
		if stack == 0 {
			continue
		}
		memory, err := os.Open(fmt.Sprintf("/proc/%d/mem", process))
		if err != nil {
			return err
		}
		defer memory.Close()
		if len(readStack(memory, stack)) > 0 {
			return nil
		}
	}
	return errors.New("this system does not show what a child does")
}

const (
	mostOfStack = 1 << 16
	waitForRead = 2 * time.Second
)

// isWaitingInRun: a thread of the process waits for our answer, in a goroutine that main.main called M.Run in.
func (c *callers) isWaitingInRun(process int) bool {
	offset, err := c.offset(process)
	if err != nil {
		return false
	}
	memory, err := os.Open(fmt.Sprintf("/proc/%d/mem", process))
	if err != nil {
		return false
	}
	defer memory.Close()
	for deadline := time.Now().Add(waitForRead); time.Now().Before(deadline); time.Sleep(time.Millisecond) {
		threads, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/syscall", process))
		for _, thread := range threads {
			stack := waitingRead(thread)
			if stack != 0 && c.holds(readStack(memory, stack), offset) {
				return true
			}
		}
	}
	return false
}

// waitingRead is the stack pointer of a thread that waits in a read, or 0.
func waitingRead(path string) uint64 {
	text, err := os.ReadFile(path)
	if err != nil {
		return 0
	}
	fields := strings.Fields(string(text))
	if len(fields) != 9 || fields[0] != strconv.Itoa(syscall.SYS_READ) {
		return 0
	}
	stack, _ := strconv.ParseUint(strings.TrimPrefix(fields[7], "0x"), 16, 64)
	return stack
}

func readStack(memory *os.File, from uint64) []byte {
	part := make([]byte, mostOfStack)
	count, _ := memory.ReadAt(part, int64(from))
	return part[:count]
}

// holds looks for the functions in their order, up to the bottom of the goroutine.
func (c *callers) holds(stack []byte, offset uint64) bool {
	next := 0
	for at := 0; at+8 <= len(stack); at += 8 {
		word := binary.LittleEndian.Uint64(stack[at:]) - offset
		if word > c.bottom[0] && word < c.bottom[1] {
			return false
		}
		// What returns into a function is not its entry.
		if function := c.functions[next]; word > function[0] && word < function[1] {
			if next++; next == len(c.functions) {
				return true
			}
		}
	}
	return false
}

// offset is how far from its own addresses the binary was loaded.
func (c *callers) offset(process int) (uint64, error) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/maps", process))
	if err != nil {
		return 0, err
	}
	if !same(fmt.Sprintf("/proc/%d/exe", process), c.binary) {
		return 0, errors.New("the process became another program")
	}
	path, err := os.Readlink(fmt.Sprintf("/proc/%d/exe", process))
	if err != nil {
		return 0, err
	}
	for _, line := range strings.Split(string(text), "\n") {
		fields := strings.Fields(line)
		if len(fields) >= 6 && fields[2] == "00000000" && strings.HasSuffix(line, path) {
			start, err := strconv.ParseUint(strings.SplitN(fields[0], "-", 2)[0], 16, 64)
			return start - c.base, err
		}
	}
	return 0, errors.New("the binary is not among the maps")
}
