package main

import (
	"crypto/rand"
	"encoding/hex"
	"net"
	"sync"
)

// endWatch learns of each test process whether testing.M.Run came to its end in it. Code under test can print all that the framework
// prints and end the process; what it cannot easily do is to ask from within M.Run, called by the program's main function.
type endWatch struct {
	name     string
	listener net.Listener
	callers  *callers
	mutex    sync.Mutex
	process  int
	ended    bool
	// Somebody else than M.Run told the end.
	forged bool
}

// watchEnds returns an error where it cannot be done.
func watchEnds(binary string) (*endWatch, error) {
	found, err := findCallers(binary)
	if err != nil {
		return nil, err
	}
	random := make([]byte, 16)
	if _, err := rand.Read(random); err != nil {
		return nil, err
	}
	w := &endWatch{name: "@millwright-end-" + hex.EncodeToString(random), callers: found}
	w.listener, err = net.Listen("unix", w.name)
	if err != nil {
		return nil, err
	}
	go func() {
		for {
			connection, err := w.listener.Accept()
			if err != nil {
				return
			}
			w.hear(connection)
			_ = connection.Close()
		}
	}()
	return w, nil
}

// starting forgets the last process; started names the new one.
func (w *endWatch) starting() { w.mutex.Lock(); w.ended, w.forged, w.process = false, false, 0 }

func (w *endWatch) started(process int) { w.process = process; w.mutex.Unlock() }

func (w *endWatch) hear(connection net.Conn) {
	one := make([]byte, 1)
	if _, err := connection.Read(one); err != nil {
		return
	}
	peer := peerProcess(connection)
	w.mutex.Lock()
	defer w.mutex.Unlock()
	// One that a test starts has a run of its own.
	if peer == 0 || peer != w.process {
		return
	}
	if w.callers.isWaitingInRun(peer) {
		w.ended = true
	} else {
		w.forged = true
	}
}

// why says what is wrong with the end of a process that claims to be whole; "".
func (w *endWatch) why() string {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	if w.forged {
		return "code under test spoke in the place of the testing package"
	}
	if !w.ended {
		return "the process ended before the testing package did, with words that look like its own"
	}
	return ""
}
