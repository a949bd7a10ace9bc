package main

import (
	"fmt"
	"os"
	"path/filepath"
	"syscall"
)

const (
	longestFrame  = 4096
	longestHeader = 128
	keyLength     = 32
)

// takeKey returns the run's secret, which its first reader gets; "-" when somebody has it already.
func takeKey(channel string) string {
	descriptor, err := syscall.Open(filepath.Join(channel, "key"), syscall.O_RDONLY|syscall.O_NONBLOCK|syscall.O_CLOEXEC, 0)
	if err != nil {
		return "-"
	}
	defer syscall.Close(descriptor)
	key := make([]byte, keyLength)
	if count, err := syscall.Read(descriptor, key); err != nil || count != keyLength {
		return "-"
	}
	return string(key)
}

// channel sends a report's lines, in the frames of src/languages/report-frames.ts.
type channel struct {
	pipe   *os.File
	key    string
	stream string
	number int
}

func openChannel(r *request, name string) (*channel, error) {
	pipe, err := os.OpenFile(filepath.Join(r.Channel, "lines"), os.O_WRONLY, 0)
	if err != nil {
		return nil, err
	}
	openStreams++
	stream := fmt.Sprintf("%s-%d-%d", name, os.Getpid(), openStreams)
	return &channel{pipe: pipe, key: r.Key, stream: stream}, nil
}

// openStreams of this process; each has a name of its own.
var openStreams = 0

func (c *channel) WriteString(text string) (int, error) {
	for rest := text; rest != ""; {
		part := rest
		if len(part) > longestFrame-longestHeader {
			part = part[:longestFrame-longestHeader]
		}
		rest = rest[len(part):]
		if _, err := c.pipe.WriteString(fmt.Sprintf("%s %s %d %d\n%s", c.key, c.stream, c.number, len(part), part)); err != nil {
			return 0, err
		}
		c.number++
	}
	return len(text), nil
}

func (c *channel) Close() error {
	return c.pipe.Close()
}
