import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { findLacking, findTaskCommit } from "./find-repository.ts";

test("completes the first digits of a commit's id, and takes neither one of several nor a branch of that name", async () => {
  const folder = mkdtempSync(join(tmpdir(), "millwright-find-"));
  const git = (input: string, ...args: string[]): string =>
    execFileSync("git", args, { cwd: folder, encoding: "utf8", input });
  try {
    git("", "init", "-q", "--bare");
    const commits = Array.from(
      { length: 1500 },
      (_, at) => `commit refs/heads/main\ncommitter T <t@example.invalid> ${at} +0000\ndata 1\nx\n`,
    );
    git(commits.join(""), "fast-import", "--quiet");
    const ids = git("", "rev-list", "main").trim().split("\n");
    const seen = new Set<string>();
    const shared = ids.map((id) => id.slice(0, 4)).find((start) => seen.size === seen.add(start).size) ?? "";
    const [last = "", before = ""] = ids;
    git("", "branch", last.slice(0, 12), before);
    const find = (commit: string) => findTaskCommit({ repo: folder }, "acme/ledger", commit);
    expect((await find(last)).commit).toBe(last);
    expect((await find(last.slice(0, 12))).commit).toBe(last);
    await expect(find(shared)).rejects.toThrow(`commits whose ids begin with ${shared}`);
    await expect(find("0".repeat(40))).rejects.toThrow("does not have the commit 0000");
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test("names a pipe that git would wait for", async () => {
  const folder = mkdtempSync(join(tmpdir(), "millwright-find-"));
  try {
    execFileSync("git", ["init", "-q", folder]);
    execFileSync("mkfifo", [join(folder, ".git", "packed-refs")]);
    const found = findTaskCommit({ repo: folder }, "acme/ledger", "0".repeat(40));
    await expect(found).rejects.toThrow("packed-refs is a pipe or a device");
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test("lists the tasks whose repository or commit this machine lacks, with the reason", async () => {
  const folder = mkdtempSync(join(tmpdir(), "millwright-find-"));
  const git = (...args: string[]): string => execFileSync("git", args, { cwd: folder, encoding: "utf8" });
  try {
    git("init", "-q", "acme__ledger");
    const own = ["-C", "acme__ledger", "-c", "user.name=T", "-c", "user.email=t@example.invalid"];
    git(...own, "commit", "-q", "--allow-empty", "-m", "base");
    const there = git("-C", "acme__ledger", "rev-parse", "HEAD").trim();
    const gone = "0".repeat(40);
    const task = (id: string, repository: string, baseCommit: string) => ({ id, repository, baseCommit });
    const tasks = [
      task("there", "acme/ledger", there),
      task("elsewhere", "acme/scales", there),
      task("gone", "acme/ledger", gone),
      task("short", "acme/ledger", there.slice(0, 10)),
    ];
    const lacking = await findLacking({ repositories: folder }, tasks);
    expect([...lacking].map(([{ id }, problem]) => [id, problem])).toEqual([
      ["gone", expect.stringContaining(`does not have the commit ${gone} of acme/ledger`)],
      ["elsewhere", expect.stringContaining("There is no git repository for acme/scales")],
    ]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
