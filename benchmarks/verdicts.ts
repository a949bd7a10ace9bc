/**
 * Measures the reliability of verdicts without a model. Runs `search-repair` on small fixes of public repositories that
 * a seed draws, each with the fix's tests and without a statement. A patch is right if it equals the project's fix in
 * normal form, or if it passes the project's own command and a reader calls it right. Prints a table. `npm run
 * bench:verdicts -- --out FILE.jsonl FOLDER…`: clones, to which the benchmark does not write. Results in the file are
 * not computed again.
 *
 * `--seed`, `--repositories`, `--each`, `--since` as in `bench:unseen`; `--fit N` (3): the number of fixes that can
 * run, per repository; `--shard I/N`: every Nth repository; `--work FOLDER`; `--program FOLDER`: another version of
 * Millwright; `--max-time` (4m); `--reads FILE`: readers' judgements, lines of `COMMIT right|wrong`; `--table`: prints
 * the stored results and runs nothing; `--prepare`: only sets up and tests the projects, and stores this for a later
 * call with the same `--work`; `--prepared`: runs only prepared projects; `--statement`: gives the subject of the fix's
 * commit as the statement.
 */
import { execFileSync, spawnSync } from "node:child_process";
import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { solveReportSchema } from "../src/domain/solve-report.ts";
import { isTestFile } from "../src/languages/source-files.ts";
import { normalKey } from "../src/syntax/normal-form.ts";
import { drawFixes, drawOptions, type Fix, git, readDraw } from "./unseen-draw.ts";
import { failsMore, layProject, type OwnRun, runOwnTests, setUpProject } from "./unseen-project.ts";
import { renderVerdicts, type Verdict } from "./verdicts-table.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    ...drawOptions,
    fit: { type: "string", default: "3" },
    shard: { type: "string", default: "0/1" },
    out: { type: "string", default: "verdicts.jsonl" },
    work: { type: "string", default: join(tmpdir(), "bench-verdicts") },
    program: { type: "string", default: join(import.meta.dirname, "..") },
    "max-time": { type: "string", default: "4m" },
    reads: { type: "string" },
    table: { type: "boolean", default: false },
    prepare: { type: "boolean", default: false },
    prepared: { type: "boolean", default: false },
    statement: { type: "boolean", default: false },
  },
});

function readKnown(): Verdict[] {
  const words = new Map(linesOf(values.reads ?? "").map((line) => line.split(/\s+/) as [string, string]));
  return linesOf(values.out).map((line) => {
    const verdict = JSON.parse(line) as Verdict;
    const read = words.get(verdict.commit.slice(0, 8));
    return read === undefined ? verdict : { ...verdict, read };
  });
}

function linesOf(path: string): string[] {
  if (path === "" || !existsSync(path)) return [];
  return readFileSync(path, "utf8")
    .split("\n")
    .filter((line) => line !== "");
}

async function runShard(): Promise<void> {
  const [index = 0, count = 1] = values.shard.split("/").map(Number);
  const fixes = drawFixes(positionals, readDraw(values));
  const repositories = [...new Set(fixes.map(({ repository }) => repository))];
  // One of each repository before the second of any: what time cuts off is the same for all.
  for (let round = 0; round < Number(values.fit); round += 1)
    for (const repository of repositories.filter((_, at) => at % count === index))
      await runNext(
        fixes.filter((each) => each.repository === repository),
        round + 1,
      );
}

/** Runs further fixes of one repository until so many of them were fit. */
async function runNext(fixes: readonly Fix[], wanted: number): Promise<void> {
  let prepared = 0;
  for (const fix of fixes) {
    const known = readKnown().filter(({ repository }) => repository === fix.repository);
    if (known.filter(({ unfit }) => unfit === undefined).length >= wanted) return;
    if (known.some(({ commit }) => commit === fix.commit)) continue;
    if (values.prepared && !existsSync(keptOf(fix))) continue;
    const { repository, language, commit, subject } = fix;
    if (values.prepare && prepareFix(fix).unfit === undefined) {
      prepared += 1;
      if (prepared >= wanted) return;
      continue;
    }
    const result = { repository, language, commit, subject, ...(await runFix(fix)) };
    appendFileSync(values.out, `${JSON.stringify(result)}\n`);
    console.error(
      `${repository} ${commit.slice(0, 8)}: ${result.unfit ?? `${result.outcome} (${result.reason})`}`,
    );
  }
}

type Ran = Omit<Verdict, "repository" | "language" | "commit" | "subject">;

async function runFix(fix: Fix): Promise<Ran> {
  try {
    const { unfit, fixed } = prepareFix(fix);
    return fixed === undefined ? { unfit: unfit ?? "" } : await solve(fix, folderOf(fix), fixed);
  } catch (error) {
    return { unfit: error instanceof Error ? error.message : String(error) };
  }
}

function folderOf({ repository, commit }: Fix): string {
  return join(values.work, repository, `project-${commit.slice(0, 8)}`);
}

function keptOf(fix: Fix): string {
  return `${folderOf(fix)}.json`;
}

interface Prepared {
  readonly unfit?: string;
  /** The project's own tests with the fix. */
  readonly fixed?: OwnRun;
}

/** Done once, and kept beside the folder. */
function prepareFix(fix: Fix): Prepared {
  const kept = keptOf(fix);
  if (existsSync(kept)) {
    const { unfit, fixed } = JSON.parse(readFileSync(kept, "utf8"));
    return unfit === undefined ? { fixed: { ...fixed, failures: new Set(fixed.failures) } } : { unfit };
  }
  const prepared = tryToPrepare(fix, folderOf(fix));
  // A package manager that the limit of time stopped may still write there.
  if (prepared.unfit !== undefined)
    rmSync(folderOf(fix), { recursive: true, force: true, maxRetries: 5, retryDelay: 500 });
  const { unfit, fixed } = prepared;
  writeFileSync(
    kept,
    JSON.stringify({ unfit, ...(fixed && { fixed: { ...fixed, failures: [...fixed.failures] } }) }),
  );
  return prepared;
}

function tryToPrepare(fix: Fix, folder: string): Prepared {
  const { language, file } = fix;
  try {
    layProject(fix, folder);
    const because = setUpProject(folder, language);
    if (because !== undefined) return { unfit: `set-up: ${because}` };
    const broken = runOwnTests(folder, language, { [file]: fix.before });
    if (broken.passes) return { unfit: "its tests pass without the fix" };
    const fixed = runOwnTests(folder, language, { [file]: fix.after });
    return failsMore(broken, fixed)
      ? { fixed }
      : { unfit: `its tests fail as without the fix: ${fixed.output}` };
  } catch (error) {
    return { unfit: error instanceof Error ? error.message : String(error) };
  }
}

async function solve(fix: Fix, folder: string, fixed: OwnRun): Promise<Ran> {
  // An earlier call's patch may stand there.
  git(folder, "checkout", "--quiet", "--", ".");
  const runs = join(values.work, fix.repository, `runs-${fix.commit.slice(0, 8)}`);
  const ended = spawnSync(
    join(resolve(values.program), "bin/millwright"),
    [
      ...[
        "solve",
        ...(values.statement ? [fix.subject] : []),
        "--repo",
        folder,
        "--strategy",
        "search-repair",
        "--model",
        "none",
      ],
      ...["--max-time", values["max-time"], "--runs-dir", runs, "--output", "json"],
    ],
    { encoding: "utf8", maxBuffer: 1 << 28, stdio: ["ignore", "pipe", "pipe"] },
  );
  const gold = diffOf(fix);
  let report: unknown;
  try {
    report = JSON.parse(ended.stdout);
  } catch {
    return { outcome: "error", reason: ended.stderr.slice(-500), gold };
  }
  const { outcome, strength, reason, candidates, seconds, patch, files, gate, remarks } =
    solveReportSchema.parse(report);
  const evidence = gate.findLast(({ predicate }) => predicate === "evidence-suffices")?.evidence ?? "";
  const told = {
    outcome,
    strength: strength ?? null,
    reason,
    candidates,
    seconds,
    patch,
    gold,
    evidence,
    remarks,
  };
  if (patch === "") return told;
  const paths = files.map(({ path }) => path);
  return { ...told, ...(await judge(fix, folder, patch, { paths, fixed })) };
}

async function judge(
  fix: Fix,
  folder: string,
  patch: string,
  { paths, fixed }: { readonly paths: readonly string[]; readonly fixed: OwnRun },
): Promise<Ran> {
  execFileSync("git", ["-C", folder, "apply", "-"], { input: patch });
  const { file, language, after } = fix;
  const text = readFileSync(join(folder, file), "utf8");
  const passes = !failsMore(runOwnTests(folder, language, { [file]: text }), fixed);
  const [only] = paths;
  const isEqual =
    paths.length === 1 && only === file && (await normalKey(file, text)) === (await normalKey(file, after));
  const changesTests =
    paths.some(isNamedTest) || (paths.includes(file) && testPart(text) !== testPart(fix.before));
  return { changesTests, passes, likeness: isEqual ? "equal" : "unknown" };
}

function isNamedTest(path: string): boolean {
  return isTestFile(path) || /(?:^|[\W_])tests?(?:[\W_]|$)/i.test(basename(path));
}

/** Rust's tests stand at the end of the code. */
function testPart(text: string): string {
  const at = text.search(/^\s*#\[cfg\(test\)\]/m);
  return at === -1 ? "" : text.slice(at);
}

function diffOf({ before, after }: Fix): string {
  const folder = join(values.work, "diff");
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "before"), before);
  writeFileSync(join(folder, "after"), after);
  const ended = spawnSync("git", ["diff", "--no-index", "--no-color", "before", "after"], {
    cwd: folder,
    encoding: "utf8",
  });
  rmSync(folder, { recursive: true, force: true });
  return ended.stdout;
}

if (!values.table) await runShard();
if (!values.prepare) console.log(renderVerdicts(readKnown()));
