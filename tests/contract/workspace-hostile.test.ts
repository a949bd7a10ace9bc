/** A repository whose files are no files, and one that holds the user's keys. */
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { appendFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { renderOutput } from "../../src/base/captured-output.ts";
import { git, makeFolder, makeRepository, openTestWorkspace, usableSandboxes } from "./workspace-fixture.ts";

describe("a pipe where git has a file is refused by its name", () => {
  const refs = [".git/packed-refs", ".git/refs/heads/piped"];
  const places = [".git/HEAD", ".git/config", ".git/index", ".git/info/exclude", ".gitignore", ...refs];
  test.each(places)("%s", async (place) => {
    const repository = makeRepository({ "a.py": "1\n" });
    if (place.endsWith("/piped")) git(repository, "checkout", "--quiet", "-b", "piped");
    rmSync(join(repository, place), { force: true });
    expect(spawnSync("mkfifo", [join(repository, place)]).status).toBe(0);
    await expect(openTestWorkspace(repository)).rejects.toMatchObject({
      code: "repository",
      message: expect.stringContaining(join(repository, place)),
    });
  });

  test("a folder in place of HEAD too", async () => {
    const repository = makeRepository({ "a.py": "1\n" });
    rmSync(join(repository, ".git", "HEAD"));
    mkdirSync(join(repository, ".git", "HEAD"));
    await expect(openTestWorkspace(repository)).rejects.toMatchObject({
      code: "repository",
      message: expect.stringContaining("is a folder"),
    });
  });

  test.each(["HEAD", "commondir"])("in a nested repository too: %s", { timeout: 30_000 }, async (name) => {
    const repository = makeRepository({ "a.py": "1\n" });
    const nested = join(repository, "lib");
    mkdirSync(nested);
    git(nested, "init", "--quiet");
    const place = join(nested, ".git", name);
    rmSync(place, { force: true });
    spawnSync("mkfifo", [place]);
    await expect(openTestWorkspace(repository)).rejects.toMatchObject({
      code: "repository",
      message: expect.stringContaining(place),
    });
  });

  test("a device too", async () => {
    const repository = makeRepository({ "a.py": "1\n" });
    rmSync(join(repository, ".git", "config"));
    spawnSync("ln", ["-s", "/dev/zero", join(repository, ".git", "config")]);
    await expect(openTestWorkspace(repository)).rejects.toMatchObject({ code: "repository" });
  });
});

/** Processes whose arguments name it. */
function countProcesses(named: string): number {
  return readdirSync("/proc").filter((id) => {
    if (!/^\d+$/.test(id)) return false;
    try {
      const [program = "", ...words] = readFileSync(`/proc/${id}/cmdline`, "utf8").split("\0");
      return program.endsWith("git") && words.includes(named);
    } catch {
      return false; // it has ended meanwhile
    }
  }).length;
}

test.each(["run", "start"])("a git that waits dies with the program that is killed: %s", async (how) => {
  const repository = makeRepository({ "a.py": "1\n" });
  const pipe = join(makeFolder(), "pipe");
  expect(spawnSync("mkfifo", [pipe]).status).toBe(0);
  const program = join(import.meta.dirname, "git-and-die.ts");
  const child = spawn(process.execPath, [program, join(repository, ".git"), pipe, how], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  try {
    await expect.poll(() => countProcesses(pipe), { timeout: 20_000 }).toBe(1);
  } finally {
    child.kill("SIGKILL");
    await once(child, "exit");
  }
  await expect.poll(() => countProcesses(pipe), { timeout: 5_000 }).toBe(0);
});

describe.each(usableSandboxes.map((each) => [each.name, each] as const))("keys in %s", (_, sandbox) => {
  const keys = "token-1234567890";

  test("a command finds no credentials in the configuration of git, in a large .git too", async () => {
    const repository = makeRepository({ "a.py": "1\n" });
    git(repository, "remote", "add", "origin", `https://user:${keys}@example.org/a.git`);
    git(repository, "config", "http.extraHeader", `Authorization: Basic ${keys}`);
    for (const isLarge of [false, true]) {
      if (isLarge) writeFileSync(join(repository, ".git", "large"), Buffer.alloc(9 * 1024 * 1024));
      const workspace = await openTestWorkspace(repository, sandbox);
      const checkout = await workspace.openCheckout();
      const shown = await checkout.execute({
        run: "grep -rIl token-1234567890 . ; git remote get-url origin; git log --oneline | wc -l",
        timeoutMs: 20_000,
      });
      expect(renderOutput(shown.stdout).trim().split(/\s+/)).toEqual(["https://example.org/a.git", "1"]);
    }
    expect(readFileSync(join(repository, ".git", "config"), "utf8")).toContain(keys);
  });

  test("no copy has what programs keep beside git's own files", async () => {
    const repository = makeRepository({ "a.py": "1\n" });
    const own = join(repository, ".git");
    writeFileSync(join(own, "credentials"), keys);
    writeFileSync(join(own, "hooks", "pre-push"), keys);
    writeFileSync(join(own, "FETCH_HEAD"), keys);
    appendFileSync(
      join(own, "logs", "HEAD"),
      `${"0".repeat(40)} ${"0".repeat(40)} A <a@b.c> 1 +0000\tpull https://token-1234567890@host/x: Fast-forward\n`,
    );
    for (const folder of ["worktrees/w", "annex/creds", "lfs/logs", "sequencer"])
      mkdirSync(join(own, folder), { recursive: true });
    for (const name of ["HEAD", "FETCH_HEAD", "config.worktree"])
      writeFileSync(join(own, "worktrees", "w", name), name === "HEAD" ? "ref: refs/heads/w\n" : keys);
    for (const name of ["annex/creds/x", "lfs/logs/x"]) writeFileSync(join(own, name), keys);
    writeFileSync(
      join(own, "sequencer", "todo"),
      "# https://a:p@token-1234567890@host/x?private_token=token-1234567890\n",
    );
    writeFileSync(join(own, "MERGE_MSG"), "Merge branch 'x' of https://a:token-1234567890@host/x\n");
    mkdirSync(join(own, "tool"));
    writeFileSync(join(own, "tool", "session.json"), keys);
    for (const options of [{}, { withoutSecrets: { shared: [] } }]) {
      const checkout = await (await openTestWorkspace(repository, sandbox, options)).openCheckout();
      const shown = await checkout.execute({
        run: "grep -rIl token-1234567890 .; git log --oneline | wc -l; git status --short",
        timeoutMs: 20_000,
      });
      expect(renderOutput(shown.stdout).trim()).toBe("1");
    }
  });

  test("a copy without secrets lacks those in ignored folders, and settings with a key", async () => {
    const repository = makeRepository({ "a.py": "1\n", ".gitignore": "private/\n.npmrc\n.aws/\n" });
    for (const folder of ["private/deep", "private/node_modules/a", ".aws", "sub"])
      mkdirSync(join(repository, folder), { recursive: true });
    writeFileSync(join(repository, "private", "notes"), "");
    writeFileSync(join(repository, "private", "deep", ".env"), keys);
    writeFileSync(join(repository, "private", "node_modules", "a", "cacert.pem"), "everybody's\n");
    writeFileSync(join(repository, ".aws", "credentials"), keys);
    writeFileSync(join(repository, ".npmrc"), "//registry/:_authToken=1234\n");
    writeFileSync(join(repository, "sub", ".npmrc"), "registry=https://registry.example.org/\n");
    const options = { withoutSecrets: { shared: [] } };
    const checkout = await (await openTestWorkspace(repository, sandbox, options)).openCheckout();
    const shown = await checkout.execute({
      run: "find . -path ./.git -prune -o -type f -print | sort",
      timeoutMs: 20_000,
    });
    const left = [
      ["./.gitignore", "./a.py", "./private/node_modules/a/cacert.pem"],
      ["./private/notes", "./sub/.npmrc"],
    ];
    expect(renderOutput(shown.stdout).trim().split("\n")).toEqual(left.flat());
  });

  test("a copy without secrets lacks untracked files with keys, but those that are shared", async () => {
    const repository = makeRepository({
      "a.py": "1\n",
      "certs/test.key": "a fixture\n",
      ".gitignore": ".env\n",
    });
    writeFileSync(join(repository, ".env"), keys);
    writeFileSync(join(repository, ".env.local"), keys);
    writeFileSync(join(repository, ".env.example"), "KEY=\n");
    writeFileSync(join(repository, "server.pem"), keys);
    const list = async (shared?: readonly string[]): Promise<string[]> => {
      const options = shared === undefined ? {} : { withoutSecrets: { shared } };
      const workspace = await openTestWorkspace(repository, sandbox, options);
      const checkout = await workspace.openCheckout();
      const shown = await checkout.execute({
        run: "ls -A . certs | grep -E 'env|key|pem'",
        timeoutMs: 20_000,
      });
      return renderOutput(shown.stdout).trim().split("\n").sort();
    };
    expect(await list([])).toEqual([".env.example", "test.key"]);
    expect(await list(["./.env"])).toEqual([".env", ".env.example", "test.key"]);
    expect(await list()).toEqual([".env", ".env.example", ".env.local", "server.pem", "test.key"]);
  });
});
