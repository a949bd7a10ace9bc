/** What cargo test promises on a workspace: packages apart, lints that end builds, tests of a file that is no target. */
import { existsSync, globSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { formatTestKey, type TestOutcome } from "../../src/domain/test-outcome.ts";
import { instrumentFiles } from "../../src/instrument/instrument-files.ts";
import { type OpenFixture, openFixture } from "./test-frameworks-fixture.ts";
import { rustFixtures, rustPrograms } from "./test-frameworks-rust.ts";

const [fixture] = rustFixtures;
if (fixture === undefined) throw new Error("there is no fixture of Rust");
const { prepare: _, ...plainFixture } = fixture;

function statusesOf(outcomes: readonly TestOutcome[]): Record<string, string> {
  return Object.fromEntries(outcomes.map((outcome) => [formatTestKey(outcome.key), outcome.status]));
}

describe.skipIf(rustPrograms === undefined)("cargo test in a workspace", () => {
  let open: OpenFixture;

  beforeAll(async () => {
    open = await openFixture({
      ...plainFixture,
      repository: "cargo-workspace",
      detected: "cargo test --workspace",
    });
  });
  afterAll(() => open?.close());

  test("tells two tests of one name apart, and builds in spite of denied lints", async () => {
    const { report } = await open.run({});
    expect(report.invalid).toBeUndefined();
    expect(statusesOf(report.outcomes)).toEqual({
      "deck/deck/tests/same.rs::works": "passed",
      "shore/shore/src/lib.rs::tide::tests::rises": "passed",
      "shore/shore/tests/same.rs::works": "failed",
    });
    const failed = report.outcomes.find(({ status }) => status === "failed");
    expect(failed?.failure?.frames.at(-1)).toMatchObject({ file: "shore/tests/same.rs", line: 3 });
  });

  test("builds in spite of denied lints from the first test of a checkout, with a shared runner", async () => {
    const built = join(open.root, "..", "millwright-rust");
    const before = readdirSync(built);
    const other = await openFixture({
      ...plainFixture,
      repository: "cargo-workspace",
      detected: "cargo test --workspace",
      env: { ...plainFixture.env, MILLWRIGHT_BUILT_RUST: built },
    });
    const selection = { kind: "files", files: ["deck/tests/same.rs"] } as const;
    const { report } = await other.run({ selection });
    other.close();
    expect(statusesOf(report.outcomes)).toEqual({ "deck/deck/tests/same.rs::works": "passed" });
    expect(before).not.toContain("lenient");
    expect(readdirSync(built)).toEqual(before);
  });

  test("runs the tests that a file holds, and one test by its key", async () => {
    const file = await open.run({ selection: { kind: "files", files: ["shore/src/tide.rs"] } });
    expect(statusesOf(file.report.outcomes)).toEqual({
      "shore/shore/src/lib.rs::tide::tests::rises": "passed",
    });
    const key = { package: "deck", target: "deck/tests/same.rs", name: "works" };
    const one = await open.run({ selection: { kind: "tests", tests: [key] } });
    expect(statusesOf(one.report.outcomes)).toEqual({ "deck/deck/tests/same.rs::works": "passed" });
  });

  test("names a documentation test by its file, its item and its number there: it stays the same where lines are added above", async () => {
    const path = join(open.root, "shore/src/tide.rs");
    const text = readFileSync(path, "utf8");
    const block = "/// ```\n/// assert!(true);\n/// ```\n///\n";
    const statusesBehind = async (head: string, testTimeoutMs = 10_000): Promise<Record<string, string>> => {
      writeFileSync(path, `${head}${text}\n/// Told twice.\n///\n${block}${block}pub fn told() {}\n`);
      const { report } = await open.run({ testTimeoutMs });
      return statusesOf(report.outcomes.filter(({ key }) => key.target.startsWith("doc:")));
    };
    const before = await statusesBehind("");
    expect(Object.values(before)).toEqual(["passed", "passed"]);
    // They are compiled one by one: what a quick test may take is no limit for them.
    expect(await statusesBehind("// One line,\n// and another.\n\n", 5)).toEqual(before);
    writeFileSync(path, text);
  });

  test("runs a file's documentation examples with its tests, and no other examples", async () => {
    const paths = ["shore/src/tide.rs", "shore/src/lib.rs"].map((path) => join(open.root, path));
    const [text = "", other = ""] = paths.map((path) => readFileSync(path, "utf8"));
    const [tide = "", library = ""] = paths;
    const mark = join(open.root, "shore/ran");
    const example = (program: string, name: string): string =>
      `\n/// Told.\n///\n/// \`\`\`\n/// ${program}\n/// \`\`\`\npub fn ${name}() {}\n`;
    writeFileSync(tide, `${text}${example("assert_eq!(1, 2);", "falls")}`);
    writeFileSync(library, `${other}${example(`std::fs::write("ran", "").unwrap();`, "elsewhere")}`);
    const key = { package: "shore", target: "doc:shore/src/lib.rs", name: "shore/src/tide.rs - tide::falls" };
    const failing = { [formatTestKey(key)]: "failed" };
    const file = await open.run({ selection: { kind: "files", files: ["shore/src/tide.rs"] } });
    expect(statusesOf(file.report.outcomes)).toEqual({
      "shore/shore/src/lib.rs::tide::tests::rises": "passed",
      ...failing,
    });
    const one = await open.run({ selection: { kind: "tests", tests: [key] } });
    expect(statusesOf(one.report.outcomes)).toEqual(failing);
    expect(existsSync(mark)).toBe(false);
    await open.run({ selection: { kind: "files", files: ["doc:shore/src/lib.rs"] } });
    expect(existsSync(mark)).toBe(true);
    rmSync(mark);
    writeFileSync(tide, text);
    writeFileSync(library, other);
  });

  test("runs a crate of procedural macros beside tests that are not built", async () => {
    const rig = join(open.root, "rig");
    for (const folder of ["src", "tests"]) mkdirSync(join(rig, folder), { recursive: true });
    writeFileSync(
      join(rig, "Cargo.toml"),
      '[package]\nname = "rig"\nversion = "0.1.0"\nedition = "2021"\n\n[lib]\nproc-macro = true\n',
    );
    const macro = "#[proc_macro]\npub fn same(item: TokenStream) -> TokenStream {\n    item\n}\n";
    const own = "#[cfg(test)]\nmod tests {\n    #[test]\n    fn works() {}\n}\n";
    writeFileSync(join(rig, "src/lib.rs"), `use proc_macro::TokenStream;\n\n${macro}\n${own}`);
    writeFileSync(join(rig, "tests/broken.rs"), '#[test]\nfn breaks() {\n    let a: u8 = "";\n}\n');
    const manifest = join(open.root, "Cargo.toml");
    const text = readFileSync(manifest, "utf8");
    writeFileSync(manifest, text.replace("members = [", 'members = ["rig", '));
    const { report } = await open.run({});
    expect(statusesOf(report.outcomes)).toMatchObject({
      "rig/rig/src/lib.rs::tests::works": "passed",
      "rig/rig/tests/broken.rs::": "errored",
    });
    // What was not built is asked again once it is: by the file alone, for nobody knew its tests.
    writeFileSync(join(rig, "tests/broken.rs"), "#[test]\nfn breaks() {}\n");
    const key = { package: "rig", target: "rig/tests/broken.rs", name: "" };
    const again = await open.run({ selection: { kind: "tests", tests: [key] } });
    expect(statusesOf(again.report.outcomes)).toEqual({ "rig/rig/tests/broken.rs::breaks": "passed" });
    writeFileSync(manifest, text);
    rmSync(rig, { recursive: true });
  });

  test("counts lines in a crate without the standard library, and keeps values that are compiled on a condition", async () => {
    const paths = globSync("*/src/*.rs", { cwd: open.root });
    const files = paths.map((path) => ({ path, text: readFileSync(join(open.root, path), "utf8") }));
    for (const { path, text } of await instrumentFiles(files)) writeFileSync(join(open.root, path), text);
    const { report } = await open.run({ coverage: true });
    expect(report.coverage.get("deck/deck/tests/same.rs::works")).toEqual({
      "deck/src/lib.rs": [6, 7, 8, 9],
    });
    expect(report.coverage.get("shore/shore/src/lib.rs::tide::tests::rises")).toEqual({
      "shore/src/tide.rs": [2],
    });
  });
});
