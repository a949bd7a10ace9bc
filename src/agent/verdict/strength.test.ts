import { expect, test } from "vitest";
import { compareTexts } from "../code/change.ts";
import { formOfPatch } from "../review/texts/patch-form.ts";
import { type Evidence, weighEvidence } from "./strength.ts";

const all: Evidence = {
  isAsked: true,
  isConfirmed: true,
  hasCanaries: true,
  form: "changes",
  isExecuted: true,
  mutants: { tried: 4, noticed: 4 },
  doubts: [],
};

const changes = { says: "the patch changes results of passing tests", isGrave: true };

test.each<[string, Partial<Evidence>, string, string]>([
  ["all that can be known", {}, "strong", "the evidence is strong"],
  [
    "no mutants, compared inputs",
    { mutants: { tried: 0, noticed: 0 }, reservations: [] },
    "strong",
    "strong",
  ],
  [
    "passing inputs that change without a word",
    { isAsked: false, reservations: [changes] },
    "weak",
    "the patch changes results of passing tests, and no model read a statement",
  ],
  [
    "passing inputs that change as the statement asks",
    { reservations: [changes] },
    "moderate",
    "the patch changes results",
  ],
  [
    "few inputs",
    { reservations: [{ says: "there are few inputs", isGrave: false }] },
    "moderate",
    "there are few inputs",
  ],
  [
    "a form that hardly any real fix has",
    { isAsked: false, strongDoubts: ["hides an error"] },
    "weak",
    "the patch hides an error, and no model read a statement",
  ],
  ["a mutant that survives", { mutants: { tried: 4, noticed: 3 } }, "moderate", "1 of 4 mutants"],
  [
    "a feature that nothing probes",
    { isUnprobed: true },
    "weak",
    "no fault could be inserted into the new code",
  ],
  ["regression tests that nothing can pass", { isUnfixed: true }, "moderate", "write a fix"],
  ["tests without a value of the statement", { isOwnOpinion: true }, "moderate", "no value of the statement"],
  ["a statement that nobody read", { isAsked: false }, "moderate", "no model read a statement"],
  ["a reason by words alone", { reasonDoubt: "plain words alone" }, "moderate", "plain words alone"],
  [
    "a place apart from what the statement names",
    { isAsked: false, apartFrom: ["Cart.add", "Cart", "shop.py", "Shop"] },
    "weak",
    "neither code that the statement names (Cart.add, Cart, shop.py …) nor code that the named code uses",
  ],
  ["no canaries", { hasCanaries: false }, "moderate", "no canary test"],
  ["an exit code that the patch can choose", { exitCodeDecides: true }, "moderate", "ended the process"],
  ["code that is taken away as the statement asks", { form: "deletes" }, "moderate", "only removes code"],
  [
    "code that is taken away without a word",
    { form: "deletes", isAsked: false },
    "weak",
    "run again with a statement and a model",
  ],
  ["code that no test executes", { isExecuted: false }, "weak", "no test executes"],
  ["no confirmation", { isConfirmed: false }, "weak", "no run in a fresh sandbox"],
])("%s", (_, changed, strength, told) => {
  const weighed = weighEvidence({ ...all, ...changed } as Evidence);
  expect(weighed).toMatchObject({
    strength,
    predicate: { holds: strength !== "weak", evidence: expect.stringContaining(told) },
  });
});

test.each([
  ["a = 1\nb = 2\n", "a = 1\n", "deletes"],
  ["a = 1\nb = 2\n", "a = 1\n# b is gone\n", "deletes"],
  ["if a > b:\n    c()\n", "if False:\n    c()\n", "switches-off"],
  ["def f():\n    return a + b\n", "def f():\n    return None\n", "switches-off"],
  ["if a > b:\n    c()\n", "if a >= b:\n    c()\n", "changes"],
  [
    "def f(x):\n    return a\n",
    "def f(x):\n    if x is None:\n        return None\n    return a\n",
    "changes",
  ],
])("the form of %j that becomes %j", (before, after, form) => {
  const patch = compareTexts("a.py", before, after);
  expect(formOfPatch([patch])).toBe(form);
  const bundle = compareTexts("dist/a.min.js", "f();\n", `f(${'"x", '.repeat(2_000)}1);\n`);
  expect(formOfPatch([patch, bundle])).toBe(form);
});
