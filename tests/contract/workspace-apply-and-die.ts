/** A program that applies a patch and kills itself before a given call that changes the disk. */
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { writeFileAtomically } from "../../src/base/atomic-file.ts";

const [directory = "", repository = "", base = "", tree = "", fatal = "0"] = process.argv.slice(2);

let calls = 0;
function count(): void {
  calls += 1;
  if (calls === Number(fatal)) process.kill(process.pid, "SIGKILL");
}

// The journal's own writes are atomic; what counts is the order of calls on the user's files.
for (const name of [
  "renameSync",
  "linkSync",
  "unlinkSync",
  "mkdirSync",
  "rmdirSync",
  "symlinkSync",
  "openSync",
  "chmodSync",
  "rmSync",
] as const) {
  const original = fs[name] as (...parameters: unknown[]) => unknown;
  Object.assign(fs, {
    [name]: (...parameters: unknown[]) => {
      if (String(parameters[0]).startsWith(repository)) count();
      return original(...parameters);
    },
  });
}
syncBuiltinESMExports();

const { applyToUserTree } = await import("../../src/workspace/apply-to-user-tree.ts");
const { openPrivateStore } = await import("../../src/workspace/tree-store.ts");
const store = openPrivateStore(`${directory}/store`);
const unused = (): never => {
  throw new Error("not used by applying");
};
const applied = await applyToUserTree(
  {
    repository,
    shownRoot: repository,
    directory,
    base,
    trees: store.contract,
    isolated: false,
    commit: undefined,
    notices: () => [],
    openCheckout: unused,
    close: unused,
  },
  tree,
);
await writeFileAtomically(`${directory}/applied.json`, JSON.stringify(applied));
store.objects.close();
