/** What judges a patch that changes how tests are found, run or reported: the base's version, and what of the patch is left. */
import { expect, test } from "vitest";
import { openJudge } from "../../src/judging/judged-tree.ts";
import { testFrameworks } from "../../src/languages/index.generated.ts";
import type { Workspace } from "../../src/workspace/contract.ts";
import { configurationAttacks } from "./configuration-attacks.ts";
import { localSandbox, makeRepository, openTestWorkspace } from "./workspace-fixture.ts";

const code = { "cart.py": "wrong\n" };

/** One store for all rows: each base is a tree of its own. */
let workspace: Workspace | undefined;
async function storeOf(): Promise<Workspace["trees"]> {
  workspace ??= await openTestWorkspace(makeRepository(code), localSandbox);
  return workspace.trees;
}

type Files = Readonly<Record<string, string | null>>;
const changes = (files: Files) => Object.entries(files).map(([path, content]) => ({ path, content }));

test("each attack by configuration is judged with the base's, and what is none of the tests' survives", async () => {
  const trees = await storeOf();
  const empty = (workspace as Workspace).base;
  for (const [name, attack] of Object.entries(configurationAttacks)) {
    const { framework, patch, laid, stays = {}, gone = {}, command = "the tests" } = attack;
    const base = await trees.write(empty, changes(attack.base ?? {}));
    const tree = await trees.write(base, changes({ ...patch, "cart.py": "right\n" }));
    const rules = testFrameworks.find((each) => each.name === framework)?.judging ?? [];
    const judge = openJudge({ trees, base, rules, command: { framework, command, directory: "" } });
    const judged = await judge.judgedTree(tree);
    const read = async (path: string) => (await trees.read(judged.tree, path))?.toString("utf8");
    expect(judged.laid.toSorted(), name).toEqual(laid);
    expect(await read("cart.py"), name).toBe("right\n");
    for (const [path, text] of Object.entries(stays)) expect(await read(path), name).toContain(text);
    for (const [path, text] of Object.entries(gone))
      expect((await read(path)) ?? "", name).not.toContain(text);
    const whole = laid.filter((path) => stays[path] === undefined && gone[path] === undefined);
    for (const path of whole) expect(await read(path), `${name}: ${path}`).toBe(attack.base?.[path]);
    // The answer stands: what judges is judged by itself.
    expect((await judge.judgedTree(judged.tree)).laid, name).toEqual([]);
    if (laid.length === 0) expect(judged.tree, name).toBe(tree);
  }
});
