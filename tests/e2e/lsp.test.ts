import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createPlayground, fingerprint, type Playground, type ProgramEnd } from "./millwright.ts";

const program = fileURLToPath(new URL("../fixtures/odd-language-server.mjs", import.meta.url));

let playground: Playground;
let repository: string;
beforeEach(() => {
  playground = createPlayground();
  repository = playground.copyRepository("lsp-python");
});
afterEach(() => playground.remove());

function lsp(place: string, ...args: string[]): Promise<ProgramEnd> {
  return playground.start(["lsp", place, "--repo", repository, "--sandbox", "local", ...args]).ended;
}

/** A server of the repository's configuration takes the place of ours. */
function configure(behaviour: string): void {
  const odd = {
    command: [process.execPath, program, behaviour, "{scratch}"],
    languages: { ".py": "python" },
    readiness: "at-once",
  };
  writeFileSync(join(repository, "millwright.config.json"), JSON.stringify({ languageServers: { odd } }));
}

describe("lsp", () => {
  test("asks the server that the repository's configuration names, and changes nothing", async () => {
    configure("good");
    const before = fingerprint(repository);
    const end = await lsp("main.py:7:area", "--json");
    expect(end.stderr).not.toContain("defect");
    expect(end.exitCode).toBe(0);
    expect(JSON.parse(end.stdout)).toMatchObject({
      schema: "millwright.lsp/1",
      question: "definition",
      at: { path: "main.py", line: 7, name: "area" },
      sandbox: "local",
      ok: true,
      by: "odd",
      position: { path: "main.py", line: 7, name: "area", origin: "exact" },
      isWhole: true,
      answer: [{ path: "main.py", outside: false, range: { start: { line: 1 } }, text: "import json" }],
    });
    expect(fingerprint(repository)).toBe(before);
  });

  test("prints the answer with the position that was understood", async () => {
    configure("good");
    const end = await lsp("main.py:total");
    expect(end.stdout).toMatch(
      /^definition of total at main\.py:6:5 \(near that line\), by odd\nmain\.py:1:1/,
    );
  });

  test("says that a server failed, as data, and ends with 1", async () => {
    configure("crash-always");
    const end = await lsp("main.py:7:area", "--json", "--no-graph");
    expect(end.exitCode).toBe(1);
    expect(JSON.parse(end.stdout)).toMatchObject({
      schema: "millwright.lsp/1",
      ok: false,
      kind: "server-ended",
      message: expect.stringContaining("panicked"),
    });
  });

  test("lets the code graph answer where the server fails, and says so", async () => {
    configure("crash-always");
    const index = join(playground.folder, "indexes");
    const end = await lsp("main.py:7:area", "--json", "--index-dir", index);
    expect(end.exitCode).toBe(0);
    expect(JSON.parse(end.stdout)).toMatchObject({
      ok: true,
      by: "code graph",
      because: expect.stringContaining("panicked"),
      position: { path: "main.py", line: 7, name: "area", origin: "exact" },
      answer: [
        { path: expect.stringMatching(/\.py$/), outside: false, text: expect.stringContaining("area") },
      ],
    });
    const symbols = await lsp("main.py", "--ask", "symbols", "--index-dir", index);
    expect(symbols.stdout).toMatch(/^symbols of main\.py, by code graph: odd does not list the symbols/);
  });

  test("leaves no server behind when it is killed: the next command ends it", async () => {
    configure("stay");
    const asked = playground.start(["lsp", "main.py:7:area", "--repo", repository, "--sandbox", "local"]);
    await expect.poll(() => countServers(playground.runs), { timeout: 60_000 }).toBe(1);
    asked.kill("SIGKILL");
    await asked.ended;
    configure("good");
    expect((await lsp("main.py:7:area")).exitCode).toBe(0);
    await expect.poll(() => countServers(playground.runs), { timeout: 20_000 }).toBe(0);
    expect(readdirSync(playground.runs)).toEqual([]);
  });

  test("says that there is no server for such files", async () => {
    const end = await lsp("README:1", "--json");
    expect(end.exitCode).toBe(1);
    expect(JSON.parse(end.stdout)).toMatchObject({ ok: false, kind: "no-server" });
  });

  test.each([
    ["a place outside the repository", ["/etc/passwd:1"], /not a file of/],
    ["a limit that is no number", ["main.py:1", "--limit", "soon"], /--limit/],
    ["a rename without a new name", ["main.py:1", "--ask", "rename"], /--to/],
    ["a question that does not exist", ["main.py:1", "--ask", "why"], /choices/i],
  ])("refuses %s as wrong usage", async (_, [place = "", ...args], words) => {
    const end = await lsp(place, ...args);
    expect(end.exitCode).toBe(2);
    expect(end.stderr).toMatch(words);
  });

  test("refuses a configuration that is wrong, naming the file", async () => {
    const wrong = { languageServers: { odd: { command: "odd", languages: {} } } };
    writeFileSync(join(repository, "millwright.config.json"), JSON.stringify(wrong));
    const end = await lsp("main.py:1");
    expect(end.exitCode).toBe(2);
    expect(end.stderr).toMatch(/millwright\.config\.json.*odd\.command/s);
  });
});

/** Processes of the odd server whose scratch folder is one of these runs'. */
function countServers(runs: string): number {
  return readdirSync("/proc")
    .filter((entry) => /^\d+$/.test(entry))
    .filter((pid) => {
      try {
        const line = readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0");
        return line.includes(program) && line.some((word) => word.startsWith(runs));
      } catch {
        return false;
      }
    }).length;
}
