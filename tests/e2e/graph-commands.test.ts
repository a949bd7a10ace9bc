/** The commands over the code graph, as a user or a program runs them. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { makePlayground } from "../graph-fixtures.ts";

const program = join(import.meta.dirname, "../../bin/start.mjs");
const python = join(import.meta.dirname, "../fixtures/repos/graph-python");
const indexes = mkdtempSync(join(tmpdir(), "millwright-graph-commands-"));
afterAll(() => rmSync(indexes, { recursive: true, force: true }));

interface Answer {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** Of `--json`. */
  readonly document: Record<string, unknown>;
}

function run(...parameters: string[]): Answer {
  const flags = ["--disable-warning=ExperimentalWarning", program];
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [...flags, ...parameters, "--index-dir", indexes],
    {
      encoding: "utf8",
    },
  );
  return { status, stdout, stderr, document: parameters.includes("--json") ? JSON.parse(stdout) : {} };
}

it("index reads a repository, says how much, and the second time reads nothing", () => {
  const first = run("index", python, "--json");
  expect(first).toMatchObject({
    status: 0,
    document: { schema: "millwright.index/1", index: { complete: true } },
  });
  expect(first.document.changed).toBe(
    first.document.index && (first.document.index as { files: number }).files,
  );
  expect(run("index", python, "--json").document).toMatchObject({ changed: 0, removed: 0 });
});

it("symbol finds definitions, by id too, and suggests names for one that is missing", () => {
  const { document } = run("symbol", "Express.price", "--repo", python, "--json");
  expect(document).toMatchObject({
    schema: "millwright.symbol/1",
    entities: [
      { id: "python:parcels/express.py#Express.price:method", path: "parcels/express.py", startLine: 8 },
    ],
  });
  const byId = run("symbol", "python:parcels/express.py#Express.price:method", "--repo", python);
  expect(byId.stdout).toBe("parcels/express.py:8-10  method  Express.price  def price(self) -> float\n");
  const missing = run("symbol", "surchrage", "--repo", python, "--json");
  expect(missing).toMatchObject({ status: 11, document: { entities: [], suggestions: ["surcharge"] } });
  expect(missing.stderr).toContain("surcharge");
});

it("references takes a name or a place, and says how sure it is", () => {
  const byName = run("references", "surcharge", "--repo", python);
  expect(byName.stdout).toMatch(
    /^parcels\/express\.py\n(?:.*\n)? {2}9 {2}calls {2}in Express\.price {2}\| .*surcharge.*\n(?:.*\n)*\(code graph\)\n$/,
  );
  const byPlace = run(
    "references",
    "parcels/express.py:10:price",
    "--repo",
    python,
    "--json",
    "--kind",
    "calls",
  );
  expect(byPlace.document).toMatchObject({
    schema: "millwright.references/1",
    found: "line",
    entities: [
      { qualified: "Parcel.price", references: [{ path: "parcels/express.py", line: 10, kind: "calls" }] },
    ],
  });
});

it("outline and map show definitions, and map keeps to its budget", () => {
  const outline = run("outline", "parcels/parcel.py", "--repo", python);
  expect(outline.stdout).toMatch(/^1-12 {2}class Parcel\n {2}4-5 {2}def __init__/);
  const map = run("map", "--repo", python, "--json", "--budget", "60").document as {
    tokens: number;
    files: unknown[];
  };
  expect(map.tokens).toBeLessThanOrEqual(60);
  expect(map.files.length).toBeGreaterThan(0);
});

it("answers what it cannot show with a reason and the exit code of wrong usage", () => {
  const playground = makePlayground({ "a.py": "def f():\n    pass\n", "binary.py": Buffer.from([0, 1, 2]) });
  writeFileSync(`${playground.repository}-secret.py`, "def secret():\n    pass\n");
  symlinkSync(`${playground.repository}-secret.py`, join(playground.repository, "link.py"));
  const reasons: readonly (readonly [string, RegExp])[] = [
    ["binary.py", /binary/],
    ["link.py", /symbolic link/],
    ["../repository-secret.py", /is outside/],
    ["/etc/passwd", /is outside/],
    ["absent.py", /is not a file of/],
  ];
  for (const [path, reason] of reasons) {
    const answer = run("outline", path, "--repo", playground.repository, "--json");
    expect(answer).toMatchObject({ status: 2, document: { schema: "millwright.error/1" } });
    expect(answer.stderr).toMatch(reason);
  }
  expect(run("symbol", "f", "--repo", join(playground.repository, "absent")).status).toBe(2);
  expect(run("map", "--repo", playground.repository, "--budget", "none").status).toBe(2);
});
