package main

import (
	"bytes"
	"compress/zlib"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"time"
)

// request is what the host asks for; it comes in parts, for thousands of tests do not fit into one variable.
type request struct {
	Root    string `json:"root"`
	Report  string `json:"report"`
	Channel string `json:"channel"`
	// The run's secret, once it is taken.
	Key                string    `json:"key"`
	Coverage           bool      `json:"coverage"`
	TestTimeoutMs      int       `json:"testTimeoutMs"`
	StopAtFirstFailure bool      `json:"stopAtFirstFailure"`
	Several            bool      `json:"several"`
	Calls              []call    `json:"calls"`
	Selection          selection `json:"selection"`
	Candidates         []int     `json:"candidates"`
	Parallel           int       `json:"parallel"`
}

// call is one "go test" of the command.
type call struct {
	// Relative to the root.
	Directory string            `json:"directory"`
	Env       map[string]string `json:"env"`
	Flags     []string          `json:"flags"`
	Packages  []string          `json:"packages"`
	// Behind the packages, for the test binary.
	Arguments []string `json:"arguments"`
}

type selection struct {
	Kind  string   `json:"kind"`
	Files []string `json:"files"`
	// Target and name of each.
	Tests [][2]string `json:"tests"`
}

func (r *request) limit() time.Duration {
	return time.Duration(r.TestTimeoutMs) * time.Millisecond
}

func readRequest() (*request, error) {
	var parts strings.Builder
	for number := 0; ; number++ {
		name := "MILLWRIGHT_REQUEST_" + strconv.Itoa(number)
		part, present := os.LookupEnv(name)
		if !present {
			break
		}
		parts.WriteString(part)
		os.Unsetenv(name)
	}
	compressed, err := base64.StdEncoding.DecodeString(parts.String())
	if err != nil {
		return nil, fmt.Errorf("the request cannot be read: %w", err)
	}
	reader, err := zlib.NewReader(bytes.NewReader(compressed))
	if err != nil {
		return nil, fmt.Errorf("the request cannot be read: %w", err)
	}
	text, err := io.ReadAll(reader)
	if err != nil {
		return nil, fmt.Errorf("the request cannot be read: %w", err)
	}
	read := &request{}
	if err := json.Unmarshal(text, read); err != nil {
		return nil, fmt.Errorf("the request cannot be read: %w", err)
	}
	return read, nil
}
