import { posix } from "node:path";
import { defineLanguage } from "../contract.ts";

export default defineLanguage({
  name: "go",
  extensions: [".go"],
  grammar: () => "tree-sitter-go/tree-sitter-go.wasm",
  testFiles: ["**/*_test.go", "**/testdata/**"],
  sharesWithout: (path, other) => posix.dirname(path) === posix.dirname(other),
  constants: { null: "nil" },
  toolchain: [{ name: "go", argv: ["go", "version"], remedy: "Install Go to repair Go repositories." }],
  probes: [{ markers: ["go.mod", ".go"], programs: ["go version"] }],
  lineComment: "//",
  idleStatement: "_ = 0",
  lockFiles: { "go.sum": "go" },
  interpreters: ["go"],
  homeFolders: [".cache/go-build", ".goenv", "go/bin", "go/pkg/mod"],
  buildCache: {
    folder: ".cache/go-build",
    marker: "go.mod",
    // The time of the last trim. Go trims an older cache, and would delete most of it.
    files: () => ({ "trim.txt": String(Math.floor(Date.now() / 1000)) }),
  },
  variables: ["GOBIN", "GOCACHE", "GOFLAGS", "GOMODCACHE", "GOPATH", "GOROOT", "GOTOOLCHAIN"],
});
