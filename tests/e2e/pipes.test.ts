/** A pipe that nobody writes to, or a device without an end, in the place of a file that a command is given: it is named, not waited for. */
import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { createPlayground } from "./millwright.ts";

test("no command waits for a pipe or reads a device without end", async () => {
  const playground = createPlayground();
  onTestFinished(() => playground.remove());
  const { folder } = playground;
  const pipe = join(folder, "pipe");
  const run = join(folder, "runs", "20260101-aaaa");
  mkdirSync(run, { recursive: true });
  mkdirSync(join(folder, "batch"));
  const names = ["run.json", "events.jsonl"].map((name) => join(run, name));
  execFileSync("mkfifo", [pipe, join(folder, "batch", "report.json"), ...names]);
  const at = ["--repo", playground.copyRepository("repair-python")];
  const bench = [...at, "--bench-dir", join(folder, "bench")];
  const commands = [
    ["bench", "check", pipe, ...bench],
    ["bench", "run", "/dev/zero", ...bench],
    ["bench", "grade", pipe, "--predictions", "gold", ...bench],
    ["bench", "report", pipe],
    ["bench", "compare", join(folder, "batch")],
    ["solve", "--issue", pipe, ...at],
    ["solve", "it fails", "--model", `scripted:${pipe}`, ...at],
    ["edit", "/dev/zero", ...at],
    ["find", "--issue", pipe, ...at],
    ["trace", "show", pipe],
    ["show", run],
    ["resume", "20260101-aaaa"],
    ["replay", run, ...at],
  ];
  for (const command of commands) {
    const { exitCode, stderr } = await playground.start(command).ended;
    expect([2, 3], command.join(" ")).toContain(exitCode);
    expect(stderr, command.join(" ")).toMatch(/is a pipe or a device/);
    expect(stderr).not.toMatch(/defect of Millwright|^ {4}at /m);
  }
  const listed = await playground.start(["runs"]).ended;
  expect(listed).toMatchObject({ exitCode: 0, stdout: expect.stringContaining("damaged") });
  const given = await playground.start(["bench", "report", "/dev/stdin"]).ended;
  expect(given.stderr, "what the shell opened is read").toContain("is not a batch report");
});

test("a pipe with the name of a settings file, a manifest or a package's path holds up nothing", async () => {
  const playground = createPlayground();
  onTestFinished(() => playground.remove());
  const repository = playground.copyRepository("repair-python");
  const site = join(repository, ".venv", "lib", "python3.11", "site-packages");
  mkdirSync(site, { recursive: true });
  mkdirSync(join(repository, "sub"));
  writeFileSync(join(repository, ".venv", "pyvenv.cfg"), "");
  execFileSync("mkfifo", [
    ...[".env", "Cargo.toml"].map((name) => join(repository, name)),
    join(site, "x.pth"),
  ]);
  const traced = await playground.start(["trace", "--target", join(repository, "sub"), "--", "true"]).ended;
  expect(traced.exitCode).toBe(2); // no functions to trace
  const tested = await playground.start(["tests", "--repo", repository, "--sandbox", "local"]).ended;
  expect(tested.exitCode).toBe(0);
  const limits = ["--max-steps", "1", "--max-time", "20s"];
  const solved = await playground.start(["solve", "It fails", "--repo", repository, ...limits]).ended;
  expect([10, 11, 12]).toContain(solved.exitCode);
});
