//go:build !race
// +build !race

package millwright

// detectsRaces: built with -race, which would complain of what could only be one in theory.
const detectsRaces = false
