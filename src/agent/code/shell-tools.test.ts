import { expect, test } from "vitest";
import { partOf } from "../../../tests/part-of.ts";
import type { ShellDesk } from "./shell-desk.ts";
import { shellTool } from "./shell-tools.ts";

test("a model sees the output of a command without colours", async () => {
  const result = { end: "exited", exitCode: 0, stderr: "", directory: "", leftOut: [] } as const;
  const desk = partOf<ShellDesk>({
    execute: async () => ({ ...result, stdout: "\u001b[32m.\u001b[0m\u001b[1mok\u001b[0m\n" }),
  });
  const reply = await shellTool(desk).run({ command: "pytest" });
  expect(reply.text).toBe("exit code 0\nstdout:\n.ok");
});

test.each([
  ["timed-out", "killed after 5 s"],
  ["out-of-memory", "killed: it used too much memory"],
])("a command that a limit kills has failed: %s", async (end, told) => {
  const desk = partOf<ShellDesk>({
    execute: async () => ({ end, exitCode: null, stdout: "", stderr: "", directory: "", leftOut: [] }),
  });
  const reply = await shellTool(desk).run({ command: "sleep 99", seconds: 5 });
  expect(reply).toEqual({ text: told, isError: true });
});

test("a command with an exit code has not failed, whatever the code is", async () => {
  const desk = partOf<ShellDesk>({
    execute: async () => ({
      ...{ end: "exited", exitCode: 1, stdout: "", stderr: "", directory: "", leftOut: [] },
    }),
  });
  expect(await shellTool(desk).run({ command: "false" })).toEqual({ text: "exit code 1" });
});
