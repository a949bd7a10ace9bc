import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { partOf } from "../../tests/part-of.ts";
import { climbLadder, sweBenchLadders } from "./official-ladder.ts";

type Place = Parameters<typeof climbLadder>[1];

/** Climbs each ladder, in a checkout where only this command succeeds. Returns what it did. */
async function climb(succeeds: RegExp) {
  const folder = mkdtempSync(join(tmpdir(), "ladder-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const done = new Map<string, string[]>();
  for (const ladder of sweBenchLadders) {
    const acts: string[] = [];
    const checkout = partOf<Place>({
      scratch: { inside: "/s", host: folder },
      lay: async (tree) => void acts.push(`lay ${tree}`),
      async execute({ run }) {
        acts.push(String(run).replace(" /s/official.patch", ""));
        return { end: "exited" as const, exitCode: succeeds.test(String(run)) ? 0 : 1 };
      },
      take: async () => ({ tree: "patched" }),
    });
    acts.push(`= ${await climbLadder(ladder, checkout, "base", "the patch")}`);
    done.set(ladder.name, acts);
  }
  return Object.fromEntries(done);
}

test("version 5 of SWE-bench's harness restores the files between its commands, version 4 does not", async () => {
  const [apply, reject] = ["git apply --verbose", "git apply --verbose --reject"];
  expect(await climb(/^patch /)).toEqual({
    "swe-bench-5": [
      ...["lay base", apply, "lay base", reject, "lay base"],
      ...["patch --batch --forward --fuzz=5 -p1 -i", "= patched"],
    ],
    "swe-bench-4": ["lay base", apply, reject, "patch --batch --fuzz=5 -p1 -i", "= patched"],
  });
});

test("version 5 accepts a patch that its commands left applied", async () => {
  const { "swe-bench-5": five = [], "swe-bench-4": four = [] } = await climb(/--reverse/);
  expect(five.slice(-2)).toEqual(["git apply --check --reverse", "= patched"]);
  expect(four.at(-1)).toBe("= undefined");
});
