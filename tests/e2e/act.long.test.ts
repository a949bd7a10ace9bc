/** One action alone, on the command line and over MCP: from the same records, on a copy of the repository. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { afterAll, beforeAll, expect, test } from "vitest";
import { actions } from "../../src/actions/index.generated.ts";
import { createPlayground, fingerprint, type Playground } from "./millwright.ts";
import { editBlock } from "./scripted-solve.ts";

let playground: Playground;
let repository: string;
let before: string;
beforeAll(() => {
  playground = createPlayground();
  repository = playground.copyRepository("repair-python");
  before = fingerprint(repository);
});
afterAll(() => playground.remove());

const right = "    return amount <= available";
const patch = `--- a/ledger/account.py\n+++ b/ledger/account.py\n@@ -24 +24 @@\n-    return amount < available\n+${right}\n`;
const place = { file: "ledger/account.py", startLine: 22, endLine: 24, why: "it decides" };
const says = (role: string, name: string, input: object) => ({ when: { role }, calls: [{ name, input }] });
const search = says("retrieval", "report", { places: [place], answer: "can_cover decides" });
const write = [
  says("editing", "edit", {
    edits: editBlock("ledger/account.py", "    return amount < available", right),
  }),
  says("editing", "done", { summary: "all of it may be paid" }),
];

function script(name: string, answers: readonly object[]): string {
  const path = join(playground.folder, name);
  writeFileSync(path, JSON.stringify({ answers }));
  return `scripted:${path}`;
}

async function act(...args: string[]) {
  const end = await playground.start(["act", ...args, "--repo", repository, "--json"]).ended;
  return { ...end, data: JSON.parse(end.stdout) };
}

test("what a sub-agent found, with its cost, and no test was run for it", async () => {
  const model = script("search.json", [search]);
  const { exitCode, data, stderr } = await act(
    "code-retrieval",
    "where a payment is refused",
    "--model",
    model,
  );
  expect(exitCode).toBe(0);
  expect(data).toMatchObject({
    schema: "millwright.act/1",
    text: expect.stringContaining("can_cover decides"),
    state: { codePlaces: [place] },
    usage: { calls: 1 },
  });
  expect(stderr).not.toContain("run the tests");
});

test("processes that share a budget's file spend no more than it has, whoever is first", async () => {
  const shared = join(playground.folder, "budget.json");
  writeFileSync(shared, JSON.stringify({ calls: 1 }));
  const model = script("shared.json", [search]);
  const ends = await Promise.all(
    [1, 2].map(() => act("code-retrieval", "where", "--model", model, "--batch-budget", shared)),
  );
  expect(ends.map(({ exitCode }) => exitCode).sort()).toEqual([0, 1]);
  expect(ends.find(({ exitCode }) => exitCode === 1)?.data.text).toContain("the limit of model calls");
});

test("a patch of one's own is measured without a model, and one that is written is printed", async () => {
  const own = join(playground.folder, "own.diff");
  writeFileSync(own, patch);
  const measured = await act("execute-tests", "c1", "--candidate", own);
  expect(measured.data.text).toMatch(/2 of 2 tests that show the fault pass.* 0 of \d+ other tests? break/);
  const model = script("write.json", write);
  const written = await act("edit-code", "let all of it be paid", "--model", model);
  expect(written.data.candidates).toMatchObject([{ id: "c1", patch: expect.stringContaining(`+${right}`) }]);
  expect(fingerprint(repository)).toBe(before);
});

test.each([
  [["paint"], /Unknown action: paint/],
  [["execute-tests", "--input", "{}"], /execute-tests: candidate/],
])("%o is a wrong use, and says so", async (args, message) => {
  const { exitCode, data } = await act(...args);
  expect(exitCode).toBe(2);
  expect(data).toMatchObject({ schema: "millwright.error/1", message: expect.stringMatching(message) });
});

async function connect(client: Client, ...flags: string[]): Promise<void> {
  const args = ["mcp", "--repo", repository, "--structured", "--actions", ...flags];
  const env = { ...process.env, MILLWRIGHT_RUNS_DIR: playground.runs } as Record<string, string>;
  const command = join(import.meta.dirname, "../../bin/millwright");
  await client.connect(new StdioClientTransport({ command, args, env, stderr: "ignore" }));
}

test("over MCP, each action; those for one statement share what they find", async () => {
  const client = new Client({ name: "test", version: "1" });
  await connect(client, "--model", script("served.json", [search, ...write]));
  const ask = async (name: string, input: object) => {
    const answer = await client.callTool(
      { name, arguments: { statement: "test_empties_an_account fails", ...input } },
      { timeout: 120_000 },
    );
    return { ...answer, text: (answer.content as { text: string }[])[0]?.text ?? "" };
  };
  try {
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(expect.arrayContaining(actions.map(({ name }) => name)));
    const hints = tools.map(({ name, annotations }) => [name, annotations?.readOnlyHint]);
    expect(Object.fromEntries(hints)).toMatchObject({
      ask: true,
      "code-retrieval": true,
      "edit-code": false,
    });
    expect((await ask("code-retrieval", { intent: "where" })).text).toContain("can_cover decides");
    const [, edited] = await Promise.all([
      ask("execute-tests", { candidate: "c9" }),
      ask("edit-code", { intent: "let all of it be paid" }),
    ]);
    expect(edited.text).toContain("Candidate c1");
    const finished = await ask("finish", { candidate: "c1" });
    expect(finished).toMatchObject({
      structuredContent: { state: { codePlaces: [place] }, usage: { calls: 3 } },
    });
    expect(finished.text).toContain("c1 is verified");
    expect(await ask("finish", { candidate: "c7" })).toMatchObject({ isError: true });
    expect(fingerprint(repository)).toBe(before);
  } finally {
    await client.close();
  }
});

const question = { question: "May it be used up?", choices: ["yes", "no"], assumption: "yes" };
const statement = "An account's overdraft";

test("over MCP, a client that has forms asks its user, once, with the choices; what is declined is assumed", async () => {
  const forms: unknown[] = [];
  const client = new Client(
    { name: "editor", version: "1" },
    { capabilities: { elicitation: { form: {} } } },
  );
  client.setRequestHandler("elicitation/create", async ({ params }) => {
    forms.push(params);
    return forms.length === 1
      ? { action: "accept" as const, content: { answer: "no" } }
      : { action: "decline" as const };
  });
  await connect(client);
  const ask = async (asked: object) =>
    JSON.stringify((await client.callTool({ name: "ask", arguments: { ...question, ...asked } })).content);
  try {
    expect(await ask({ statement })).toContain("The user says: no");
    expect(forms).toMatchObject([
      {
        message: question.question,
        requestedSchema: { properties: { answer: { enum: question.choices } } },
      },
    ]);
    expect(await ask({ statement, question: "And below zero?" })).toContain("Assumed: yes");
    expect(forms).toHaveLength(1);
    expect(await ask({ statement: "Another one" })).toContain("Assumed: yes");
    expect(forms).toHaveLength(2);
  } finally {
    await client.close();
  }
});

test("over MCP, a client that has none is never waited for", async () => {
  const client = new Client({ name: "plain", version: "1" });
  await connect(client);
  try {
    const { content } = await client.callTool({ name: "ask", arguments: { ...question, statement } });
    expect(JSON.stringify(content)).toContain("The user gave no answer. Assumed: yes");
  } finally {
    await client.close();
  }
});
