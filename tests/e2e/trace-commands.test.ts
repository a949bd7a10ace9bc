/** The command of a trace, in every language alike: its words reach it as they are, and when it is ended, all that it started ends. */
import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { createPlayground, type Playground } from "./millwright.ts";

interface Case {
  readonly language: string;
  readonly needs: string;
  readonly files: Readonly<Record<string, string>>;
  readonly path: string;
  /** For a shell, with the words behind it. */
  readonly program: string;
}

/** Of nothing else on the machine: what the program starts, and leaves to itself. */
const mark = `600.${process.pid}`;
const grandchild = `sh -c 'sleep ${mark} & echo > ready; wait'`;

const cases: readonly Case[] = [
  {
    language: "Python",
    needs: "python3",
    files: {
      "slow.py": `import os, sys

def begin(words):
    return len(words)

def wait_long():
    os.system(${JSON.stringify(grandchild)})

begin(sys.argv[1:])
wait_long()
`,
    },
    path: "slow.py",
    program: "python3 slow.py",
  },
  {
    language: "JavaScript",
    needs: "node",
    files: {
      "slow.mjs": `import { execSync } from "node:child_process";
function begin(words) { return words.length }
function wait_long() { execSync(${JSON.stringify(grandchild)}) }
begin(process.argv.slice(2));
wait_long();
`,
    },
    path: "slow.mjs",
    program: "node slow.mjs",
  },
  {
    language: "Go",
    needs: "go",
    files: {
      "go.mod": "module example.org/slow\n\ngo 1.16\n",
      "slow.go": `package main

import (
	"os"
	"os/exec"
)

func begin(words []string) int { return len(words) }
func wait_long()               { exec.Command("sh", "-c", ${JSON.stringify(grandchild)}).Run() }

func main() {
	begin(os.Args[1:])
	wait_long()
}
`,
    },
    path: "slow.go",
    program: "go run .",
  },
];

const isThere = (program: string): boolean => spawnSync("which", [program]).status === 0;

function isRunning(text: string): boolean {
  return readdirSync("/proc").some((pid) => {
    try {
      return /^\d+$/.test(pid) && readFileSync(`/proc/${pid}/cmdline`, "utf8").includes(text);
    } catch {
      return false; // it has ended
    }
  });
}

for (const each of cases)
  describe.skipIf(!isThere(each.needs))(`a command in ${each.language} (needs ${each.needs})`, () => {
    let playground: Playground;
    beforeAll(() => {
      playground = createPlayground();
      mkdirSync(join(playground.folder, "project"));
      for (const [path, text] of Object.entries(each.files))
        writeFileSync(join(playground.folder, "project", path), text);
    });
    afterAll(() => playground.remove());

    test("has quotes, pipes and variables as they were given, and is ended with what it started; what it did is told", async () => {
      const text = `X='a "b"'; ${each.program} "$X" '$HOME' "it's" 'a|b' | cat; exit $?`;
      const words = ["--instrument", `${each.path}:begin,wait_long`, "--", "sh", "-c", text];
      const running = playground.start(["trace", ...words], {
        env: { XDG_CACHE_HOME: join(playground.folder, "cache") },
        cwd: join(playground.folder, "project"),
      });
      const shadows = join(playground.folder, "cache");
      mkdirSync(shadows, { recursive: true });
      let isOver = false;
      void running.ended.then(() => {
        isOver = true;
      });
      // Folders come and go while it looks: its exit code says nothing.
      while (!isOver && spawnSync("find", [shadows, "-name", "ready"]).stdout.length === 0)
        await new Promise((resolve) => setTimeout(resolve, 100));
      expect(isOver || isRunning(mark)).toBe(true);
      running.kill("SIGINT");
      const end = await running.ended;
      expect(end.exitCode, end.stderr + end.stdout).toBe(130);
      expect(end.stdout).toContain("the trace was interrupted; until then 2 calls");
      expect(end.stdout).toMatch(/begin\(words = \["a \\"b\\"","\$HOME","it's","a\|b"\]\) → 4/);
      expect(end.stdout).toContain("wait_long() did not return");
      await vi.waitFor(() => expect(isRunning(mark)).toBe(false), 10_000);
    }, 120_000);
  });
