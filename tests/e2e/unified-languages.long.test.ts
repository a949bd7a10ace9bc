/** The unified agent in languages whose tests are compiled: what it does by rule, and shows in its openings, holds there too. */
import { appendFileSync, mkdirSync, realpathSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createPlayground, fingerprint, type Playground } from "./millwright.ts";
import { editBlock, solveScripted } from "./scripted-solve.ts";
import { act } from "./scripted-steps.ts";

let playground: Playground;
beforeEach(() => {
  playground = createPlayground();
});
afterEach(() => playground.remove());

/** Our development dependency serves as the fixture's. */
function linkVitest(repository: string): void {
  const folder = join(repository, "node_modules");
  mkdirSync(join(folder, ".bin"), { recursive: true });
  symlinkSync(realpathSync(join(import.meta.dirname, "../../node_modules/vitest")), join(folder, "vitest"));
  symlinkSync("../vitest/vitest.mjs", join(folder, ".bin", "vitest"));
  appendFileSync(join(repository, ".git", "info", "exclude"), "node_modules\n");
}

interface LanguageTask {
  readonly fixture: string;
  readonly statement: string;
  readonly file: string;
  readonly before: string;
  readonly after: string;
  readonly args?: readonly string[];
}

const tasks: readonly LanguageTask[] = [
  {
    fixture: "repair-rust",
    statement: "`fills_a_deck_to_its_last_metre` says what is wrong",
    file: "src/deck.rs",
    before: "        vehicle.length < free",
    after: "        vehicle.length <= free",
  },
  {
    fixture: "repair-typescript",
    statement: "A loan that is `renewed twice and no more` can be renewed a third time",
    file: "src/loan.ts",
    before: "  if (loan.renewals > mostRenewals) return undefined;",
    after: "  if (loan.renewals >= mostRenewals) return undefined;",
    // What our own dependencies are linked from is seen in no other sandbox.
    args: ["--sandbox", "local"],
  },
];

test.for(tasks)(
  "$fixture: edited from the code that the openings show; two answers, where the rest is done by rule",
  { timeout: 300_000 },
  async ({ fixture, statement, file, before, after, args = [] }) => {
    const repository = playground.copyRepository(fixture);
    if (fixture === "repair-typescript") linkVitest(repository);
    const untouched = fingerprint(repository);
    const { report, actions, exitCode, stderr } = await solveScripted(playground, {
      repository,
      statement,
      strategy: "unified",
      answers: [
        { ...act("edit-code", { intent: `mend it in ${file}` }), contains: before.trim() },
        {
          role: "editing",
          contains: before.trim(),
          calls: [
            { name: "edit", input: { edits: editBlock(file, before, after), done: "the boundary too" } },
          ],
        },
      ],
      args: ["--without", "review-patch", ...args],
    });
    expect(exitCode, stderr).toBe(0);
    expect(report).toMatchObject({ outcome: "verified", candidates: 1 });
    expect(report.usage.calls).toBe(2);
    expect(actions).toEqual(["edit-code", "finish"]);
    expect(report.files.map(({ path }) => path)).toEqual([file]);
    expect(fingerprint(repository)).toBe(untouched);
  },
);
