/** Votes over trees of real workspaces: what counts as one patch, and what decides a tie. */
import { expect, test } from "vitest";
import { voteCandidates } from "../../src/agent/state/vote.ts";
import type { Candidate } from "../../src/domain/candidate.ts";
import type { Workspace } from "../../src/workspace/contract.ts";
import { makeRepository, openTestWorkspace } from "./workspace-fixture.ts";

const base = {
  "limit.py": "def limit(value):\n    return value < 3\n",
  "limit.go": "package limit\n\nfunc Limit(value int) bool {\n\treturn value < 3\n}\n",
};
const path = "limit.py";
const repaired = "def limit(value):\n    return value <= 3\n";
const repairedOtherwise =
  'def limit(value):\n    """Three is in."""\n    return (\n        value <= 3  # three too\n    )\n';
const wrong = "def limit(value):\n    return True\n";

async function patch(workspace: Workspace, id: string, files: Record<string, string>): Promise<Candidate> {
  const changes = Object.entries(files).map(([file, content]) => ({ path: file, content }));
  return { id, tree: await workspace.trees.write(workspace.base, changes), kind: "code", origin: id };
}

test("texts of one meaning are one patch, and the most voices win over the first one seen", async () => {
  const workspace = await openTestWorkspace(makeRepository(base));
  const candidates = [
    await patch(workspace, "c1", { [path]: wrong }),
    await patch(workspace, "c2", { [path]: repaired }),
    await patch(workspace, "c3", { [path]: repairedOtherwise }),
  ];
  const { winner, groups } = await voteCandidates({ workspace }, candidates);
  expect(winner?.id).toBe("c2");
  expect(groups.map((group) => group.candidates.map(({ id }) => id))).toEqual([["c2", "c3"], ["c1"]]);
});

test("of equals the first is taken, and a patch of comments alone has no voice", async () => {
  const workspace = await openTestWorkspace(makeRepository(base));
  const comment = (text: string): string => `// ${text}\n${base["limit.go"]}`;
  const candidates = [
    await patch(workspace, "c1", { "limit.go": comment("one") }),
    await patch(workspace, "c2", { "limit.go": comment("two") }),
    await patch(workspace, "c3", { "limit.go": base["limit.go"].replace("<", "<=") }),
    await patch(workspace, "c4", { [path]: wrong }),
  ];
  const { winner, groups } = await voteCandidates({ workspace }, candidates);
  expect(winner?.id).toBe("c3");
  expect(groups).toHaveLength(2);
  expect((await voteCandidates({ workspace }, candidates.slice(0, 2))).winner).toBeUndefined();
});

test("new files may be compared without their names", async () => {
  const workspace = await openTestWorkspace(makeRepository(base));
  const text = "def test_three():\n    assert limit(3)\n";
  const candidates = [
    await patch(workspace, "r1", { "test_one.py": "def test_two():\n    assert limit(2)\n" }),
    await patch(workspace, "r2", { "test_two.py": text }),
    await patch(workspace, "r3", { "test_three.py": `# again\n${text}` }),
  ];
  const ids = async (ignorePaths: boolean): Promise<string | undefined> =>
    (await voteCandidates({ workspace }, candidates, { ignorePaths })).winner?.id;
  expect(await ids(false)).toBe("r1");
  expect(await ids(true)).toBe("r2");
});
