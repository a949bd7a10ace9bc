import { expect, test } from "vitest";
import { isDescribing } from "./ask-tests.ts";
import { weighVariants } from "./weak-tests.ts";

const rows = [
  { own: [3, 5], all: [5, 5], isBad: false, score: 1 },
  { own: [0, 5], all: [5, 5], isBad: true, score: 0, why: "only the earlier tests notice them" },
  { own: [0, 3], all: [3, 3], isBad: false, score: 1, why: "three variants are too few" },
  { own: [1, 4], all: [1, 4], isBad: true, score: 0.25 },
  { own: [0, 0], all: [0, 0], isBad: false, score: 0.5 },
] as const;

test.each(rows)("tests that notice $own and $all of the wrong variants: $isBad", ({ own, all, ...said }) => {
  const [tell, weigh] = [own, all].map(([noticed, tried]) => ({ noticed, tried, missing: [] }));
  if (tell === undefined || weigh === undefined) throw new Error("two counts");
  expect(weighVariants(tell, weigh)).toMatchObject({ isBad: said.isBad, score: said.score });
});

test("files that only describe a project are told from code and data", () => {
  for (const path of ["pyproject.toml", "a/package.json", "CHANGELOG.md", "poetry.lock"])
    expect(isDescribing(path), path).toBe(true);
  for (const path of [
    "lib/slop.rb",
    "version.go",
    "src/version_parser.py",
    "locale/de.json",
    "src/convert.ts",
  ])
    expect(isDescribing(path), path).toBe(false);
});
