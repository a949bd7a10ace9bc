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
