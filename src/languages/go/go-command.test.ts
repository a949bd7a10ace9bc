import { describe, expect, test } from "vitest";
import type { ProjectView } from "../contract.ts";
import goTest from "./go-test.ts";

function project(texts: Record<string, string>): ProjectView {
  return { files: Object.keys(texts).sort(), read: (path) => texts[path], exists: (path) => path in texts };
}

const module = { "go.mod": "module example.org/a\n", "a.go": "", "a_test.go": "", "sub/b_test.go": "" };

function best(texts: Record<string, string>): { directory: string; command: string; foundBy: string } {
  const [first] = goTest.detect(project(texts));
  if (first === undefined) throw new Error("no command");
  return { directory: first.directory, command: first.command, foundBy: first.foundBy };
}

describe("a command of go test", () => {
  test.each([
    ["go test ./...", "go test ./..."],
    ["go test -v -race -count=1 -coverprofile=c.out -timeout 5m ./...", "go test ./..."],
    ["go test -tags 'a b' -run=TestX ./sub", "go test '-tags=a b' -run=TestX ./sub"],
    ["APP_ENV=test go test -short ./...", "APP_ENV=test go test -short ./..."],
    ["gotestsum --format testname -- -tags=unit ./...", "go test -tags=unit ./..."],
    ["go test $(go list ./... | grep -v vendor)", "go test ./..."],
    ["go test ./... -update -args x", "go test ./... -update -args x"],
    ["go test", "go test ."],
    ["go test ./... && go test -C sub ./...", "go test ./... && go test -C sub ./..."],
  ])("`%s` is read as `%s`", (text, expected) => {
    const recognised = goTest.recognise(text, project(module));
    expect(recognised?.command).toBe(expected);
    expect(goTest.recognise(expected, project(module))?.command).toBe(expected);
  });

  test("enters a folder", () => {
    const recognised = goTest.recognise("cd sub && go test -v .", project(module));
    expect(recognised).toMatchObject({ directory: "sub", command: "go test ." });
  });

  test.each(["go vet ./...", "go build", "pytest", "echo go test"])("`%s` is none", (text) => {
    expect(goTest.recognise(text, project(module))).toBeUndefined();
  });

  test("of a Makefile is found in it", () => {
    const texts = { ...module, Makefile: "test:\n\tgo test -race -tags=netgo ./...\n" };
    expect(goTest.recognise("make test", project(texts))?.command).toBe("go test -tags=netgo ./...");
    expect(best(texts)).toMatchObject({ command: "go test -tags=netgo ./...", directory: "" });
  });

  test("is that of the module", () => {
    expect(best(module)).toEqual({ directory: "", command: "go test ./...", foundBy: "go.mod" });
  });

  test("takes the build tags of a workflow, and not a part of the tests", () => {
    const workflow = [
      "jobs:",
      "  test:",
      "    steps:",
      "      - run: go test -run TestFast ./sub",
      "      - run: CGO_ENABLED=0 APP_ENV=test go test -v -tags sqlite ./...",
    ].join("\n");
    const { command, foundBy } = best({ ...module, ".github/workflows/ci.yml": workflow });
    expect(command).toBe("CGO_ENABLED=0 go test -tags=sqlite ./...");
    expect(foundBy).toContain("ci.yml");
  });

  test("covers the modules of a workspace", () => {
    const texts = {
      "go.work": "go 1.22\n\nuse (\n\t./a // the first\n\t./b\n)\n",
      "a/go.mod": "",
      "a/a_test.go": "",
      "b/go.mod": "",
      "b/b_test.go": "",
    };
    expect(best(texts)).toMatchObject({ command: "go test ./a/... ./b/...", directory: "" });
  });

  test("covers modules without a workspace, one after the other", () => {
    const texts = {
      "a/go.mod": "",
      "a/a_test.go": "",
      "b/c/go.mod": "",
      "b/c/c_test.go": "",
      "tools/go.mod": "",
    };
    expect(best(texts)).toMatchObject({
      command: "go test -C a ./... && go test -C b/c ./...",
      directory: "",
    });
  });

  test("is none without tests", () => {
    expect(goTest.detect(project({ "go.mod": "", "a.go": "", "testdata/x_test.go": "" }))).toEqual([]);
  });
});
