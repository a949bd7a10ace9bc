import { expect, test } from "vitest";
import type { TestOutcome } from "../../domain/test-outcome.ts";
import { listRelatedTargets, targetsOf } from "./related-tests.ts";

const texts: Record<string, string> = {
  "test/zone.test.js": 'import { zone } from "../src/zone.js";',
  "test/zones.test.js": 'import { zones } from "../src/timezone.js";',
  "test/all.test.js": 'import "../src/zone.js";\nimport "../src/index.js";',
  "test/both.test.js": 'import "../src/zone.js";\nimport "../src/rare.js";',
  "test/other.test.js": 'import { other } from "../src/other.js";',
};
const project = { files: Object.keys(texts), read: (path: string) => texts[path], exists: () => true };

function passed(target: string, durationMs: number): TestOutcome {
  return { key: { package: "", target, name: "a test" }, status: "passed", durationMs };
}

const outcomes = [
  ...Object.keys(texts).map((target) => passed(target, 100)),
  passed("test/all.test.js", 900),
];
const touched = new Set(["src/zone.js", "src/rare.js", "src/index.js"]);

test("targets that name the rarest of the touched files come first, those that name none do not", () => {
  const related = listRelatedTargets(outcomes, touched, project, { known: new Set(), budgetMs: 10_000 });
  expect(related).toEqual(["test/both.test.js", "test/all.test.js", "test/zone.test.js"]);
});

test("what is chosen already and what would take too long is left out", () => {
  const known = new Set(["test/both.test.js"]);
  expect(listRelatedTargets(outcomes, touched, project, { known, budgetMs: 500 })).toEqual([
    "test/zone.test.js",
  ]);
});

test("each target is named once", () => {
  expect(targetsOf(outcomes)).toEqual(Object.keys(texts));
});

test("a target that names a changed definition is related, though it imports the package's index", () => {
  const of = { known: new Set<string>(), budgetMs: 10_000 };
  const files = new Set(["src/calendar.js"]);
  expect(listRelatedTargets(outcomes, files, project, of)).toEqual([]);
  expect(listRelatedTargets(outcomes, files, project, { ...of, names: ["zones"] })).toEqual([
    "test/zones.test.js",
  ]);
});
