/** The MCP server as its clients have it: the official client, over stdio and over HTTP, on a repository with hostile files. */
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readFileSync, rmSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { codeTools } from "../../src/tools/index.generated.ts";
import { createPlayground } from "./millwright.ts";

const program = join(import.meta.dirname, "../../bin/millwright");
const playground = createPlayground();
let repository: string;
let args: string[];
let client: Client;

beforeAll(async () => {
  repository = playground.copyRepository("repair-python");
  writeFileSync(join(playground.folder, "secret.py"), "password = 1\n");
  symlinkSync("../secret.py", join(repository, "link.py"));
  writeFileSync(join(repository, "picture.py"), Buffer.from([0, 1, 2, 0]));
  writeFileSync(join(repository, "huge.py"), "x = 1\n");
  execFileSync("mkfifo", [join(repository, "pipe.py")]);
  truncateSync(join(repository, "huge.py"), 6 * 2 ** 20);
  args = ["mcp", "--structured", "--repo", repository, "--index-dir", join(playground.folder, "indexes")];
  client = new Client({ name: "test", version: "1" });
  const env = { ...process.env, MILLWRIGHT_RUNS_DIR: playground.runs } as Record<string, string>;
  await client.connect(new StdioClientTransport({ command: program, args, env, stderr: "ignore" }));
});
afterAll(async () => {
  await client.close();
  playground.remove();
});

async function ask(name: string, input: Record<string, unknown>) {
  const answer = await client.callTool({ name, arguments: input });
  const [content] = answer.content as { type: string; text: string }[];
  return { isError: answer.isError ?? false, text: content?.text ?? "", data: answer.structuredContent };
}

test("it offers the tools of the records, with their schemas", async () => {
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name).sort()).toEqual(codeTools.map(({ name }) => name).sort());
  const symbol = tools.find(({ name }) => name === "symbol");
  expect(symbol).toMatchObject({
    inputSchema: { type: "object", required: ["name"] },
    annotations: { readOnlyHint: true },
  });
});

describe("questions", () => {
  test("a definition by its name", async () => {
    const { text, data } = await ask("symbol", { name: "can_cover" });
    expect(text).toContain("ledger/account.py:22-24  function  can_cover  def can_cover(account, amount)");
    expect(data).toMatchObject({ total: 1, entities: [{ path: "ledger/account.py", startLine: 22 }] });
  });

  test("a file's outline, and the map of the repository", async () => {
    expect((await ask("outline", { path: "ledger/account.py" })).text).toMatch(
      /^5-\d+ {2}class Account\n {2}6-\d+ {2}def __init__/m,
    );
    expect((await ask("map", {})).text).toContain("can_cover");
  });

  test("who calls and uses it", async () => {
    expect((await ask("callers", { name: "can_cover" })).text).toMatch(
      /ledger\/account\.py\n {2}17 {2}calls {2}in Account\.withdraw {2}\| if not can_cover/,
    );
    expect((await ask("references", { path: "ledger/account.py", line: 1 })).text).toContain(
      "ledger/account.py\n  18  ",
    );
  });

  test("the places that a text is about, and the tests of one", async () => {
    const found = await ask("find", {
      query: "withdraw refuses the whole available balance: InsufficientFunds",
    });
    expect(found.text).toMatch(/^Files\nledger\/account\.py/);
    expect(found.text).toMatch(/22 {2}def can_cover|16 {2} {4}def withdraw/);
    const tests = await ask("related-tests", { path: "ledger/account.py" });
    expect(tests.text).toContain("tests/test_transfer.py");
  });

  test("a change of a file is seen by the next question", async () => {
    const path = join(repository, "ledger/fresh.py");
    const edit = { edits: block("elsewhere/ledger/fresh.py", "    pass", "    return 1"), check: "off" };
    expect((await ask("edit", edit)).text).toContain("There is no file elsewhere/ledger/fresh.py");
    writeFileSync(path, "def brand_new():\n    pass\n");
    expect((await ask("symbol", { name: "brand_new" })).text).toContain("ledger/fresh.py:1-2");
    expect((await ask("edit", edit)).text).toContain("+++ b/ledger/fresh.py");
    rmSync(path);
    expect((await ask("symbol", { name: "brand_new" })).isError).toBe(true);
  });
});

describe("what cannot be answered is said, with what to do", () => {
  test.for([
    ["symbol", { name: "can_covr" }, /^not-found: Nothing is called can_covr\. Similar: can_cover/],
    ["outline", { path: "../secret.py" }, /^refused: .*is outside the repository/],
    ["outline", { path: "/etc/passwd" }, /^refused: .*is outside the repository/],
    ["outline", { path: "link.py" }, /^refused: link\.py .*symbolic link/],
    ["outline", { path: "picture.py" }, /^refused: picture\.py .*binary/],
    ["outline", { path: "huge.py" }, /^refused: huge\.py .*larger than 5 MiB/],
    ["outline", { path: "none.py" }, /^no-file: none\.py/],
    ["diagnostics", { path: "link.py" }, /^refused: link\.py leads outside the repository/],
    ["diagnostics", { path: "ledger/none.py" }, /^no-file: There is no file/],
    ["references", {}, /^not-found: Give the definition/],
    ["related-tests", { path: "link.py" }, /^refused: link\.py/],
    ["edit", { edits: "nothing" }, /^not-applied: The text contains no edit/],
    ["edit", { edits: block("link.py", "password = 1", "") }, /^not-applied: edit 1: link\.py leads outside/],
    [
      "edit",
      { edits: block("../secret.py", "password = 1", "") },
      /^not-applied: edit 1: \.\.\/secret\.py could lead outside/,
    ],
    [
      "edit",
      { edits: block("pipe.py", "x", "y") },
      /^not-applied: edit 1: pipe\.py is not a regular file \(socket, pipe/,
    ],
    ["outline", { path: "pipe.py" }, /^no-file: pipe\.py/],
    ["edit", { edits: block("picture.py", "x", "y") }, /^not-applied: edit 1: picture\.py is binary/],
    [
      "edit",
      { edits: block("ledger/account.py", "    return amount", "") },
      /^not-applied: The edit causes a syntax error in ledger\/account\.py/,
    ],
  ] as const)("%s %o", async ([name, input, message]) => {
    const answer = await ask(name, input);
    expect(answer).toMatchObject({ isError: true, text: expect.stringMatching(message) });
  });

  test("input that fits no schema", async () => {
    const answer = await ask("symbol", { name: 3 }).catch((error: Error) => ({
      isError: true,
      text: error.message,
    }));
    expect(answer).toMatchObject({ isError: true, text: expect.stringContaining("name") });
  });
});

describe("edits", () => {
  const right = () =>
    block("ledger/account.py", "    return amount < available", "    return amount <= available");
  const read = () => readFileSync(join(repository, "ledger/account.py"), "utf8");

  test("are only shown where nothing may be written, or a dry run is asked for", async () => {
    const before = read();
    const shown = await ask("edit", { edits: right() });
    expect(shown).toMatchObject({ isError: false, data: { applied: false, files: ["ledger/account.py"] } });
    expect(shown.text).toContain("This server may only read");
    expect(shown.text).toContain("+    return amount <= available");
    expect(read()).toBe(before);
  });

  test("are made, all or none, where the user allows it", async () => {
    const writer = new Client({ name: "test", version: "1" });
    const env = { ...process.env, MILLWRIGHT_RUNS_DIR: playground.runs } as Record<string, string>;
    const transport = new StdioClientTransport({
      command: program,
      args: [...args, "--write"],
      env,
      stderr: "ignore",
    });
    await writer.connect(transport);
    try {
      const before = read();
      const half = `${right()}${block("ledger/none.py", "x", "y")}`;
      expect(await writer.callTool({ name: "edit", arguments: { edits: half } })).toMatchObject({
        isError: true,
      });
      expect(read()).toBe(before);
      const wrong = block(
        "ledger/account.py",
        "        self.balance = balance",
        "        self.balance = balanc",
      );
      const refused = await writer.callTool({ name: "edit", arguments: { edits: wrong } });
      // Without a language server on the machine nobody sees it, and the answer says so.
      if (refused.isError !== true) {
        expect(refused.structuredContent).toMatchObject({ checkedBy: expect.stringMatching(/^nobody: /) });
        writeFileSync(join(repository, "ledger/account.py"), before);
      } else
        expect(refused.content).toMatchObject([
          { text: expect.stringMatching(/cause an error.*\n.*balanc/) },
        ]);
      expect(read()).toBe(before);
      const made = await writer.callTool({ name: "edit", arguments: { edits: right() } });
      expect(made.structuredContent).toMatchObject({ applied: true });
      expect(read()).toBe(before.replace("amount < available", "amount <= available"));
    } finally {
      await writer.close();
    }
  });
});

test("language servers see files that were changed, made and removed since they started", async () => {
  const server = join(import.meta.dirname, "../fixtures/odd-language-server.mjs");
  const odd = {
    command: [process.execPath, server, "good", "{scratch}"],
    languages: { ".odd": "odd" },
    readiness: "at-once",
  };
  writeFileSync(join(repository, "millwright.config.json"), JSON.stringify({ languageServers: { odd } }));
  writeFileSync(join(repository, "one.odd"), "one two\n");
  const own = new Client({ name: "test", version: "1" });
  const env = { ...process.env, MILLWRIGHT_RUNS_DIR: playground.runs } as Record<string, string>;
  const flags = [...args, "--sandbox", "local"];
  await own.connect(new StdioClientTransport({ command: program, args: flags, env, stderr: "ignore" }));
  const define = async (path: string, name: string): Promise<string> => {
    const answer = await own.callTool({ name: "definition", arguments: { path, line: 1, name } });
    return (answer.content as { text: string }[])[0]?.text ?? "";
  };
  try {
    expect(await define("one.odd", "one")).toBe("one.odd:1: one two\n(odd about one (one.odd:1))");
    writeFileSync(join(repository, "one.odd"), "one changed\n");
    mkdirSync(join(repository, "sub"));
    writeFileSync(join(repository, "sub/two.odd"), "two new\n");
    expect(await define("one.odd", "one")).toMatch(/^one\.odd:1: one changed\n/);
    expect(await define("sub/two.odd", "two")).toContain("(odd about two (sub/two.odd:1))");
    rmSync(join(repository, "one.odd"));
    expect(await define("one.odd", "one")).toMatch(/^not-found: .*one\.odd cannot be read/);
  } finally {
    await own.close();
  }
});

test("a large repository answers from its words at once and says so, and from its syntax when that was read", async () => {
  const large = join(playground.folder, "large");
  mkdirSync(large);
  for (let file = 0; file < 32; file++) {
    const functions = Array.from({ length: 40 }, (_, at) => {
      const text = "    # what it is for, at some length\n".repeat(46);
      return `def f${file}_${at}():\n${text}    return f${file}_${(at + 1) % 40}()\n`;
    });
    writeFileSync(join(large, `m${file}.py`), functions.join(""));
  }
  const own = new Client({ name: "test", version: "1" });
  const ownArgs = ["mcp", "--repo", large, "--index-dir", join(playground.folder, "large-indexes")];
  const env = { ...process.env, MILLWRIGHT_RUNS_DIR: playground.runs } as Record<string, string>;
  await own.connect(new StdioClientTransport({ command: program, args: ownArgs, env, stderr: "ignore" }));
  try {
    const callers = async (): Promise<string> => {
      const input = { name: "f7_2", server: "never" };
      const answer = await own.callTool({ name: "callers", arguments: input });
      return (answer.content as { text: string }[])[0]?.text ?? "";
    };
    const first = await callers();
    expect(first).toContain("in f7_1");
    expect(first).toContain("32 of 32 files are not parsed yet");
    await expect.poll(callers, { timeout: 60_000 }).not.toMatch(/indexed only|so far/);
    expect(await callers()).toContain("in f7_1");
  } finally {
    await own.close();
  }
}, 90_000);

test("over HTTP, for this machine only", async () => {
  const child = spawn(program, [...args, "--http", "0", "--origin", "http://localhost:5173"], {
    stdio: ["ignore", "ignore", "pipe"],
  });
  try {
    const lines = createInterface(child.stderr);
    let url = "";
    let authorization = "";
    for await (const line of lines) {
      if (line.startsWith("http")) url = line;
      if (!line.startsWith("Authorization: ")) continue;
      authorization = line.slice("Authorization: ".length);
      break;
    }
    const other = new Client({ name: "test", version: "1" });
    const requestInit = { headers: { authorization } };
    await other.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit }));
    const answer = await other.callTool({ name: "symbol", arguments: { name: "Account" } });
    expect(answer.structuredContent).toMatchObject({ total: 1 });
    await other.close();
    expect(await statusOf(url, { authorization, origin: "http://evil.example" })).toBe(403);
    expect(await statusOf(url, { authorization, host: "evil.example" })).toBe(403);
    // Another server's page on this machine, and a program that was not given the token.
    expect(await statusOf(url, { authorization, origin: "http://localhost:1" })).toBe(403);
    expect(await statusOf(url, {})).toBe(401);
    expect(await statusOf(url, { authorization: "Bearer guess" })).toBe(401);
    expect(await statusOf(`${new URL(url).origin}//`, { authorization })).toBe(404);
    expect(await statusOf(url, { authorization, origin: "http://localhost:5173" })).not.toBe(403);
  } finally {
    child.kill("SIGTERM");
    await once(child, "exit");
  }
});

function block(path: string, original: string, updated: string): string {
  return `${path}\n<<<<<<< ORIGINAL\n${original}\n=======\n${updated}\n>>>>>>> UPDATED\n`;
}

function statusOf(url: string, headers: Record<string, string>): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    request(url, { method: "POST", headers }, (response) => {
      response.resume();
      resolve(response.statusCode);
    })
      .on("error", reject)
      .end();
  });
}
