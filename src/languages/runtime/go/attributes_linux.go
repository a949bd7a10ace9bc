package main

import (
	"fmt"
	"net"
	"os"
	"strconv"
	"strings"
	"syscall"
)

// childAttributes: a group of its own, and no life after ours.
func childAttributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}

// isOurs: the process at the other end runs our program, and the go command started it. One that tests start has our second half
// above it, or has lost its parents.
func isOurs(connection net.Conn, command int) bool {
	peer := peerProcess(connection)
	if peer == 0 || command == 0 || !runsOurs(peer) {
		return false
	}
	for above := parentProcess(peer); above > 1; above = parentProcess(above) {
		if above == command {
			return true
		}
		if runsOurs(above) {
			return false
		}
	}
	return false
}

// peerProcess is the process at the other end, or 0.
func peerProcess(connection net.Conn) int {
	socket, isUnix := connection.(*net.UnixConn)
	if !isUnix {
		return 0
	}
	raw, err := socket.SyscallConn()
	if err != nil {
		return 0
	}
	peer := 0
	_ = raw.Control(func(descriptor uintptr) {
		found, err := syscall.GetsockoptUcred(int(descriptor), syscall.SOL_SOCKET, syscall.SO_PEERCRED)
		if err == nil {
			peer = int(found.Pid)
		}
	})
	return peer
}

func runsOurs(process int) bool {
	own, err := os.Stat("/proc/self/exe")
	if err != nil {
		return false
	}
	other, err := os.Stat(fmt.Sprintf("/proc/%d/exe", process))
	return err == nil && os.SameFile(own, other)
}

func parentProcess(process int) int {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", process))
	if err != nil {
		return 0
	}
	// The program's name stands in parentheses and may hold anything.
	fields := strings.Fields(string(text[strings.LastIndexByte(string(text), ')')+1:]))
	if len(fields) < 2 {
		return 0
	}
	parent, _ := strconv.Atoi(fields[1])
	return parent
}
