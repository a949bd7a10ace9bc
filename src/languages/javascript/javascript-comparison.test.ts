import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { partOf } from "../../../tests/part-of.ts";
import type { BatchRequest, Comparison } from "../contract.ts";
import { nothingReceived } from "../report-frames.ts";
import { javascriptComparison } from "./javascript-comparison.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "millwright-compare-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const runtime = resolve(import.meta.dirname, "../runtime");

function write(files: Readonly<Record<string, string>>, below: string): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(below, path)), { recursive: true });
    writeFileSync(join(below, path), text);
  }
}

function compare(
  project: Readonly<Record<string, string>>,
  patch: Readonly<Record<string, string>>,
  failing: readonly string[] = [],
): Comparison {
  const here = mkdtempSync(join(folder, "run-"));
  const [root, report] = [join(here, "project"), join(here, "report")];
  write(project, root);
  write(patch, join(report, "candidates", "1"));
  const key = (name: string) => ({ package: "", target: "test/seat.test.js", name });
  const candidates = [{ id: 1, folder: join(report, "candidates", "1") }];
  const request = {
    paths: { root, runtime, report, channel: report },
    tests: [key("")],
    failing: failing.map(key),
    candidates,
  };
  const { run, env } = javascriptComparison.invoke(partOf<BatchRequest>(request));
  const [program = "", ...args] = run as readonly string[];
  const ended = spawnSync(program, args, { cwd: root, env: { ...process.env, ...env }, encoding: "utf8" });
  const files = new Map(
    readdirSync(report)
      .filter((name) => name !== "candidates")
      .map((name) => [name, readFileSync(join(report, name))]),
  );
  const { stdout, stderr, status: exitCode } = ended;
  // Whatever was tried, the project stands as it did.
  for (const [path, text] of Object.entries(project))
    expect(readFileSync(join(root, path), "utf8")).toBe(text);
  return javascriptComparison.parse({
    received: nothingReceived,
    files,
    stdout,
    stderr,
    exitCode,
    root,
    candidates,
    tests: [],
  });
}

const project = {
  "package.json": '{ "type": "module" }',
  "src/price.js": "export const price = (seat) => seat.row * 10;\n",
  "src/seat.js":
    'import { price } from "./price.js";\nexport function total(seats, off = 0) {\n  return seats.reduce((sum, seat) => sum + price(seat), 0) - off;\n}\nexport class Hall {}\n',
  "test/seat.test.js": `it("adds up", () => {
  assert.equal(total([{ row: 1 }, { row: 2 }]), 30);
  assert.equal(total(hall.seats), 0);
});
it("never pays out", () => {
  assert.equal(total([{ row: 1 }], 50), 0);
});
`,
};

test("base and patch do the same on inputs that tests give, and on others made from these, but where the patch changes something", () => {
  const patched = project["src/seat.js"]
    .replace("return seats", "return Math.max(0, seats")
    .replace("- off;", "- off);");
  const { origins, behaviours, invalid } = compare(project, { "src/seat.js": patched }, ["never pays out"]);
  expect(invalid).toBeUndefined();
  expect(origins.slice(0, 2)).toEqual(["passing", "failing"]);
  expect(origins.filter((origin) => origin === "derived").length).toBeGreaterThan(5);
  const [base = [], patch = []] = [behaviours.get(0), behaviours.get(1)];
  expect([base[0], patch[0]]).toEqual([
    "v30 [ [ { row: 1 }, { row: 2 } ] ]",
    "v30 [ [ { row: 1 }, { row: 2 } ] ]",
  ]);
  expect([base[1], patch[1]]).toEqual(["v-40 [ [ { row: 1 } ], 50 ]", "v0 [ [ { row: 1 } ], 50 ]"]);
});

test("a patch that throws or ends the process is told; one that does not load is absent, and so is what nothing calls", () => {
  const body = (text: string): string =>
    project["src/seat.js"].replace("return seats", `${text}\n  return seats`);
  const ends = compare(project, { "src/seat.js": body("if (off === 50) process.exit(1);") });
  expect(ends.behaviours.get(1)?.[1]).toBe("crash");
  const throws = compare(project, { "src/seat.js": body('if (off === 50) throw new RangeError("much");') });
  expect(throws.behaviours.get(1)?.[1]).toBe("eRangeError: much");
  const gone = compare(project, { "src/seat.js": 'import "./nowhere.js";\n' });
  expect([...gone.behaviours.keys()]).toEqual([0]);
  const silent = compare({ ...project, "test/seat.test.js": "" }, { "src/seat.js": body("") });
  expect(silent.invalid).toContain("no test calls an exported function");
  const broken = { ...project, "src/seat.js": 'import "./nowhere.js";\n' };
  expect(compare(broken, { "src/seat.js": body("") }).invalid).toContain("cannot be run by themselves");
});

test.each(["{", "null", '{"ended":1}'])("a result that code under test wrote says nothing: %s", (text) => {
  const files = new Map([
    ["compared.json", Buffer.from(text)],
    ["inputs.txt", Buffer.from("passing\n")],
    ["v0.txt", Buffer.from("v1\n")],
    ["again.txt", Buffer.from("v1\n")],
  ]);
  const { behaviours, invalid } = javascriptComparison.parse({
    ...{ received: nothingReceived, files, stdout: "", stderr: "", exitCode: 0, root: "/r" },
    ...{ tests: [], candidates: [{ id: 1 }] },
  });
  expect(behaviours.size).toBe(0);
  expect(invalid).toContain("cut off");
});
