/** Judges a patch that no parser reads in time. */
import { expect, test } from "vitest";
import { judgeObjections } from "../../src/agent/verdict/standing-objection.ts";
import { partOf } from "../part-of.ts";

test("a file that no parser reads is an objection, not an absence of findings", async () => {
  const path = "fee.c";
  const texts: Readonly<Record<string, string>> = {
    base: "int fee(int n) { return n; }\n",
    hostile: `int fee(int n) { return n; }\n${`${"/* ".repeat(1_000)}\n`.repeat(40)}`,
  };
  const context = partOf<Parameters<typeof judgeObjections>[0]>({
    task: { kind: "repair", statement: "" },
    regions: { isWhole: () => false, inside: () => ({ items: false, examples: false }) },
    workspace: {
      base: "base",
      trees: {
        list: async () => [{ path, mode: "100644", blob: "" }],
        stat: async () => [{ path, added: 1, removed: 0 }],
        read: async (tree: string) => Buffer.from(texts[tree] ?? ""),
      },
    },
  });
  const patch = { id: "c1", tree: "hostile", kind: "code" as const, origin: "" };
  expect(await judgeObjections(context, patch, [])).toMatchObject({
    holds: false,
    evidence: expect.stringContaining(`${path} takes too long to parse, or nests too deeply`),
  });
  expect(await judgeObjections(context, { ...patch, tree: "base" }, [])).toMatchObject({ holds: true });
}, 60_000);
