/** What `npm pack` gives: installed into an empty folder, under a Node older than ours, it repairs a program somewhere else. */
import { execFileSync, spawnSync } from "node:child_process";
import { globSync, lstatSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { stripTypeScriptTypes } from "node:module";
import { tmpdir } from "node:os";
import { delimiter, dirname, join, sep } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { solveReportSchema } from "../../src/domain/solve-report.ts";
import type { Outline } from "../../src/syntax/outline.ts";
import { outlines } from "../../src/syntax/outlines/index.generated.ts";
import { createPlayground, type Playground } from "./millwright.ts";

const root = dirname(dirname(import.meta.dirname));
const mebibyte = 1024 ** 2;

/** The user's own programs: without what npm and our set-up put in front. */
const userPath = (process.env["PATH"] ?? "")
  .split(delimiter)
  .filter((entry) => !entry.includes("node_modules"));
const olderNode = userPath.find((folder) => {
  const { stdout } = spawnSync(join(folder, "node"), ["--version"], { encoding: "utf8" });
  return /^v(?:18|20)\./.test(stdout ?? "");
});

let folder: string;
let playground: Playground;

/** A program under the older Node, with nothing of the npm that runs us. */
function run(
  argv: readonly string[],
  cwd: string,
): { exitCode: number | null; stdout: string; stderr: string } {
  const environment = Object.entries(process.env).filter(([name]) => !/^(?:npm_|NODE|INIT_CWD)/i.test(name));
  const [program = "", ...args] = argv;
  const { status, stdout, stderr } = spawnSync(program, args, {
    cwd,
    encoding: "utf8",
    env: {
      ...Object.fromEntries(environment),
      PATH: [olderNode ?? [], userPath].flat().join(delimiter),
      MILLWRIGHT_RUNS_DIR: playground.runs,
      MILLWRIGHT_SANDBOX: process.env["MILLWRIGHT_TEST_SANDBOX"] ?? "auto",
      NO_COLOR: "1",
    },
  });
  return { exitCode: status, stdout, stderr };
}

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "millwright-package-"));
  playground = createPlayground();
});
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
  playground.remove();
});

describe("the package", () => {
  let tarball: string;
  let repository: string;
  const installation = () => join(folder, "empty");

  test("is built when it is packed, and brings what is read at run time with its licence", () => {
    mkdirSync(join(root, "dist"), { recursive: true });
    writeFileSync(join(root, "dist", "of-an-older-build.js"), "");
    const packed = run(["npm", "pack", "--json", "--pack-destination", folder], root);
    expect(packed, packed.stderr).toMatchObject({ exitCode: 0 });
    const [name = ""] = globSync("*.tgz", { cwd: folder });
    tarball = join(folder, name);
    const listed = execFileSync("tar", ["-tzf", tarball], { encoding: "utf8" }).trim().split("\n");
    const files = new Set(listed.map((file) => file.replace(/^package\//, "")));

    const sources = globSync("src/**/!(*.test).ts", { cwd: root }).map((file) =>
      readFileSync(join(root, file), "utf8"),
    );
    const named = (pattern: RegExp): string[] =>
      sources.flatMap((text) => [...text.matchAll(pattern)].map(([, path = ""]) => path));
    // Who finds a file of ours in another way finds it in a checkout alone.
    expect(named(/(new URL\([^)]*import\.meta\.url)/g)).toEqual([]);
    const threads = named(/ownModule\("([^"]+)"\)/g);
    const folders = named(/ownFile\("([^"]+)"\)/g);
    expect(threads.length * folders.length).toBeGreaterThan(0);
    const grammars = (outlines as readonly Outline[]).map(({ grammar }) => grammar);
    const wanted = [
      "bin/millwright",
      "dist/cli/main.js",
      ...folders.flatMap((path) =>
        globSync(`src/${path}/**/*.*`, { cwd: root }).map((file) => file.replace(/^src/, "dist")),
      ),
      ...threads.map((path) => `dist/${path}.js`),
      ...["web-tree-sitter/web-tree-sitter.wasm", ...grammars].flatMap((grammar) => [
        `dist/packages/${grammar}`,
        `dist/packages/${dirname(grammar)}/package.json`,
      ]),
    ];
    expect(wanted.filter((file) => !files.has(file))).toEqual([]);
    const licensed = new Set(
      [...files].filter((file) => file.includes("/LICENSE")).map((file) => dirname(file)),
    );
    expect(wanted.filter((file) => file.endsWith(".wasm") && !licensed.has(dirname(file)))).toEqual([]);
    expect(
      [...files].filter((file) => file.includes("of-an-older-build") || file.startsWith("src/")),
    ).toEqual([]);
  });

  test("says that its packages are missing, and ends", () => {
    const lonely = join(folder, "lonely");
    mkdirSync(lonely);
    execFileSync("tar", ["-xzf", tarball, "-C", lonely]);
    const program = join(lonely, "package", "bin", "millwright");
    const { exitCode, stderr } = run(
      ["env", `MILLWRIGHT_NODE=${process.execPath}`, program, "solve"],
      lonely,
    );
    expect(stderr).toBe(
      "millwright: a part of Millwright or of its packages is missing. Install Millwright again.\n",
    );
    expect(exitCode).toBe(2);
  });

  test("is installed without a warning, takes 260 MB with its Node, and repairs a program elsewhere", (context) => {
    context.skip(olderNode === undefined, "there is no Node 18 or 20 in PATH");
    mkdirSync(installation());
    const installed = run(["npm", "install", "--prefer-offline", "--no-audit", tarball], installation());
    if (/ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ETIMEDOUT|ENOTCACHED|ENETUNREACH/.test(installed.stderr))
      context.skip("the package registry cannot be reached");
    expect(installed, installed.stderr).toMatchObject({ exitCode: 0 });
    expect(
      installed.stderr.split("\n").filter((line) => /install-scripts|EBADENGINE|deprecated/.test(line)),
    ).toEqual([]);
    expect(sizeOf(installation()) / mebibyte).toBeLessThan(260);

    repository = playground.copyRepository("repair-python");
    const solved = run(
      ["npx", "millwright", "solve", "--repo", repository, "--output", "json"],
      installation(),
    );
    expect(solved, solved.stderr).toMatchObject({ exitCode: 0 });
    const report = solveReportSchema.parse(JSON.parse(solved.stdout));
    expect(report).toMatchObject({ outcome: "verified", files: [{ path: "ledger/account.py" }] });
  });

  test("is a library too: the example of the documentation repairs the program", (context) => {
    context.skip(repository === undefined, "the package is not installed");
    const example = readFileSync(join(root, "tests", "library", "solve-and-read.ts"), "utf8");
    writeFileSync(join(installation(), "example.mjs"), stripTypeScriptTypes(example));
    const own = join(installation(), "node_modules", ".bin");
    const told = run(
      ["env", `XDG_STATE_HOME=${join(folder, "state")}`, join(own, "node"), "example.mjs", repository],
      installation(),
    );
    expect(told, told.stderr).toMatchObject({ exitCode: 0 });
    expect(told.stdout).toMatch(/^verified ledger\/account\.py\n/);
    expect(told.stdout).toContain("+    return amount <= available");
    if (olderNode === undefined) return;
    const refused = run([join(olderNode, "node"), "example.mjs", repository], installation());
    expect(refused.stderr).toMatch(/Millwright's library needs Node 22\.18 or later, and this is \d/);
    expect(refused.exitCode).toBe(1);
  });
});

/** Bytes on the disk. */
function sizeOf(directory: string): number {
  return globSync("**/*", { cwd: directory }).reduce(
    (sum, path) => sum + lstatSync(`${directory}${sep}${path}`).blocks * 512,
    0,
  );
}
