import { expect, it } from "vitest";
import { partOf } from "../../../tests/part-of.ts";
import { findSimplerForm, listSimplerForms, neededMs, noTime } from "./simpler-forms.ts";

type Arguments = Parameters<typeof findSimplerForm>;

const php = `<?php
class Matcher {
    public static function match($operator, $version) {
        $key = $operator.$version;
        if (isset(self::$cache[$key])) {
            return self::$cache[$key];
        }
        return self::$cache[$key] = $operator($version);
    }
}
`;

function patch(file: string, base: string, before: string, replacement: string) {
  const start = base.indexOf(before);
  const line = base.slice(0, start).split("\n").length;
  const facts = { template: "test", description: "", prior: 1, likeness: 1, line, statementLine: line };
  return { ...facts, file, base, start, end: start + before.length, replacement };
}

it("makes a changed condition constant", async () => {
  const forms = await listSimplerForms(patch("m.php", php, "cache[$key])", "cache[$operator])"));
  expect(forms.map(({ says, texts }) => [says, ...texts.map((text) => text.split("\n")[4]?.trim())])).toEqual(
    [
      ["if the patch's condition is always `false`", "if (false) {"],
      ["if the patch's condition is always `true`", "if (true) {"],
      ["without the changed statement", "return self::$cache[$key] = $operator($version);"],
    ],
  );
});

it("says if no time is left to run a form, and only if there is one", async () => {
  const decided: string[] = [];
  const step = async <T>({ key }: { key: string }, execute: () => Promise<T>): Promise<T> => {
    decided.push(key);
    return execute();
  };
  const context = partOf<Arguments[0]>({
    workspace: partOf<Arguments[0]["workspace"]>({
      base: "",
      trees: partOf<Arguments[0]["workspace"]["trees"]>({ write: async () => "t" }),
    }),
    recorder: partOf<Arguments[0]["recorder"]>({ step }),
    limits: partOf<Arguments[0]["limits"]>({ remainingMs: () => 1_000 }),
  });
  const executor = partOf<Arguments[1]>({});
  const baseline = partOf<Arguments[2]>({ durationMs: 1_000, targets: [] });
  const find = (proposal: ReturnType<typeof patch>) =>
    findSimplerForm(context, executor, baseline, partOf<Arguments[3]>({ proposal }));
  expect(await find(patch("m.php", php, "cache[$key])", "cache[$operator])"))).toBe(noTime);
  // A replay decides the same, whatever time it has.
  expect(decided).toEqual([expect.stringMatching(/^time-to-judge:t:/)]);
  const declares = "function key(a, b) {\n  const c = a + b;\n  return c;\n}\n";
  expect(await find(patch("m.js", declares, "a + b", "b + a"))).toBeUndefined();
});

it("asks anew for other failing tests, and says if the limit ended the runs of a form", async () => {
  const keys: string[] = [];
  const times = [600_000, 0];
  const context = partOf<Arguments[0]>({
    workspace: { base: "", trees: { write: async () => "t" } },
    recorder: partOf<Arguments[0]["recorder"]>({
      step: async <T>({ key }: { key: string }, execute: () => Promise<T>) => {
        keys.push(key);
        return execute();
      },
    }),
    limits: { remainingMs: () => times[0] ?? 0 },
  });
  const failing = (name: string) => ({
    ...{ key: { package: "", target: "t.js", name }, status: "failed" as const, durationMs: 1 },
  });
  const find = (names: readonly string[], timesOut: boolean) => {
    const executor = partOf<Arguments[1]>({
      run: async () => {
        if (timesOut) times.shift();
        return { report: { outcomes: names.map(failing) }, durationMs: 1 };
      },
    });
    const targets = names.map(failing);
    const baseline = partOf<Arguments[2]>({ durationMs: 1, targets, outcomes: targets, command: {} });
    const proposal = patch("m.php", php, "cache[$key])", "cache[$operator])");
    return findSimplerForm(context, executor, baseline, partOf<Arguments[3]>({ proposal }));
  };
  const judged = async (names: readonly string[], timesOut = false) => {
    keys.length = 0;
    const found = await find(names, timesOut);
    return { found, key: keys.find((key) => key.startsWith("judge:")) };
  };
  const one = await judged(["one"]);
  const both = await judged(["one", "two"]);
  expect([one.found, both.found]).toEqual([undefined, undefined]);
  expect(both.key).not.toBe(one.key);
  // A form that failed only because the time was over says nothing.
  expect((await judged(["one"], true)).found).toBe(noTime);
});

it("keeps time for a slow suite's verdict, not for six of its runs", () => {
  const key = { package: "", target: "t.py", name: "t" };
  const targets = [{ key, status: "failed" as const, durationMs: 2_000 }];
  expect(neededMs({ durationMs: 180_000, targets }, 180_000)).toBe(435_000);
  expect(neededMs({ durationMs: 1_000, targets }, 1_000)).toBe(22_000);
});

it("makes the condition of an inserted statement constant", async () => {
  const base = "def first(items):\n    return items[0]\n";
  const inserted = patch("m.py", base, "    return", "    if not items: return None\n    return");
  const forms = await listSimplerForms(inserted);
  expect(forms.flatMap(({ texts }) => texts.map((text) => text.split("\n")[1]))).toEqual([
    "    if False: return None",
    "    if True: return None",
  ]);
});

it("takes simpler forms of changed lines only, for equal changes at two places", async () => {
  const base =
    "def f(a, b):\n    if a < b:\n        g()\n    if a > 3:\n        h()\n    if a < b:\n        k()\n";
  const one = patch("m.py", base, "a < b", "a <= b");
  const [start, end] = [one.start, base.lastIndexOf("a < b") + "a < b".length];
  const replacement = base.slice(start, end).replaceAll("a < b", "a <= b");
  const forms = await listSimplerForms({ ...one, start, end, replacement, one });
  expect(forms.length).toBeGreaterThan(3);
  expect(forms.every(({ texts }) => texts.every((text) => text.includes("if a > 3:")))).toBe(true);
});

it("removes a changed statement, and no inserted one: that is the base", async () => {
  const base = "def put(items, key):\n    items.add(key)\n    return items\n";
  const [removed] = await listSimplerForms(patch("m.py", base, "add(key)", "add(None)"));
  expect(removed?.texts).toEqual(["def put(items, key):\n    return items\n"]);
  const inserted = patch("m.py", base, "    return", "    items.clear()\n    return");
  expect((await listSimplerForms(inserted)).flatMap(({ texts }) => texts)).not.toContain(base);
});

it("takes the neighbours of a number that the changed line did not have", async () => {
  const base = "package now\n\nfunc isUnset(v, i int) bool {\n\treturn v == 0\n}\n";
  const forms = await listSimplerForms(patch("m.go", base, "v == 0", "v == 0 || i <= 3"));
  expect(forms.at(-1)).toEqual({
    says: "with 2 and with 4 instead of the patch's 3",
    texts: [base.replace("v == 0", "v == 0 || i <= 2"), base.replace("v == 0", "v == 0 || i <= 4")],
  });
  const known = await listSimplerForms(
    patch("m.go", base.replace("v == 0", "v == 0 && i != 3"), "v == 0", "i == 3"),
  );
  expect(known.filter(({ texts }) => texts.length > 1)).toEqual([]);
});

it("has no form for the value of a declaration", async () => {
  const base = "function key(a, b) {\n  const c = a + b;\n  return c;\n}\n";
  expect(await listSimplerForms(patch("m.js", base, "a + b", "b + a"))).toEqual([]);
});
