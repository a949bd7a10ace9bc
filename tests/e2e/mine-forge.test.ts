/** `bench mine --forge`: changes from merged requests, statements from issues as they stood before the fix. */
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { type Recording, readRecording, startForgeServer } from "../forge-server.ts";
import { makeLedger, mendLedger, replaceIn } from "./bench-fixture.ts";
import { createPlayground, type Playground } from "./millwright.ts";
import { readLines } from "./mine-fixture.ts";

const token = "t0ken-of-the-user";
const anchor = "\n    def test_never_goes_beyond_the_overdraft";
const emptyTest = `
    def test_empties_an_account(self):
        rent, salary = Account("rent"), Account("salary", 100)
        self.assertTrue(transfer(salary, rent, 100))
`;
const closeTest = `
    def test_closes(self):
        account = Account("rent", 5)
        account.close()
        self.assertEqual(account.balance, 0)
`;

/** The history of the recording: a squash without a number, and a request of two commits that was rebased. */
function makeHistory(folder: string) {
  const commit = (message: string, authored: string, committed: string): string => {
    const git = ["-c", "user.name=Ada", "-c", "user.email=ada@example.invalid"];
    execFileSync("git", [...git, "commit", "-q", "-a", "-m", message], {
      cwd: folder,
      env: { ...process.env, GIT_AUTHOR_DATE: authored, GIT_COMMITTER_DATE: committed },
    });
    return execFileSync("git", ["rev-parse", "HEAD"], { cwd: folder, encoding: "utf8" }).trim();
  };
  mendLedger(folder);
  replaceIn(folder, "tests/test_transfer.py", anchor, `${emptyTest}${anchor}`);
  const squash = commit("Let a transfer empty its source", "2024-03-03T11:00:00Z", "2024-03-03T12:00:00Z");
  const before = "    def withdraw";
  const close = "    def close(self):\n        self.balance = 0\n\n    def withdraw";
  replaceIn(folder, "ledger/account.py", before, close);
  commit("Add a way to close\n\nLonger.", "2024-03-04T07:00:00Z", "2024-03-05T12:00:00Z");
  replaceIn(folder, "tests/test_transfer.py", anchor, `${closeTest}${anchor}`);
  const rebased = commit("Test it", "2024-03-04T07:30:00Z", "2024-03-05T12:00:00Z");
  return { squash, rebased };
}

function withCommits(recording: Recording, { squash, rebased }: ReturnType<typeof makeHistory>): Recording {
  const text = JSON.stringify(recording.exchanges)
    .replaceAll("a".repeat(40), squash)
    .replaceAll("b".repeat(40), rebased);
  return { ...recording, exchanges: JSON.parse(text) };
}

async function start(playground: Playground, edit: (text: string) => string = (text) => text) {
  const { folder } = makeLedger(playground).repository;
  const recording = withCommits(readRecording("github"), makeHistory(folder));
  const exchanges = JSON.parse(edit(JSON.stringify(recording.exchanges)));
  const server = await startForgeServer({ ...recording, exchanges });
  onTestFinished(() => server.close());
  const out = join(playground.folder, "mined");
  const mine = (step: string, ...more: string[]) =>
    playground.start(
      ["bench", "mine", step, folder, "--out", out, "--forge", `github=${server.page}`, ...more],
      { env: { GITHUB_TOKEN: token } },
    ).ended;
  return { folder, out, mine, server };
}

function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), "utf8"));
}

test("a rebased request is one change, and a statement is the issue's text from before the fix", async () => {
  const playground = createPlayground();
  onTestFinished(() => playground.remove());
  const { folder, out, mine, server } = await start(playground);
  server.faults.push(undefined, "cut", { status: 429, headers: { "retry-after": "1" } });
  const end = await mine("filter", "--json");
  expect(end.exitCode, end.stderr).toBe(0);
  expect(end.stderr).toContain("too many requests (status 429); waiting 1 s");
  const { candidates, steps } = JSON.parse(end.stdout);
  expect(candidates).toEqual(["acme__ledger-3"]);
  expect(steps[1].causes, "a short message, and a commit that only removes tests").toMatchObject({
    statement: 1,
    "no-tests": 1,
  });
  expect(steps[0]).toMatchObject({ step: "collect", kept: 3 });
  const stored = readdirSync(join(out, "results")).map((name) =>
    JSON.parse(readFileSync(join(out, "results", name), "utf8")),
  );
  const { result } = stored.find(({ schema }) => schema === "millwright.mine-collect/1");
  const parent = execFileSync("git", ["rev-parse", "HEAD~2"], { cwd: folder, encoding: "utf8" }).trim();
  expect(result.slice(0, 2)).toMatchObject([
    {
      ...{ number: 5, foundBy: "request", base: parent, statementFrom: "message", code: 1 },
      statement: "Close accounts\n\nAdd a way to close\n\nLonger.\n\nTest it",
      request: { opened: "2024-03-04T08:00:00Z", merged: "2024-03-05T12:00:00Z", labels: [] },
    },
    {
      ...{ number: 3, foundBy: "request", issues: [2], statementFrom: "issue" },
      statement: expect.stringMatching(/^The last coin stays in the account\n\nMoving .*\nI expect True/s),
      discussion: { opened: "2024-03-01T10:00:00Z", comments: 1 },
      request: { labels: ["bug"] },
    },
  ]);
  expect([end.stdout, end.stderr, ...filesIn(out)].filter((text) => text.includes(token))).toEqual([]);

  const count = server.log.length;
  expect((await mine("filter")).exitCode).toBe(0);
  expect(server.log.slice(count), "an equal history needs no host").toEqual([]);
  expect((await mine("filter", "--fresh")).exitCode).toBe(0);
  const again = server.log.slice(count).filter((line) => line.startsWith("GET"));
  expect(again.length).toBeGreaterThan(3);
  expect(again.filter((line) => !line.endsWith(" 304"))).toEqual([]);
});

test("an issue whose text changed after the fix is no statement, and the ledger says so", async () => {
  const playground = createPlayground();
  onTestFinished(() => playground.remove());
  const edited = "2024-03-02T09:00:00Z";
  const { out, mine } = await start(playground, (text) => text.replaceAll("2024-03-01T10:30:00Z", edited));
  const end = await mine("filter");
  expect(end.exitCode, end.stderr).toBe(0);
  expect(readLines(join(out, "ledger.jsonl"))).toContainEqual(
    expect.objectContaining({
      candidate: "acme__ledger-3",
      cause: "late-text",
      detail: expect.stringContaining(edited),
    }),
  );
});

test("an address that is no repository's page is refused with the right form", async () => {
  const playground = createPlayground();
  onTestFinished(() => playground.remove());
  const { folder } = makeLedger(playground).repository;
  const mine = (forge: string) =>
    playground.start(["bench", "mine", "collect", folder, "--out", "out", "--forge", forge]).ended;
  const [unknown, without] = [await mine("sourcehut"), await mine("gitea")];
  expect(unknown).toMatchObject({ exitCode: 2, stderr: expect.stringContaining("gitea, github, gitlab") });
  expect(without).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining("--forge gitea=https://HOST/OWNER/NAME"),
  });
});

test("select keeps the repositories of a host that meet the criteria, and says why it drops others", async () => {
  const playground = createPlayground();
  onTestFinished(() => playground.remove());
  const server = await startForgeServer(readRecording("github"));
  onTestFinished(() => server.close());
  const out = join(playground.folder, "selected");
  const select = (...more: string[]) =>
    playground.start(
      ["bench", "mine", "select", ...more, "--out", out, "--language", "Python", "--least-stars", "50"],
      { env: { GITHUB_TOKEN: token } },
    ).ended;
  const found = await select(
    `github=${server.origin}`,
    "--active-since",
    "2024-01-01",
    "--least-merged",
    "2",
  );
  expect(found.exitCode, found.stderr).toBe(0);
  expect(found.stdout).toContain(`${server.page}: Python; 120 stars; active until 2024-06-01`);
  expect(found.stderr).toContain("select: 1 of 1 kept");
  expect(readLines(join(out, "repositories.jsonl"))).toMatchObject([
    { url: server.page, repository: "acme/ledger", drawn: true, figures: { testFiles: 1, merged: 2 } },
  ]);

  const dropped = await select(
    ...[`github=${server.page}`, `github=${server.origin}/acme/nothing`],
    ...["--least-tests", "2", "--json"],
  );
  expect(JSON.parse(dropped.stdout)).toMatchObject({
    schema: "millwright.bench-select/1",
    step: { candidates: 2, kept: 0, causes: { "few-tests": 1, unreadable: 1 } },
    repositories: [],
  });
  expect(readLines(join(out, "ledger.jsonl")).map((line) => line["cause"])).toEqual([
    undefined,
    "few-tests",
    "unreadable",
  ]);
  for (const text of filesIn(out)) expect(text).not.toContain(token);

  const wrong = await select("github=https://example.com/acme");
  expect(wrong.exitCode).toBe(2);
  expect(wrong.stderr).toContain("is not the page of a repository");
});
