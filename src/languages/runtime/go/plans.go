package main

import (
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"os"
	"sync/atomic"
)

// plan is what the first half tells the second, for one call. It has the run's key, so it is told to nobody else: over a socket,
// to a process that the go command started as us.
type plan struct {
	Request  *request      `json:"request"`
	Packages []testPackage `json:"packages"`
	// The folders of all packages that are measured, by import path.
	Folders map[string]string `json:"folders"`
	// Given to the build: "" for none. TellsEnd: with it, test binaries tell when M.Run ends.
	Overlay  string `json:"overlay"`
	TellsEnd bool   `json:"tellsEnd"`
	// Exists once no further test is to be started.
	StopFile string `json:"stopFile"`
}

// planServer answers the second halves of one call.
type planServer struct {
	name     string
	listener net.Listener
	// The process id of the go command that starts them.
	command int32
}

func servePlan(made *plan) (*planServer, error) {
	text, err := json.Marshal(made)
	if err != nil {
		return nil, err
	}
	random := make([]byte, 16)
	if _, err := rand.Read(random); err != nil {
		return nil, err
	}
	// A name that no file system has: tests cannot take it away.
	server := &planServer{name: "@millwright-" + hex.EncodeToString(random)}
	server.listener, err = net.Listen("unix", server.name)
	if err != nil {
		return nil, err
	}
	go func() {
		for {
			connection, err := server.listener.Accept()
			if err != nil {
				return
			}
			if isOurs(connection, int(atomic.LoadInt32(&server.command))) {
				_, _ = connection.Write(text)
			}
			_ = connection.Close()
		}
	}()
	return server, nil
}

func (s *planServer) started(process *os.Process) {
	atomic.StoreInt32(&s.command, int32(process.Pid))
}

func (s *planServer) close() {
	_ = s.listener.Close()
}

func readPlan(name string) (*plan, error) {
	connection, err := net.Dial("unix", name)
	if err != nil {
		return nil, err
	}
	defer connection.Close()
	text, err := io.ReadAll(connection)
	if err != nil {
		return nil, err
	}
	read := &plan{}
	if err := json.Unmarshal(text, read); err != nil {
		return nil, fmt.Errorf("there is no plan for this process: %w", err)
	}
	return read, nil
}
