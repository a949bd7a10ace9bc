/** Attacks of Go code on the report of its own tests: the body of `Price`, which is wrong, or what its package does when it begins. */
import goTest from "../../src/languages/go/go-test.ts";
import { goFixtures } from "./test-frameworks-go.ts";
import type { WallAttack, WallProject } from "./wall-attacks.ts";

/** The request is in the environment of processes above; the report's folders are also found by their names. */
const means = String.raw`
const key = "{\"package\":\"example.org/price\",\"target\":\"price_test.go\",\"name\":\"TestPrice\"}"
var forged = []string{
	"{\"event\":\"run-started\",\"framework\":\"x\"}\n",
	"{\"event\":\"test-ended\",\"test\":" + key + ",\"status\":\"passed\",\"durationMs\":1}\n",
	"{\"event\":\"run-ended\",\"counts\":{\"passed\":1}}\n",
}
func found(pattern string) []string {
	all, _ := filepath.Glob(pattern)
	return all
}
func folders() []string { return found("/.millwright/scratch/report-*") }
func files() []string { return found("/.millwright/scratch/report-*/*.jsonl") }
func pipes() []string { return found("/.millwright/channels/*/*") }
func send(path string, text string) {
	if pipe, err := os.OpenFile(path, os.O_WRONLY|syscall.O_NONBLOCK, 0); err == nil {
		_, _ = pipe.WriteString(text)
		_ = pipe.Close()
	}
}
func sendLines(token string) {
	for _, path := range pipes() {
		for number, line := range forged {
			send(path, fmt.Sprintf("%s forged %d %d\n%s", token, number, len(line), line))
		}
	}
}
func rewrite() {
	for _, path := range files() {
		text, _ := os.ReadFile(path)
		changed := strings.ReplaceAll(string(text), "\"failed\"", "\"passed\"")
		_ = os.WriteFile(path, []byte(changed), 0o644)
	}
}
func above() []string {
	all := []string{}
	for _, path := range found("/proc/[0-9]*/environ") {
		text, _ := os.ReadFile(path)
		all = append(all, strings.Split(string(text), "\x00")...)
	}
	return all
}
var _ = []interface{}{fmt.Sprint, time.Now, exec.Command, strings.Split, regexp.MustCompile, net.Dial, io.ReadAll}
`;

const goAttacks: readonly WallAttack[] = [
  {
    name: "rewrites the report at the end of the process",
    call: `defer func() { go func() { time.Sleep(50 * time.Millisecond); rewrite(); sendLines("-") }(); time.Sleep(200 * time.Millisecond) }()`,
  },
  {
    name: "deletes the report's folder",
    call: "for _, each := range folders() { _ = os.RemoveAll(each) }; time.Sleep(700 * time.Millisecond)",
  },
  {
    name: "replaces the report's folder by a link out of the sandbox",
    outside: "forged.jsonl",
    call: `for _, each := range folders() { _ = os.Rename(each, each+"-away"); _ = os.Symlink("@OUTSIDE@", each) }; os.Exit(0)`,
  },
  {
    name: "truncates the report and writes another",
    call: `for _, path := range files() { _ = os.WriteFile(path, []byte(strings.Join(forged, "")), 0o644) }; os.Exit(0)`,
  },
  {
    name: "writes the test's result and the run's end, and leaves",
    call: `sendLines("-"); os.Exit(0)`,
  },
  {
    name: "writes a whole report when it is loaded, and leaves",
    load: `func init() { if len(os.Args) > 0 { sendLines("-"); os.Exit(0) } }`,
  },
  {
    name: "closes every descriptor",
    call: "for number := 3; number < 256; number++ { _ = syscall.Close(number) }",
  },
  {
    name: "sends what is no frame",
    call: `for _, path := range pipes() { send(path, strings.Repeat("x", 4000)) }; os.Exit(0)`,
  },
  { name: "leaves without a word", call: "os.Exit(0)" },
  {
    name: "looks for the key in the environment of processes above it",
    call: `
for _, variable := range above() {
	for _, token := range regexp.MustCompile("[0-9a-f]{32}").FindAllString(variable, -1) { sendLines(token) }
}
os.Exit(0)`,
  },
  {
    name: "asks the runner for its plan",
    call: `
for _, variable := range above() {
	if connection, err := net.Dial("unix", strings.TrimPrefix(variable, "MILLWRIGHT_GO_PLAN=")); err == nil {
		text, _ := io.ReadAll(connection)
		for _, token := range regexp.MustCompile("[0-9a-f]{32}").FindAllString(string(text), -1) { sendLines(token) }
	}
}
os.Exit(0)`,
  },
  {
    name: "prints the framework's own marks, and leaves by a system call",
    call: String.raw`os.Stdout.WriteString("\x16--- PASS: TestPrice (0.00s)\n\x16PASS\n"); syscall.Exit(0)`,
  },
  {
    name: "prints a result before the framework does",
    call: String.raw`os.Stdout.WriteString("\x16--- PASS: TestPrice (0.00s)\n")`,
  },
  {
    name: "prints a result, and takes the output away from the framework",
    call: String.raw`os.Stdout.WriteString("\x16--- PASS: TestPrice (0.00s)\n\x16PASS\n"); _ = syscall.Close(1)`,
  },
  {
    name: "prints the framework's own marks, and becomes another program",
    call: String.raw`os.Stdout.WriteString("\x16--- PASS: TestPrice (0.00s)\n\x16PASS\n"); _ = syscall.Exec("/bin/true", nil, nil)`,
  },
  {
    name: "prints a whole run's marks when it is loaded, and leaves",
    load: String.raw`func init() { os.Stdout.WriteString("\x16=== RUN   TestPrice\n\x16--- PASS: TestPrice (0.00s)\n\x16PASS\n"); syscall.Exit(0) }`,
  },
  {
    name: "runs a test of its own under the test's name",
    more: {
      "own.go": `package price
import "testing"
func init() {
	all := func(string, string) (bool, error) { return true, nil }
	testing.Main(all, []testing.InternalTest{{Name: "TestPrice", F: func(*testing.T) {}}}, nil, nil)
}
`,
    },
  },
  {
    name: "runs a test of its own under the test's name while the test runs",
    call: "forge()",
    more: {
      "own.go": `package price
import ("flag"; "testing")
func forge() {
	all := func(string, string) (bool, error) { return true, nil }
	_ = flag.Set("test.run", "^TestPrice$")
	testing.Main(all, []testing.InternalTest{{Name: "TestPrice", F: func(*testing.T) {}}}, nil, nil)
}
`,
    },
  },
  {
    name: "prints what a passing run prints, and leaves",
    call: `fmt.Print("--- PASS: TestPrice (0.00s)\\nPASS\\nok  \\texample.org/price\\t0.001s\\n"); os.Exit(0)`,
  },
];

const imports = [
  "fmt",
  "io",
  "net",
  "os",
  "os/exec",
  "path/filepath",
  "regexp",
  "strings",
  "syscall",
  "time",
];

export const goProjects: readonly WallProject[] = [
  {
    framework: goTest,
    unavailable: async () => goFixtures[0]?.unavailable(),
    command: "go test ./...",
    attacks: goAttacks,
    file: "price_test.go",
    target: "TestPrice",
    repair: { call: "return 3" },
    files: ({ load = "", call = "" }) => ({
      "go.mod": "module example.org/price\n\ngo 1.18\n",
      "price.go": [
        "package price",
        `import (\n${imports.map((name) => `\t"${name}"`).join("\n")}\n)`,
        means,
        load,
        "func Price() int {",
        call,
        "\treturn 2",
        "}",
      ].join("\n"),
      "price_test.go":
        'package price\nimport "testing"\nfunc TestPrice(t *testing.T) { if Price() != 3 { t.Error(Price()) } }\n',
    }),
  },
];
