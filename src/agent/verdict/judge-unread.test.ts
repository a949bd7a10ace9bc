import { expect, test } from "vitest";
import { compareTexts } from "../code/change.ts";
import { judgeNames, judgeUnread, withUnread } from "./judge-unread.ts";

const tests = ["heavy", "light"].map((name) => ({ package: "", target: "tests/fee.py", name }));
const paths = ["dist/fee.js"];
const clean = { predicate: "no-standing-objection", holds: true, evidence: "nobody reviewed the patch" };

test("files that no check read are told if the tests pass without their changes", () => {
  const judged = judgeUnread({ paths, tests, statuses: ["passed", "passed"] });
  expect(withUnread(clean, judged)).toMatchObject({
    holds: true,
    evidence:
      "nobody reviewed the patch; not judged: dist/fee.js (too large for the checks; the tests pass without this change)",
  });
});

test.each([
  [{ statuses: ["failed", "passed"] as const }, /without them, these tests do not pass: .*heavy/],
  [{ statuses: ["not-run", "passed"] as const }, /without them, these tests do not pass: .*heavy/],
  [{ statuses: ["not-run", "passed"] as const, cutMs: 5 }, /there was no time to run the tests without them/],
  [
    { statuses: ["not-run", "failed"] as const, cutMs: 5 },
    /without them, these tests do not pass: .*heavy, .*light/,
  ],
  [{ statuses: ["passed", "passed"] as const, invalid: "it shrank" }, /cannot be trusted: it shrank/],
])("an objection if the tests need them: %o", (ran, told) => {
  const judged = withUnread(clean, judgeUnread({ paths, tests, ...ran }));
  expect(judged).toMatchObject({ holds: false, evidence: expect.stringMatching(told) });
});

test("an earlier objection stays", () => {
  const refused = { ...clean, holds: false, evidence: "It was refused." };
  expect(withUnread(refused, judgeUnread({ paths, tests, statuses: ["failed", "passed"] }))).toEqual(refused);
  expect(withUnread(clean, { objections: [], paths: [] })).toEqual(clean);
});

test("an objection if the patch adds code that names such a file", () => {
  const change = (path: string, before: string, after: string) => compareTexts(path, before, after, false);
  const bundle = change("dist/fee.min.js", "", "a");
  const load = (name: string) =>
    change("lib/fee.js", "", `try { module.exports = require("${name}"); } catch {}\n`);
  expect(judgeNames([bundle], [load("../dist/fee.min.js")]).objections).toEqual([
    "No check reads the changes in dist/fee.min.js, and the patch adds code that names it (lib/fee.js).",
  ]);
  const folder = change("dist/rates/index.js", "", "a");
  expect(judgeNames([folder], [load("../dist/rates")]).objections).toHaveLength(1);
  const build = change("build/lib/fee.py", "", "a");
  const taken = change("shop.py", "", "from build.lib import fee\n");
  expect(judgeNames([build], [taken]).objections).toHaveLength(1);
  const own = change("fee.js", "", "function fee() {}\n");
  expect(judgeNames([change("dist/fee.js", "", "a")], [own]).objections).toEqual([]);
  const known = 'const fee = require("../dist/fee.min");\n';
  const kept = change("lib/fee.js", known, `${known}fee(1);\n`);
  expect(judgeNames([bundle], [kept])).toEqual({ objections: [], paths: ["dist/fee.min.js"] });
});
