import { expect, test, vi } from "vitest";
import { renderOutput } from "./captured-output.ts";
import { runProcess } from "./process.ts";
import { processStartTime } from "./process-identity.ts";

test("a program gets its arguments as they are, the environment that was given, and no standard input", async () => {
  const script = 'printf "%s|" "$@"; env | grep -c .; cat';
  const result = await runProcess(["/bin/sh", "-c", script, "sh", "a b", "$HOME"], {
    env: { PATH: "/usr/bin:/bin" },
  });
  expect(result).toMatchObject({ exitCode: 0, signal: null, timedOut: false });
  expect(renderOutput(result.stdout)).toMatch(/^a b\|\$HOME\|\d+\n$/);
});

test("how a program ended is data, never an exception", async () => {
  expect((await runProcess(["/bin/sh", "-c", "exit 7"])).exitCode).toBe(7);
  expect((await runProcess(["/bin/sh", "-c", "kill -TERM $$"])).signal).toBe("SIGTERM");
  expect((await runProcess(["/nonexistent/program"])).startError?.code).toBe("ENOENT");
});

test("at the limit, and when aborted, the program and its children die", async () => {
  const late = await runProcess(["/bin/sh", "-c", "sleep 60 & echo $!; wait"], { timeoutMs: 200 });
  expect(late).toMatchObject({ exitCode: null, timedOut: true, aborted: false });
  // A killed process closes its files a moment before it ends, so the result may come first.
  await vi.waitFor(() => expect(processStartTime(Number(renderOutput(late.stdout)))).toBeUndefined(), 10_000);
  const aborted = await runProcess(["sleep", "60"], { signal: AbortSignal.timeout(100) });
  expect(aborted).toMatchObject({ exitCode: null, timedOut: false, aborted: true });
});

test("a background child that holds the output open does not hold up the caller", async () => {
  const result = await runProcess(["/bin/sh", "-c", "sleep 5 & echo started"], { timeoutMs: 20_000 });
  expect(result).toMatchObject({ exitCode: 0, timedOut: false });
  expect(renderOutput(result.stdout)).toBe("started\n");
});

test("input is written, also where the program does not read all of it", async () => {
  const input = "x".repeat(1_000_000);
  expect(renderOutput((await runProcess(["wc", "-c"], { input })).stdout).trim()).toBe("1000000");
  expect((await runProcess(["true"], { input })).exitCode).toBe(0);
});
