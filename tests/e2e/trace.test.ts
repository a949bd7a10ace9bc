/** `millwright trace` as a user runs it, on programs in Python: what is recorded, what is told, and that nothing of theirs is touched. */
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  createPlayground,
  fingerprint,
  type Playground,
  type ProgramEnd,
  type RunningProgram,
} from "./millwright.ts";

const app = `import os, subprocess, sys, threading

def fact(n):
    return 1 if n <= 1 else n * fact(n - 1)

def shout(text):
    return len(text)

def parse(text):
    if not text.isdigit():
        raise ValueError("no digit: " + text)
    return int(text)

def often(n):
    return n

class Usage:
    def show(self, words):
        return list(words)

def leaf(n):
    return n

if __name__ == "__main__":
    Usage().show(sys.argv[1:])
    fact(4)
    shout("a" + "é" * 5000)
    for n in range(1000):
        often(n)
    thread = threading.Thread(target=leaf, args=(10,), name="worker-1")
    thread.start()
    thread.join()
    ended = subprocess.run([sys.executable, "worker.py"]).returncode
    print("worker", ended, flush=True)
    parse("12")
    parse("zz")
`;
const worker = `import os

def doomed():
    print("gone", flush=True)
    os.abort()

def helper(x):
    return x + 1

helper(1)
doomed()
`;
const slow = `import subprocess, sys, time

def begin(n):
    return n

def wait():
    open(sys.argv[1], "w").close()
    subprocess.run(["sleep", "600"])

begin(1)
wait()
`;

let playground: Playground;
let repository: string;
let before: string;
beforeAll(() => {
  playground = createPlayground();
  repository = join(playground.folder, "project");
  mkdirSync(repository);
  for (const [name, text] of Object.entries({ "app.py": app, "worker.py": worker, "slow.py": slow }))
    writeFileSync(join(repository, name), text);
  writeFileSync(join(repository, ".gitignore"), "out/\n");
  const git = (...words: string[]): Buffer => execFileSync("git", words, { cwd: repository });
  git("init", "-q");
  git("add", "-A");
  git("-c", "user.name=Test", "-c", "user.email=test@example.invalid", "commit", "-qm", "As it was");
  before = fingerprint(repository);
});
afterAll(() => playground.remove());

function start(...words: string[]): RunningProgram {
  const env = { XDG_CACHE_HOME: join(playground.folder, "cache") };
  return playground.start(["trace", ...words], { env, cwd: repository });
}
const trace = (...words: string[]): Promise<ProgramEnd> => start(...words).ended;

interface Call {
  readonly handle: string;
  readonly function: { readonly name: string; readonly line: number };
  readonly args: readonly (readonly [string, { j?: unknown; cut?: number }])[];
  readonly how: string;
  readonly value?: { j?: unknown };
  readonly children: readonly Call[];
  readonly spawned?: string;
}

describe("a run with everything", () => {
  const words = ['a "quoted" $HOME', "| cat", "it's"];
  let end: ProgramEnd;
  let document: {
    readonly processes: readonly {
      readonly roots: Call[];
      readonly label: string;
      readonly cuts: readonly { readonly count: number }[];
    }[];
    readonly command: { readonly stdout: string; readonly stderr: string };
  };
  const named = (
    name: string,
    calls: readonly Call[] = document.processes.flatMap(({ roots }) => roots),
  ): Call[] =>
    calls.flatMap((call) => [...(call.function.name === name ? [call] : []), ...named(name, call.children)]);
  const output = (): string => join(playground.folder, "trace.jsonl");

  beforeAll(async () => {
    writeFileSync(output(), "an older trace\n");
    const flags = ["--instrument", "*.py:*", "--max-records", "300", "--output", output(), "--json"];
    end = await trace(...flags, "--", "python3", "app.py", ...words);
    document = JSON.parse(end.stdout);
  });

  test("what failed is told in the document, and recording it is a success", () => {
    expect(end.exitCode).toBe(0);
    expect(document).toMatchObject({
      schema: "millwright.trace/1",
      outcome: "recorded",
      exitCode: 0,
      file: output(),
      command: { end: "exited", exitCode: 1 },
    });
    expect(document.command.stderr).toContain("no digit: zz");
  });

  test("the user's folder is as it was", () => {
    expect(fingerprint(repository)).toBe(before);
    const git = ["--no-optional-locks", "status", "--porcelain"];
    expect(execFileSync("git", git, { cwd: repository }).toString()).toBe("");
  });

  test("the command's words reach it as they are", () => {
    expect(named("Usage.show")[0]?.args.at(-1)).toEqual(["words", { j: words }]);
  });

  test("recursion is one chain, with each value, at the user's own lines", () => {
    const chain = named("fact");
    expect(chain).toHaveLength(4);
    expect(chain.map(({ value }) => value?.j)).toEqual([24, 6, 2, 1]);
    expect(chain.map(({ children }) => children.length)).toEqual([1, 1, 1, 0]);
    expect(chain[0]?.function.line).toBe(3);
  });

  test("a long value is cut between characters", () => {
    const [, value] = named("shout")[0]?.args[0] ?? [];
    expect(value?.cut).toBeGreaterThan(5000);
    expect(JSON.stringify(value?.j)).not.toContain("\\ufffd");
  });

  test("what is above the limit is counted", () => {
    const cut = document.processes.flatMap(({ cuts }) => cuts).reduce((sum, { count }) => sum + count, 0);
    expect(cut + named("often").length).toBeGreaterThanOrEqual(1000);
  });

  test("a process that aborts leaves its calls, the one in flight too", () => {
    expect(document.processes.map(({ label }) => label)).toEqual(["app.py", "worker.py"]);
    expect(named("helper")).toMatchObject([{ how: "return", value: { j: 2 } }]);
    expect(named("doomed")).toMatchObject([{ how: "none" }]);
    expect(document.command.stdout).toContain("worker -6");
  });

  test("a kept trace is shown again, whole, by handle, by name, and as a page", async () => {
    const [whole, one, byName, page, odd] = await Promise.all([
      trace("show", output()),
      trace("show", output(), named("fact")[2]?.handle ?? ""),
      trace("show", output(), "helper"),
      trace("show", output(), "--format", "html"),
      trace("show", output(), "no_such"),
    ]);
    expect(whole.stdout, whole.stderr).toMatch(/Path to the failure:\n\s+doomed\(\) did not return/);
    expect(one.stdout, one.stderr).toMatch(/fact\(n = 4\).*\n.*fact\(n = 3\).*\nfact {2}\[app.py:3/);
    expect(byName.stdout).toMatch(/1 call of helper\n {2}helper\(x = 1\) → 2/);
    expect(page.stdout).toMatch(/^<!doctype html>/);
    expect(odd.exitCode).toBe(2);
  });
});

test("a name that is not there gets the nearest ones and the right total, and nothing is run", async () => {
  const end = await trace(
    "--instrument",
    "app.py:prase,Usage.sow",
    "--",
    "python3",
    "-c",
    "open('ran', 'w')",
  );
  expect(end.exitCode).toBe(2);
  expect(end.stderr).toMatch(/app\.py: no function prase among 6; nearest: parse/);
  expect(end.stderr).toMatch(/no function Usage\.sow among 6; nearest: Usage\.show/);
  const wrongFile = await trace("--instrument", "ap.py:*", "--", "true");
  expect(wrongFile).toMatchObject({ exitCode: 2, stderr: expect.stringContaining("Nearest: app.py") });
});

test("at its time limit the command ends with all that it started, and what it did is told", async () => {
  const end = await trace("--instrument", "slow.py:*", "--timeout", "4s", "--", "python3", "slow.py", "one");
  expect(end.exitCode).toBe(12);
  expect(end.stdout).toContain("Millwright stopped the command at the limit of 4 s; until then 2 calls");
  expect(end.stdout).toContain("begin(n = 1) → 1");
  expect(end.stdout).toContain("wait() did not return");
});

test("a command that calls nothing of it is told apart, and shows no older trace", async () => {
  const output = join(playground.folder, "old.jsonl");
  writeFileSync(output, "an older trace\n");
  const end = await trace("--instrument", "app.py:*", "--output", output, "--", "true");
  expect(end.exitCode).toBe(11);
  expect(end.stdout).toContain("none of the chosen functions was called");
  expect(end.stdout).toContain("no Python process loaded the tracer");
  expect(existsSync(output)).toBe(false);
});

test("an output that has no place is refused before anything runs, in words and no document", async () => {
  const output = join(playground.folder, "absent", "t.jsonl");
  const end = await trace(
    "--instrument",
    "app.py:*",
    "--output",
    output,
    "--",
    "python3",
    "app.py",
    "--json",
  );
  expect(end).toMatchObject({ exitCode: 2, stdout: "" });
  expect(end.stderr).toContain(`Millwright cannot write the trace to ${output}: ENOENT`);
});

test("after kill -9 in the midst of a run the folder is as it was, and the next trace works", async () => {
  const running = start("--instrument", "slow.py:*", "--", "python3", "slow.py", "two");
  const shadows = join(playground.folder, "cache", "millwright", "shadows");
  while (execFileSync("find", [shadows, "-name", "two"]).length === 0)
    await new Promise((resolve) => setTimeout(resolve, 100));
  running.kill("SIGKILL");
  await running.ended;
  expect(fingerprint(repository)).toBe(before);
  const words = ["sh", "-c", "PYTHONPATH=. python3 worker.py"];
  const end = await trace("--instrument", "worker.py:helper", "--", ...words);
  expect(end.exitCode).toBe(0);
  expect(end.stdout).toContain("the command sets PYTHONPATH");
  expect(end.stdout).toContain("helper(x = 1) → 2");
  expect(end.stdout).toContain("aborted (SIGABRT)");
  expect(fingerprint(repository)).toBe(before);
});

test("two runs are compared, up to the first call that differs", async () => {
  const files = ["12", "13"].map((word) => ({ word, file: join(playground.folder, `${word}.jsonl`) }));
  const text = `import app\ndef run(word):\n    return app.fact(app.parse(word) - 10)\nrun(`;
  for (const { word, file } of files) {
    const copy = join(playground.folder, `copy-${word}`);
    mkdirSync(copy);
    writeFileSync(join(copy, "app.py"), app);
    writeFileSync(join(copy, "go.py"), `${text}"${word}")\n`);
    const end = await trace(
      "--target",
      copy,
      "--instrument",
      "*.py:*",
      "--output",
      file,
      "--",
      "python3",
      "go.py",
    );
    expect(end.exitCode).toBe(0);
  }
  const [first = "", second = ""] = files.map(({ file }) => file);
  const differs = await trace("diff", first, second);
  expect(differs.exitCode).toBe(10);
  expect(differs.stdout).toMatch(/first diverge here:\n\s+run called with different word/);
  const same = await trace("diff", first, first);
  expect(same).toMatchObject({ exitCode: 0, stdout: expect.stringContaining("same calls") });
  expect(readFileSync(first, "utf8").split("\n")[0]).toContain("millwright.trace-file/1");
});
