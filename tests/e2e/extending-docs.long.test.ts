/** What docs/extending.md says of an action and of a strategy, done: its files in a copy of the program, found, offered and run. */
import { spawnSync } from "node:child_process";
import {
  appendFileSync,
  cpSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createPlayground, type Playground } from "./millwright.ts";
import { editBlock } from "./scripted-solve.ts";

const root = join(import.meta.dirname, "..", "..");
let playground: Playground;
let copy: string;

beforeAll(() => {
  playground = createPlayground();
  copy = join(playground.folder, "program");
  mkdirSync(copy);
  const isCopied = (path: string): boolean => !path.endsWith(".test.ts");
  for (const part of ["bin", "scripts", "src", "package.json"])
    cpSync(join(root, part), join(copy, part), { recursive: true, filter: isCopied });
  symlinkSync(realpathSync(join(root, "node_modules")), join(copy, "node_modules"));
  const text = readFileSync(join(root, "docs", "extending.md"), "utf8");
  for (const [, path = "", code = ""] of text.matchAll(
    /^`(src\/(?:actions|strategies)\/[^`]+)`:\n\n```ts\n([\s\S]*?)```$/gm,
  )) {
    mkdirSync(dirname(join(copy, path)), { recursive: true });
    writeFileSync(join(copy, path), code);
  }
  const generated = spawnSync("sh", ["scripts/with-node.sh", "node", "scripts/generate-indexes.ts"], {
    cwd: copy,
  });
  expect(generated.status, generated.stderr.toString()).toBe(0);
});
afterAll(() => playground.remove());

function millwright(...args: string[]) {
  const env = {
    ...process.env,
    MILLWRIGHT_RUNS_DIR: playground.runs,
    NO_COLOR: "1",
    MILLWRIGHT_CODE_SERVERS: "off",
  };
  return spawnSync(join(copy, "bin", "millwright"), args, { env, encoding: "utf8" });
}

test("the action is offered and does its work; the strategy mends a repository in one patch", () => {
  const repository = playground.copyRepository("repair-python");
  appendFileSync(join(repository, "ledger", "account.py"), "\n\n# TODO close an account\n");
  const acted = millwright("act", "note-markers", "TODO", "--repo", repository, "--json");
  expect(acted.status, acted.stderr).toBe(0);
  expect(JSON.parse(acted.stdout).text).toBe("ledger/account.py:27 says: # TODO close an account");
  const script = join(playground.folder, "script.json");
  const edits = editBlock(
    "ledger/account.py",
    "    return amount < available",
    "    return amount <= available",
  );
  const answer = {
    when: { role: "editing" },
    calls: [{ name: "edit", input: { edits, done: "all of it" } }],
  };
  writeFileSync(script, JSON.stringify({ answers: [answer] }));
  const flags = ["--strategy", "edit-once", "--model", `scripted:${script}`, "--output", "json"];
  const solved = millwright("solve", "--repo", repository, ...flags);
  expect(solved.status, solved.stderr).toBe(0);
  expect(JSON.parse(solved.stdout)).toMatchObject({
    strategy: "edit-once",
    outcome: "verified",
    usage: { calls: 1 },
  });
});
