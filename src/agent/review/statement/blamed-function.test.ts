import { expect, test } from "vitest";
import { compareTexts } from "../../code/change.ts";
import { judgeBlamed } from "./blamed-function.ts";

const before = `def build(title):
    return {"title": title}


def validate(document):
    problems = []
    if not document.get("title"):
        problems.append("no title")
    if document.get("version") != 1:
        problems.append("no version")
    return problems
`;
const check = `    if document.get("version") != 1:\n        problems.append("no version")\n`;
const statement = "`validate` complains about each new document: `build` leaves out its version";
const judge = (after: string, said = statement, old = before) =>
  judgeBlamed([compareTexts("document.py", old, after)], said);

test("a check that is removed does not give what another function leaves out", async () => {
  expect(await judge(before.replace(check, ""))).toEqual([
    {
      weight: "objection",
      text: "The statement says that `build` leaves something out, but the patch only removes code from `validate`.",
    },
  ]);
});

test("no objection where the statement blames the changed function, or one that calls it", async () => {
  const removed = before.replace(check, "");
  expect(await judge(removed, "`validate` does not keep documents of version 2")).toEqual([]);
  expect(await judge(removed, "`validate` asks for a version, which no document has")).toEqual([]);
  const calling = before.replace('return {"title": title}', 'return validate({"title": title})');
  expect(await judge(calling.replace(check, ""), statement, calling)).toEqual([]);
  // The statement does not name the function that changes.
  expect(await judge(removed, "`build` leaves out its version")).toEqual([]);
});
