package millwright

import (
	"runtime"
	"sync"
	"sync/atomic"
	"unsafe"
)

// goroutine is what is known of one. Only itself changes it; others look at its innermost call.
type goroutine struct {
	id        uint64
	number    uint64
	innermost unsafe.Pointer
	// The recording runs, or code of the program for it.
	busy  bool
	known bool
	from  *spawner
	// How many goroutines there are while this one runs alone.
	waiting int
}

type spawner struct {
	call uint64
	test string
}

// Goroutines that are kept though no recorded call of theirs runs.
const mostIdle = 4096

const shards = 64

var (
	table [shards]struct {
		sync.Mutex
		known map[uint64]*goroutine
	}
	goroutineCount uint64
	idle           struct {
		sync.Mutex
		ids  [mostIdle]uint64
		next int
	}
)

func current() *goroutine {
	id := goroutineID()
	shard := &table[id%shards]
	shard.Lock()
	own := shard.known[id]
	if own == nil {
		if shard.known == nil {
			shard.known = make(map[uint64]*goroutine)
		}
		own = &goroutine{id: id}
		shard.known[id] = own
	}
	shard.Unlock()
	return own
}

func find(id uint64) *goroutine {
	shard := &table[id%shards]
	shard.Lock()
	defer shard.Unlock()
	return shard.known[id]
}

func (own *goroutine) free() { own.busy = false }

// isAlone: no other goroutine can be writing what this one reads now.
func (own *goroutine) isAlone() bool { return runtime.NumGoroutine() <= own.waiting }

func (own *goroutine) top() *Call {
	return (*Call)(atomic.LoadPointer(&own.innermost))
}

func (own *goroutine) push(call *Call) {
	atomic.StorePointer(&own.innermost, unsafe.Pointer(call))
}

// pop takes the call away, and what stands above it, which ended unseen.
func (own *goroutine) pop(call *Call) {
	atomic.StorePointer(&own.innermost, unsafe.Pointer(call.parent))
}

// retire forgets the goroutine that was idle for the longest time, after the last call of this one.
func (own *goroutine) retire() {
	if own.top() != nil {
		return
	}
	idle.Lock()
	old := idle.ids[idle.next]
	idle.ids[idle.next] = own.id
	idle.next = (idle.next + 1) % mostIdle
	idle.Unlock()
	if old == 0 || old == own.id {
		return
	}
	shard := &table[old%shards]
	shard.Lock()
	if known := shard.known[old]; known != nil && known.top() == nil {
		delete(shard.known, old)
	}
	shard.Unlock()
}

// introduce gives a goroutine its number and its spawner, before its first call.
func (own *goroutine) introduce() {
	own.known = true
	own.number = atomic.AddUint64(&goroutineCount, 1)
	own.from, own.waiting = findSpawner()
	writeThread(own)
}
