package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"runtime"
	"strings"
)

const reportsCoverage = `
func millwrightCoverage() {
	defer func() { _ = recover() }()
	if CoverMode() != "" && *coverProfile != "" {
		coverReport()
	}
}
`

// overlayTesting gives the build a testing package that writes the profile before a test's panic ends the process, as it
// does itself where a test takes too long. "" where this version is written otherwise; such tests then have no profile.
func overlayTesting(scratch string) string {
	original := filepath.Join(runtime.GOROOT(), "src", "testing", "testing.go")
	text, err := os.ReadFile(original)
	if err != nil {
		return ""
	}
	const dying = "\t\t\tdidPanic = true\n\t\t\tpanic(err)\n"
	if strings.Count(string(text), dying) != 1 {
		return ""
	}
	changed := strings.Replace(string(text), dying, "\t\t\tmillwrightCoverage()\n"+dying, 1) + reportsCoverage
	replacement := filepath.Join(filepath.Dir(scratch), "millwright-testing.go")
	overlay := filepath.Join(scratch, "overlay.json")
	content, err := json.Marshal(map[string]map[string]string{"Replace": {original: replacement}})
	if err != nil || os.WriteFile(replacement, []byte(changed), 0o644) != nil || os.WriteFile(overlay, content, 0o644) != nil {
		return ""
	}
	return overlay
}
