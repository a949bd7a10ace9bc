/** `millwright forge` as a user runs it, and a trace of what was made. */
import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createPlayground, fingerprint, type Playground, type ProgramEnd } from "./millwright.ts";

let playground: Playground;
beforeEach(() => {
  playground = createPlayground();
});
afterEach(() => playground.remove());

const program = `
from ledger.account import Account, can_cover
print("allowed", can_cover(Account("rent", 10, 0), 10))
`;

test("a project outside of the target builds and is traced as it stands; nothing is written in the target", async () => {
  const repository = playground.copyRepository("repair-python");
  const env = { XDG_CACHE_HOME: join(playground.folder, "cache") };
  const run = (...args: string[]): Promise<ProgramEnd> => playground.start(args, { env }).ended;
  const before = fingerprint(repository);
  const directory = join(playground.folder, "try");
  const made = await run("forge", directory, "--target", repository, "--json");
  expect(made.exitCode, made.stderr).toBe(0);
  const { entry, start, imports } = JSON.parse(made.stdout);
  expect(imports).toEqual(["ledger"]);
  appendFileSync(entry, program);
  const places = ["--target", repository, "--workspace", directory];
  const traced = await run("trace", ...places, "--instrument", "ledger/account.py:can_cover", "--", ...start);
  expect(traced.exitCode, traced.stderr).toBe(0);
  expect(traced.stdout).toContain("amount = 10");
  expect(fingerprint(repository)).toBe(before);
});
