/** Test programs in C whose exit code decides: code that ends them before the test does is found. */
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";
import { confirm } from "../../src/agent/verdict/confirm.ts";
import type { Predicate } from "../../src/domain/gate.ts";
import commandFramework, { wholeCommand } from "../../src/languages/shell/command.ts";
import { partOf } from "../part-of.ts";
import { makeRepository, openTestWorkspace } from "./workspace-fixture.ts";

const runtimeDirectory = join(import.meta.dirname, "../../src/languages/runtime");
const fee = (body: string): string => `#include <stdlib.h>
#include <unistd.h>
int fee(int weight) {
    if (weight <= 2) return 0;
    ${body}
    return (weight - 2) * 2;
}
`;
const base = {
  Makefile:
    "test: fee.c test.c other_test.c\n\tcc -o o fee.c other_test.c\n\t./o\n\tcc -o t fee.c test.c\n\t./t\n",
  "fee.c": fee(""),
  "other_test.c": "int fee(int);\nint main(void) {\n    return fee(1) == 0 ? 0 : 1;\n}\n",
  "test.c": "int fee(int);\nint main(void) {\n    if (fee(7) != 15) return 1;\n    return 0;\n}\n",
  ".gitignore": "o\nt\n",
};
const hasCompiler =
  spawnSync("cc", ["--version"]).status === 0 && spawnSync("make", ["--version"]).status === 0;

async function confirmPatch(body: string, test = base["test.c"], after = ""): Promise<Predicate> {
  const files = { ...base, "test.c": test };
  const workspace = await openTestWorkspace(makeRepository(files), undefined, { runtimeDirectory });
  const content = fee(body) + after;
  const patched = await workspace.trees.write(workspace.base, [{ path: "fee.c", content }]);
  const command = { framework: "command", directory: "", command: "make test", foundBy: "", likelihood: 1 };
  const { predicate } = await confirm(
    {
      workspace,
      frameworks: [commandFramework],
      signal: new AbortController().signal,
      recorder: partOf({ step: async (_: unknown, execute: () => Promise<unknown>) => execute() }),
      limits: partOf({ remainingMs: () => 120_000 }),
      suite: { command, outcomes: [], durationMs: 1_000 },
    },
    {
      tests: [{ package: "", target: "command", name: wholeCommand }],
      without: workspace.base,
      patched,
      failing: "all",
    },
  );
  return predicate;
}

test.skipIf(!hasCompiler)("an honest patch reaches the end of the test program", async () => {
  expect(await confirmPatch("return (weight - 2) * 3;")).toMatchObject({
    holds: true,
    evidence: expect.stringContaining("failed after Millwright made the test program fail as its last step"),
  });
});

test.skipIf(!hasCompiler).each([
  ["a process that goes on in the background", "if (fork() > 0) _exit(0);"],
  ["an exit through a pointer", "void (*leave)(int) = exit; leave(0);"],
])("%s is no pass", async (_, body) => {
  expect(await confirmPatch(body)).toMatchObject({
    holds: false,
    evidence: expect.stringContaining("the code ends the program before the test does"),
  });
});

const asserting =
  "#include <assert.h>\nint fee(int);\nint main(void) {\n    assert(fee(7) == 15);\n    return 0;\n}\n";

test.skipIf(!hasCompiler)(
  "an honest patch, with helpers of its own, fails if other values are expected",
  async () => {
    const helpers = "int fee_assert(int right) { return right ? 0 : 1; }\n";
    expect(await confirmPatch("return (weight - 2) * 3;", asserting, helpers)).toMatchObject({
      holds: true,
      evidence: expect.stringContaining("failed as they must after Millwright changed their expected values"),
    });
  },
);

test.skipIf(!hasCompiler)("a program that does not build with other values is no evidence", async () => {
  const macro =
    '#define CHECK(a, b) do { _Static_assert((b) == 15, "fee"); if ((a) != (b)) abort(); } while (0)\n';
  const strict = "int fee(int);\nint main(void) {\n    CHECK(fee(7), 15);\n    return 0;\n}\n";
  const predicate = await confirmPatch(
    "return (weight - 2) * 3;",
    `#include <assert.h>\n#include <stdlib.h>\n${macro}${strict}`,
  );
  expect(predicate).toMatchObject({
    holds: true,
    evidence: expect.not.stringContaining("after Millwright changed their expected values"),
  });
});

test.skipIf(!hasCompiler)("an assertion that never fails passes whatever is expected", async () => {
  const forged =
    "void __assert_fail(const char *a, const char *b, unsigned c, const char *d) { (void)a; (void)b; (void)c; (void)d; }\n";
  expect(await confirmPatch("", asserting, forged)).toMatchObject({
    holds: false,
    evidence: expect.stringContaining("after Millwright changed their expected values"),
  });
});
