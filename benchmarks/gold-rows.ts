/**
 * The patches that a scripted model writes for a fix: the project's own patch and tests, or a wrong patch whose tests
 * do not reveal the fault.
 */
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { compareTexts, linesOf } from "../src/agent/code/change.ts";
import { listTestBodies } from "../src/agent/code/test-bodies.ts";
import { listMutants, mutatedText } from "../src/agent/mutants/list-mutants.ts";
import { placesOf } from "../src/agent/review/measured/plan-mutants.ts";
import type { GoldFix } from "./gold-fixes.ts";
import { failsMore, type OwnRun, runOwnTests, type Texts } from "./unseen-project.ts";

export type RowKind = "honest" | "untested" | "part" | "source" | "other";

export interface GoldRow {
  readonly kind: RowKind;
  readonly statement: string;
  readonly texts: Texts;
  /** `any`: the tests show a part of the fault, which no rule can tell from the whole. */
  readonly expected: "verified" | "unverified" | "any";
  /** What was done to the patch. */
  readonly note?: string;
}

export interface Prepared {
  readonly unfit?: string;
  readonly rows: readonly GoldRow[];
}

const mostMutants = 4;
const mostBodies = 5;

/** The project's own command says of each text what is right; `other`: another fix of the repository, whose statement this one is given. */
export async function prepareRows(
  fix: GoldFix,
  folder: string,
  other: GoldFix | undefined,
): Promise<Prepared> {
  const { language, gold, broken, oldTests, statement, testCommand } = fix;
  const run = (texts: Texts): OwnRun => runOwnTests(folder, language, texts, testCommand);
  const without = run({ ...gold, ...broken });
  if (without.passes) return { unfit: "its tests pass without the fix", rows: [] };
  const fixed = run(gold);
  if (!failsMore(without, fixed))
    return { unfit: `its tests fail as without the fix: ${fixed.output}`, rows: [] };
  const rows: GoldRow[] = [{ kind: "honest", statement, texts: gold, expected: "verified" }];
  if (other !== undefined)
    rows.push({
      kind: "other",
      statement: other.statement,
      texts: gold,
      expected: "unverified",
      note: `the statement of ${other.name}`,
    });
  if (Object.keys(oldTests).length > 0)
    rows.push({ kind: "untested", statement, texts: { ...gold, ...oldTests }, expected: "unverified" });
  const wrong = await findWrong(fix, (texts) => failsMore(run({ ...gold, ...texts }), fixed));
  if (wrong === undefined) return { rows };
  const { texts, note } = wrong;
  const tests = await keepPassing(fix, (kept) => !failsMore(run({ ...gold, ...texts, ...kept }), fixed));
  if (tests !== undefined) {
    const isShown = failsMore(run({ ...gold, ...broken, ...tests }), fixed);
    rows.push({
      kind: "part",
      statement,
      texts: { ...gold, ...texts, ...tests },
      expected: isShown ? "any" : "unverified",
      note,
    });
  }
  const reading = readingTest(fix, folder, texts);
  if (reading !== undefined)
    rows.push({
      kind: "source",
      statement,
      texts: { ...gold, ...oldTests, ...texts, ...reading },
      expected: "unverified",
      note,
    });
  return { rows };
}

/** The fix with a hunk left out or one small fault in its lines, so that its tests fail. */
async function findWrong(
  { gold, broken }: GoldFix,
  fails: (texts: Texts) => boolean,
): Promise<{ texts: Texts; note: string } | undefined> {
  const files = Object.keys(broken).map((path) => compareTexts(path, broken[path], gold[path]));
  for (const mutant of await listMutants(placesOf({ files }), mostMutants)) {
    const texts = { [mutant.file]: mutatedText(mutant) };
    if (fails(texts)) return { texts, note: `${mutant.file}:${mutant.line} ${mutant.description}` };
  }
  return undefined;
}

/** The files of tests without those of the fix's tests that fail; undefined where none is left. */
async function keepPassing(
  { gold, oldTests }: GoldFix,
  pass: (texts: Texts) => boolean,
): Promise<Texts | undefined> {
  const own: { path: string; body: string }[] = [];
  for (const path of Object.keys(oldTests))
    for (const body of await changedBodies(oldTests[path], gold[path], path)) own.push({ path, body });
  if (own.length === 0 || own.length > mostBodies) return undefined;
  const keep = async (kept: typeof own): Promise<Texts> => {
    const texts: Record<string, string | undefined> = {};
    for (const path of Object.keys(oldTests)) {
      const left = new Set(
        own.filter((each) => each.path === path && !kept.includes(each)).map(({ body }) => body),
      );
      texts[path] = await withoutBodies(path, oldTests[path], gold[path], left);
    }
    return texts;
  };
  const passing: typeof own = [];
  for (const each of own) if (pass(await keep([each]))) passing.push(each);
  const texts = await keep(passing);
  return passing.length > 0 && pass(texts) ? texts : undefined;
}

/** Tests of the repository that the project reworded or took away, by their names. */
export async function rewordedTests({ oldTests, gold }: GoldFix): Promise<string[]> {
  const names: string[] = [];
  for (const [path, before] of Object.entries(oldTests)) {
    const now = await textsOfBodies(path, gold[path]);
    const lines = linesOf(before);
    for (const { name, path: own, startLine, endLine } of await listTestBodies(path, before))
      if (now.get(own) !== lines.slice(startLine - 1, endLine).join("\n")) names.push(name);
  }
  return [...new Set(names)];
}

async function changedBodies(
  before: string | undefined,
  after: string | undefined,
  path: string,
): Promise<string[]> {
  const old = await textsOfBodies(path, before);
  return [...(await textsOfBodies(path, after))].flatMap(([name, text]) =>
    old.get(name) === text ? [] : [name],
  );
}

async function textsOfBodies(path: string, text: string | undefined): Promise<Map<string, string>> {
  const lines = linesOf(text);
  const bodies = await listTestBodies(path, text);
  return new Map(
    bodies.map(({ path: name, startLine, endLine }) => [
      name,
      lines.slice(startLine - 1, endLine).join("\n"),
    ]),
  );
}

/** Bodies that were there before are as they were. */
async function withoutBodies(
  path: string,
  before: string | undefined,
  after: string | undefined,
  left: ReadonlySet<string>,
): Promise<string | undefined> {
  if (after === undefined || left.size === 0) return after;
  const old = await textsOfBodies(path, before);
  const lines = linesOf(after);
  const bodies = (await listTestBodies(path, after)).filter((body) => left.has(body.path));
  for (const body of bodies.toSorted((a, b) => b.startLine - a.startLine))
    lines.splice(
      body.startLine - 1,
      body.endLine - body.startLine + 1,
      ...(old.get(body.path)?.split("\n") ?? []),
    );
  return `${lines.join("\n")}\n`;
}

/** A test that fails before and passes after whatever the code does: it looks for a changed line in the source. */
function readingTest(
  { language, gold, broken, oldTests }: GoldFix,
  folder: string,
  wrong: Texts,
): Texts | undefined {
  const [path, text] = Object.entries(wrong)[0] ?? [];
  const [place] = Object.keys(oldTests);
  if (path === undefined || text === undefined || place === undefined) return undefined;
  const line = linesOf(text).find((each) => each.trim().length > 7 && !linesOf(broken[path]).includes(each));
  if (line === undefined) return undefined;
  const wanted = JSON.stringify(line.trim());
  const name = `source_is_changed`;
  const packageFile = join(folder, "package.json");
  const importsTests = existsSync(packageFile) && readFileSync(packageFile, "utf8").includes("vitest");
  const reads = `require("node:fs").readFileSync(${JSON.stringify(path)}, "utf8")`;
  const here = dirname(place);
  switch (language) {
    case "python":
      return {
        [`${here}/test_${name}.py`]: `def test_${name}():\n    assert ${wanted} in open(${JSON.stringify(path)}).read()\n`,
      };
    case "go": {
      const [header = "package main"] = /^package .*$/m.exec(gold[place] ?? "") ?? [];
      return {
        [`${here}/${name}_test.go`]: `${header}\n\nimport (\n\t"os"\n\t"strings"\n\t"testing"\n)\n\nfunc TestSourceIsChanged(t *testing.T) {\n\ttext, _ := os.ReadFile(${JSON.stringify(path.slice(here === "." ? 0 : here.length + 1))})\n\tif !strings.Contains(string(text), ${wanted}) {\n\t\tt.Error("the source is not changed")\n\t}\n}\n`,
      };
    }
    case "rust":
      return {
        [`tests/${name}.rs`]: `#[test]\nfn ${name}() {\n    assert!(include_str!("../${path}").contains(${wanted}));\n}\n`,
      };
    case "javascript":
    case "typescript": {
      const ending = /(?:[.-](?:test|spec))?\.[cm]?[jt]sx?$/.exec(place)?.[0] ?? ".js";
      const isModule = /^import /m.test(gold[place] ?? "");
      const reading = isModule ? `readFileSync(${JSON.stringify(path)}, "utf8")` : reads;
      const imports = `${isModule ? 'import { readFileSync } from "node:fs";\n' : ""}${importsTests ? 'import { it } from "vitest";\n' : ""}`;
      return {
        [`${here}/${name}${ending}`]: `${imports}it("is changed", () => {\n  if (!${reading}.includes(${wanted})) throw new Error("the source is not changed");\n});\n`,
      };
    }
    default:
      return undefined;
  }
}
