/** What is promised of a trace in every language alike: a function that is called a million times is counted, callees are followed so far. */
import { spawnSync } from "node:child_process";
import { describe, expect, test } from "vitest";
import go from "../../src/instrument/tracers/go.ts";
import javascript from "../../src/instrument/tracers/javascript.ts";
import python from "../../src/instrument/tracers/python.ts";
import type { TraceCall } from "../../src/trace/trace-model.ts";
import { callText, runTraced, type TracedProgram } from "./trace-run.ts";

interface Case extends Pick<TracedProgram, "tracer" | "fixture" | "command"> {
  readonly language: string;
  readonly needs: string;
  readonly path: string;
  readonly text: string;
}

const cases: readonly Case[] = [
  {
    language: "Python",
    needs: "python3",
    tracer: python,
    fixture: "python",
    path: "limits.py",
    text: `def hot(n):
    return n + 1

def four(n): return n
def three(n): return four(n)
def two(n): return three(n)
def one(n): return two(n)

def fact(n):
    return 1 if n <= 1 else n * fact(n - 1)

total = 0
for n in range(1000000): total = hot(total)
print(total, one(7), fact(4))
`,
    command: ["python3", "limits.py"],
  },
  {
    language: "JavaScript",
    needs: "node",
    tracer: javascript,
    fixture: "javascript",
    path: "limits.cjs",
    text: `function hot(n) { return n + 1; }
function four(n) { return n; }
function three(n) { return four(n); }
const two = (n) => three(n);
function one(n) { return two(n); }
function fact(n) { return n <= 1 ? 1 : n * fact(n - 1); }
let total = 0;
for (let n = 0; n < 1000000; n++) total = hot(total);
console.log(total, one(7), fact(4));
`,
    command: ["node", "limits.cjs"],
  },
  {
    language: "Go",
    needs: "go",
    tracer: go,
    fixture: "go",
    path: "limits/main.go",
    text: `package main

import "fmt"

func hot(n int) int   { return n + 1 }
func four(n int) int  { return n }
func three(n int) int { return four(n) }
func two(n int) int   { return three(n) }
func one(n int) int   { return two(n) }
func fact(n int) int {
	if n <= 1 {
		return 1
	}
	return n * fact(n-1)
}

func main() {
	total := 0
	for n := 0; n < 1000000; n++ {
		total = hot(total)
	}
	fmt.Println(total, one(7), fact(4))
}
`,
    command: ["go", "run", "./limits"],
  },
];

const isThere = (program: string): boolean => spawnSync("which", [program]).status === 0;

for (const each of cases)
  describe.skipIf(!isThere(each.needs))(`in ${each.language} (needs ${each.needs})`, () => {
    test("a million calls are counted and few recorded, recursion is one chain, callees are followed two calls away", async () => {
      const run = await runTraced({
        ...each,
        files: { [each.path]: each.text },
        specs: [{ path: each.path, names: ["hot", "one", "fact"] }],
        depth: 2,
      });
      const named = (name: string): TraceCall[] => run.calls.filter((call) => call.function.name === name);
      expect(run.result.exitCode, run.result.stderr.head.toString()).toBe(0);
      expect(run.result.stdout.head.toString()).toBe("1000000 7 24\n");
      const cut = run.processes.flatMap(({ cuts }) => cuts).filter((one) => one.function.name === "hot");
      expect(named("hot").length + cut.reduce((sum, { count }) => sum + count, 0)).toBe(1_000_000);
      expect(named("hot").length).toBeLessThan(20_000);
      const chain = (call: TraceCall | undefined): string[] =>
        call === undefined ? [] : [callText(call), ...chain(call.children[0])];
      expect(chain(named("one")[0])).toEqual(["one(n=7) -> 7", "two(n=7) -> 7", "three(n=7) -> 7"]);
      expect(named("four")).toEqual([]);
      expect(chain(named("fact")[0])).toEqual(
        [4, 3, 2, 1].map((n, at) => `fact(n=${n}) -> ${[24, 6, 2, 1][at]}`),
      );
    }, 120_000);
  });
