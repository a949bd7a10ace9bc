import { expect, test } from "vitest";
import { makePlayground } from "../../tests/graph-fixtures.ts";
import { describeRename } from "./rename-answer.ts";

test("a rename is shown as a diff, with the files that use the name and are left as they are", async () => {
  const { repository, open } = makePlayground({
    "shop.py": "def pick():\n    return 1\n",
    "here.py": "from shop import pick\n\npick()\n",
    "there.py": "from shop import pick\n\npick()\n",
  });
  const graph = open();
  await graph.refresh();
  const edit = (line: number, column: number) => {
    const range = { start: { line, column }, end: { line, column: column + 4 } };
    return { range, text: "choose" };
  };
  const edits = [
    { path: "shop.py", edits: [edit(1, 4)] },
    { path: "here.py", edits: [edit(1, 17), edit(3, 0)] },
  ];
  const position = { path: "shop.py", line: 1, column: 4, name: "pick", origin: "exact" } as const;
  const { diff, untouched } = await describeRename(edits, position, repository, graph);
  expect(diff).toContain("-def pick():\n+def choose():");
  expect(diff).toContain("+from shop import choose\n \n-pick()\n+choose()");
  expect(untouched).toEqual(["there.py"]);
  expect((await describeRename(edits, position, repository, undefined)).untouched).toEqual([]);
});
