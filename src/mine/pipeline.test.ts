import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { partOf } from "../../tests/part-of.ts";
import { openResultStore } from "../bench/result-store.ts";
import { mine } from "./pipeline.ts";
import type { MineRequest } from "./settings.ts";

test("after a shallow clone got its older commits, collect lists their changes", async () => {
  const folder = mkdtempSync(join(tmpdir(), "millwright-collect-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const [source, clone] = [join(folder, "source"), join(folder, "clone")];
  mkdirSync(source);
  const git = (cwd: string, ...args: string[]) =>
    execFileSync("git", ["-c", "user.name=T", "-c", "user.email=t@example.invalid", ...args], { cwd });
  git(source, "init", "-q");
  for (const text of ["first", "second", "third"]) {
    writeFileSync(join(source, "text.txt"), text);
    git(source, "add", "-A");
    git(source, "commit", "-q", "-m", `Write the ${text} text`);
  }
  git(folder, "clone", "-q", "--depth", "1", `file://${source}`, clone);
  const request = partOf<MineRequest>({
    settings: { repository: "acme/ledger", gitDirectory: join(clone, ".git"), issues: new Map() },
    ...{ folder: join(folder, "mined"), options: { directory: join(folder, "work") }, onStep() {} },
    store: await openResultStore(join(folder, "results")),
  });
  expect((await mine(request, "collect")).candidates).toEqual([]);
  git(clone, "fetch", "-q", "--unshallow");
  expect((await mine(request, "collect")).candidates.map(({ change }) => change.subject)).toEqual([
    "Write the third text",
    "Write the second text",
  ]);
});
