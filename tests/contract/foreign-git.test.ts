/** Git directories of other people, whose configuration names programs and endless files: git runs and reads none of them. */
import { spawnSync } from "node:child_process";
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { renderOutput } from "../../src/base/captured-output.ts";
import { findTaskCommit } from "../../src/bench/find-repository.ts";
import { prepareEnvironment } from "../../src/bench/prepare-environment.ts";
import { readChangelogEntries, readMainLine } from "../../src/mine/history.ts";
import { readSetting, runForeignGit, withGitView } from "../../src/workspace/foreign-git.ts";
import { headCommitOf } from "../../src/workspace/repository-files.ts";
import {
  git,
  localSandbox,
  makeFolder,
  makeRepository,
  openTestWorkspace,
  writeFiles,
} from "./workspace-fixture.ts";

/** A program that leaves a mark when it runs. */
function makeProgram(): { readonly program: string; hasRun(): boolean } {
  const folder = makeFolder();
  const [program, mark] = [join(folder, "program"), join(folder, "mark")];
  writeFileSync(program, `#!/bin/sh\ntouch ${mark}\ncat "$@"\n`);
  chmodSync(program, 0o755);
  return { program, hasRun: () => existsSync(mark) };
}

/** Gives the newest commit a signature, which git checks if the configuration asks for it. */
function signCommit(repository: string): void {
  const [head = "", ...message] = git(repository, "cat-file", "commit", "HEAD").split("\n\n");
  const signature = "gpgsig -----BEGIN PGP SIGNATURE-----\n \n abc\n -----END PGP SIGNATURE-----";
  const file = join(makeFolder(), "commit");
  writeFileSync(file, `${head}\n${signature}\n\n${message.join("\n\n")}\n`);
  git(repository, "reset", "--quiet", "--hard", git(repository, "hash-object", "-t", "commit", "-w", file));
}

function makeHistory(): string {
  const repository = makeRepository({ "a.py": "1\n" });
  writeFiles(repository, { "CHANGELOG.md": "* Mends a.\n" });
  git(repository, "add", "--all");
  git(repository, "commit", "--quiet", "--message=Mend a");
  return repository;
}

test("the history of a clone is read without the programs of its configuration", async () => {
  const { program, hasRun } = makeProgram();
  const repository = makeHistory();
  signCommit(repository);
  for (const key of ["gpg.program", "core.fsmonitor", "diff.external", "diff.evil.textconv", "core.pager"])
    git(repository, "config", key, program);
  git(repository, "config", "log.showSignature", "true");
  mkdirSync(join(repository, ".git", "info"), { recursive: true });
  writeFileSync(join(repository, ".git", "info", "attributes"), "* diff=evil\n");
  const gitDirectory = join(repository, ".git");
  const [commit] = await readMainLine({ gitDirectory, since: undefined });
  expect(commit).toMatchObject({ message: "Mend a", files: ["CHANGELOG.md"] });
  if (commit !== undefined) expect(await readChangelogEntries(gitDirectory, commit)).toBe("* Mends a.");
  expect(hasRun()).toBe(false);
});

test("a configuration that includes a pipe holds up nothing", async () => {
  const repository = makeHistory();
  const pipe = join(makeFolder(), "pipe");
  spawnSync("mkfifo", [pipe]);
  git(repository, "remote", "add", "origin", "https://example.org/a.git");
  appendFileSync(join(repository, ".git", "config"), `[include]\n\tpath = ${pipe}\n`);
  const gitDirectory = join(repository, ".git");
  expect(await readSetting(gitDirectory, "remote.origin.url")).toBe("https://example.org/a.git");
  expect(await readMainLine({ gitDirectory, since: undefined })).toHaveLength(1);
  const commit = await headCommitOf(repository);
  expect(commit).toMatch(/^[0-9a-f]{40}$/);
  expect((await openTestWorkspace(repository)).commit).toBe(commit);
});

test("a view shows references, tags and packed objects, in a linked work tree and with SHA-256 too", async () => {
  const repository = makeHistory();
  git(repository, "tag", "v1.2.0");
  git(repository, "pack-refs", "--all");
  git(repository, "gc", "--quiet");
  const linked = join(makeFolder(), "linked");
  git(repository, "worktree", "add", "--quiet", "-b", "other", linked);
  const other = join(makeFolder(), "sha256");
  mkdirSync(other);
  git(other, "init", "--quiet", "--object-format=sha256");
  writeFiles(other, { a: "1\n" });
  git(other, "add", "--all");
  git(other, "commit", "--quiet", "--message=first");
  git(other, "tag", "v1.2.0");
  const folders = [
    join(repository, ".git"),
    join(repository, ".git", "worktrees", "linked"),
    join(other, ".git"),
  ];
  for (const gitDirectory of folders) {
    const described = await runForeignGit({ gitDirectory, arguments: ["describe", "--tags", "HEAD"] });
    expect(described.stdout.toString()).toBe("v1.2.0\n");
  }
  expect(await headCommitOf(other)).toBe(git(other, "rev-parse", "HEAD"));
  expect(await headCommitOf(linked)).toBe(git(linked, "rev-parse", "HEAD"));
});

test("a view has the tables of references", async () => {
  const repository = makeHistory();
  const gitDirectory = join(repository, ".git");
  mkdirSync(join(gitDirectory, "reftable"));
  git(repository, "config", "core.repositoryFormatVersion", "1");
  appendFileSync(join(gitDirectory, "config"), "[extensions]\n\trefStorage = reftable\n");
  await withGitView(gitDirectory, async (view) => {
    expect(readlinkSync(join(view, "reftable"))).toBe(join(gitDirectory, "reftable"));
    expect(await readSetting(view, "extensions.refStorage")).toBe("reftable");
    expect(await readSetting(view, "core.repositoryFormatVersion")).toBe("1");
  });
});

const readsTables = spawnSync("git", ["init", "-h"], { encoding: "utf8" }).stdout.includes("--ref-format");
const tooOld = readsTables ? "" : " (skipped: git is too old)";
test.skipIf(!readsTables)(`a view shows the HEAD in a table of references${tooOld}`, async () => {
  const repository = makeFolder();
  git(repository, "init", "--quiet", "--ref-format=reftable");
  writeFiles(repository, { a: "1\n" });
  git(repository, "add", "--all");
  git(repository, "commit", "--quiet", "--message=first");
  expect(await headCommitOf(repository)).toBe(git(repository, "rev-parse", "HEAD"));
});

test("a setup leaves no program in a submodule that runs outside the sandbox", async () => {
  const { program, hasRun } = makeProgram();
  const source = makeRepository({ "a.py": "1\n" });
  git(source, "update-index", "--add", "--cacheinfo", `160000,${git(source, "rev-parse", "HEAD")},lib`);
  git(source, "commit", "--quiet", "--message=Add a submodule");
  const author = "-c user.name=A -c user.email=a@example.org";
  const setup = `cd lib && git init -q . && touch a && git add a && git ${author} commit -qm x && git config core.fsmonitor ${program} && touch ../built`;
  const folder = join(makeFolder(), "environment");
  const { repository, notes } = await prepareEnvironment({
    ...{ source: join(source, ".git"), commit: git(source, "rev-parse", "HEAD"), folder, setup },
    ...{ fullName: "a/b", name: "b", basePatch: undefined, remove: [], limitMs: 60_000, variables: {} },
    ...{ frozen: undefined, shared: undefined, hostEnvironment: process.env },
    sandbox: {
      provider: localSandbox.provider,
      mounts: localSandbox.mounts,
      ...{ owner: `test-${process.pid}`, network: false },
      limits: { memoryBytes: 1024 ** 3, cpus: 1, processes: 256 },
    },
    signal: new AbortController().signal,
  });
  expect(existsSync(join(repository, "built"))).toBe(true);
  expect(hasRun()).toBe(false);
  expect(notes).toEqual([]);
});

test("the copy of a linked git folder follows no link and waits for no pipe", async () => {
  const key = "token-1234567890";
  const repository = makeRepository({ "a.py": "1\n" });
  const linked = join(makeFolder(), "linked");
  git(repository, "worktree", "add", "--quiet", "-b", "other", linked);
  const secret = join(makeFolder(), "id_rsa");
  writeFileSync(secret, key);
  const own = join(repository, ".git", "worktrees", "linked");
  rmSync(join(own, "ORIG_HEAD"), { force: true });
  symlinkSync(secret, join(own, "ORIG_HEAD"));
  spawnSync("mkfifo", [join(own, "MERGE_HEAD")]);
  const checkout = await (await openTestWorkspace(linked)).openCheckout();
  const shown = await checkout.execute({ run: "ls .git; git log --oneline | wc -l", timeoutMs: 20_000 });
  expect(shown.exitCode).toBe(0);
  expect(existsSync(join(checkout.folder, ".git", "ORIG_HEAD"))).toBe(false);
  expect(existsSync(join(checkout.folder, ".git", "MERGE_HEAD"))).toBe(false);
});

test("a task's repository does not lead out of the folder of repositories", async () => {
  const repository = makeRepository({ "a.py": "1\n" });
  const commit = git(repository, "rev-parse", "HEAD");
  const folder = join(repository, "..");
  const inner = join(folder, "inner");
  mkdirSync(inner);
  expect((await findTaskCommit({ repositories: folder }, "acme/project", commit)).commit).toBe(commit);
  await expect(findTaskCommit({ repositories: inner }, "../project", commit)).rejects.toMatchObject({
    code: "usage",
  });
});

test("a run with a model copies a linked git folder only if it is the repository's own", async () => {
  const other = makeRepository({ "private.txt": "1\n" });
  const main = makeRepository({ "a.py": "1\n" });
  const linked = join(makeFolder(), "linked");
  git(main, "worktree", "add", "--quiet", "-b", "other", linked);
  const module = join(makeFolder(), "super");
  mkdirSync(module);
  git(module, "init", "--quiet");
  git(module, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", main, "lib");
  const hostile = makeRepository({ "a.py": "1\n" });
  rmSync(join(hostile, ".git"), { recursive: true });
  writeFileSync(join(hostile, ".git"), `gitdir: ${join(other, ".git")}\n`);
  const indirect = makeRepository({ "a.py": "1\n" });
  renameSync(join(indirect, ".git"), join(indirect, "own"));
  writeFileSync(join(indirect, ".git"), "gitdir: own\n");
  const inside = await logOf(indirect, []);
  writeFileSync(join(indirect, "own", "commondir"), join(other, ".git"));
  expect(inside).toBe("1");
  expect(await logOf(linked, [])).toBe("1");
  expect(await logOf(join(module, "lib"), [])).toBe("1");
  expect(await logOf(hostile, [])).toBe("0");
  expect(await logOf(indirect, [])).toBe("0");
  expect(await logOf(hostile, [".git"])).toBe("1");
});

/** Counts the commits that a command of a run with a model sees. */
async function logOf(repository: string, shared: readonly string[]): Promise<string> {
  const workspace = await openTestWorkspace(repository, localSandbox, { withoutSecrets: { shared } });
  const checkout = await workspace.openCheckout();
  const run = "git log --oneline 2>/dev/null | wc -l";
  return renderOutput((await checkout.execute({ run, timeoutMs: 20_000 })).stdout).trim();
}
