import { expect, test } from "vitest";
import type { GradedTask } from "../graded-task.ts";
import type { RowProblem } from "../rows.ts";
import sweSmith from "./swe-smith.ts";

/** Rows in the published set's form. */
const row = {
  instance_id: "oauthlib__oauthlib.1fd52536.combine_file__09vlzwgc",
  repo: "swesmith/oauthlib__oauthlib.1fd52536",
  patch:
    "diff --git a/a.py b/a.py\nindex 1234567..89abcde 100644\n--- a/a.py\n+++ b/a.py\n@@ -1 +1 @@\n-right\n+wrong\n",
  FAIL_TO_PASS: ["tests/test_a.py::TestA::test_one"],
  PASS_TO_PASS: ["tests/test_a.py::TestA::test_two"],
  image_name: "jyangballin/swesmith.x86_64.oauthlib_1776_oauthlib.1fd52536",
  problem_statement: "",
  created_at: "2025-04-01T00:00:00Z",
};
const fix =
  "diff --git a/a.py b/a.py\nindex 89abcde..1234567 100644\n--- a/a.py\n+++ b/a.py\n@@ -1 +1 @@\n-wrong\n+right\n";

function read(data: object, problems: RowProblem[] = []): GradedTask | undefined {
  return sweSmith.read({ data, place: "t.jsonl:1" }, problems);
}

test("takes the project and commit out of the mirror's name, and turns the patch around", () => {
  const task = read(row);
  expect(task?.task).toEqual({
    id: row.instance_id,
    kind: "repair",
    statement: "",
    repository: "oauthlib/oauthlib",
    baseCommit: "1fd52536",
    version: "",
  });
  expect(task?.environment).toEqual({
    basePatch: row.patch,
    image: { name: row.image_name, root: "/testbed", path: ["/opt/miniconda3/envs/testbed/bin"] },
  });
  expect(task?.hidden).toMatchObject({
    goldPatch: fix,
    testPatch: "",
    lists: { failToPass: row.FAIL_TO_PASS, passToPass: row.PASS_TO_PASS },
  });
  const dotted = read({ ...row, repo: "swesmith/a__b__c.d.1fd52536", FAIL_TO_PASS: "[]" });
  expect(dotted?.task.repository).toBe("a/b__c.d");
  expect(dotted?.hidden.lists).toBeUndefined();
});

test("names what it cannot read", () => {
  const problems: RowProblem[] = [];
  expect(
    read({ ...row, repo: "oauthlib/oauthlib", patch: "Binary files a/x and b/x differ\n" }, problems),
  ).toBe(undefined);
  expect(problems).toEqual([
    { place: "t.jsonl:1", message: "repo: is not a mirror's name: swesmith/OWNER__NAME.COMMIT" },
    {
      place: "t.jsonl:1",
      message: "patch: is not a reversible unified diff of text files",
    },
  ]);
});
