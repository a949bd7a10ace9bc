/** `bench red-team`: tries to cheat the grading on this machine, and reports what stopped each cheat. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pc from "picocolors";
import picomatch from "picomatch";
import { countOf } from "../base/count.ts";
import { MillwrightError } from "../base/errors.ts";
import { sanitizeForTerminal } from "../base/terminal-text.ts";
import type { GradeResult } from "../bench/grade-task.ts";
import { runPool } from "../bench/pool.ts";
import { listTries, projects, type RedTeamTry } from "../bench/red-team/list-tries.ts";
import { withBenchSession } from "../session/bench-session.ts";
import { readBenchSettings } from "./bench-flags.ts";
import { hostOf } from "./host.ts";
import { withInterrupts } from "./interrupt.ts";

export interface RedTeamFlags {
  readonly language: readonly string[];
  readonly only: readonly string[];
  readonly everyRule?: boolean;
  readonly workers: number;
  /** Time limit of a test in milliseconds. */
  readonly testTimeout: number;
  readonly json?: boolean;
  readonly [setting: string]: unknown;
}

interface Row extends Pick<RedTeamTry, "language" | "name" | "rule" | "isHonest"> {
  readonly result: GradeResult;
}

export const languages: readonly string[] = projects.map(({ language }) => language);

/** Maximum size of a patch in bytes. This is high enough that tests judge cheats with huge patches too. */
const patchLimit = 64 * 1024 ** 2;

/** Time limit of a run, as a multiple of a test's limit. It ends the tests of an endless cheat. */
const limitsOfRun = 8;

/**
 * Runs the red team. Ignores languages that this machine cannot grade. Returns the exit code: 0 if every cheat failed
 * and every honest repair scored, else 10, also if no language could be graded.
 */
export async function runRedTeam(flags: RedTeamFlags): Promise<number> {
  const chosen = flags.language.length === 0 ? languages : flags.language;
  const unknown = chosen.find((language) => !languages.includes(language));
  if (unknown !== undefined)
    throw new MillwrightError("usage", `The red team has no cheats for ${unknown}`, {
      hint: `It has ${languages.join(", ")}.`,
    });
  return withInterrupts((signal) => tryToCheat(flags, chosen, signal));
}

async function tryToCheat(
  flags: RedTeamFlags,
  chosen: readonly string[],
  signal: AbortSignal,
): Promise<number> {
  const directory = mkdtempSync(join(tmpdir(), "millwright-red-team-"));
  const { language: _l, only, everyRule = false, workers, testTimeout, json = false, ...given } = flags;
  const request = {
    ...{ host: hostOf(), settings: readBenchSettings(directory, given).settings, directory, signal },
    ...{ owner: `red-team-${process.pid}`, place: {}, rules: [], setupVariables: [] },
    ...{ limitMs: limitsOfRun * testTimeout, testLimitMs: testTimeout, dropEnvironments: false, patchLimit },
  };
  try {
    return await withBenchSession(request, async ({ options }) => {
      const all = await listTries({ languages: chosen, everyRule, options });
      const isWanted = ({ name }: RedTeamTry): boolean => picomatch.isMatch(name, [...only], { dot: true });
      const tries = only.length === 0 ? all : all.filter((each) => each.isHonest || isWanted(each));
      const { rows, absent } = await gradeAll(tries, { workers, signal, json });
      return tell(rows, absent, json);
    });
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

interface Graded {
  readonly rows: readonly Row[];
  /** The reason why this machine cannot grade a language, by language. */
  readonly absent: ReadonlyMap<string, string>;
}

interface Work {
  readonly workers: number;
  readonly signal: AbortSignal;
  readonly json: boolean;
}

/** Grades all tries. Begins with the honest repairs: without them, results for a language mean nothing. */
async function gradeAll(tries: readonly RedTeamTry[], { workers, signal, json }: Work): Promise<Graded> {
  const absent = new Map<string, string>();
  const grade = (some: readonly RedTeamTry[]): Promise<Row[]> =>
    runPool(some, {
      ...{ workers, retries: 0, signal, isRetried: () => false },
      work: async ({ grade: gradeOne, ...about }) => ({ ...about, result: await gradeOne() }),
      onResult: (row) => void (json || process.stdout.write(`${render(row)}\n`)),
    });
  const honest = await grade(tries.filter(({ isHonest }) => isHonest));
  for (const { language, result } of honest)
    if (result.outcome === "infrastructure-error") absent.set(language, result.reason);
  const cheats = await grade(tries.filter(({ language, isHonest }) => !isHonest && !absent.has(language)));
  return { rows: [...honest.filter(({ language }) => !absent.has(language)), ...cheats], absent };
}

function scores({ result }: Row): boolean {
  return result.outcome === "resolved";
}

/** True for a wanted result. An infrastructure error is not wanted, because it leaves the cheat undecided. */
function isAsWanted(row: Row): boolean {
  return row.isHonest ? scores(row) : ["unresolved", "agent-error"].includes(row.result.outcome);
}

function render(row: Row): string {
  const { language, name, rule, isHonest, result } = row;
  const mark = isAsWanted(row) ? pc.green("as expected") : pc.red(scores(row) ? "SCORED" : "NOT AS EXPECTED");
  const kind = isHonest ? "honest" : "cheat";
  return sanitizeForTerminal(`${mark} ${language}, ${kind}: ${name} (${rule}): ${sayWhy(result)}`);
}

/**
 * Explains a result in one line: the restored files, another result of the tests alone if there is one, and the
 * deciding reason.
 */
export function sayWhy({ restored, reason, byTests, outcome }: GradeResult): string {
  const stayed = restored.length === 0 ? [] : [`the grader restored ${restored.slice(0, 3).join(", ")}`];
  const forged = byTests !== outcome ? ["by the tests alone, the patch would resolve the task"] : [];
  return [...stayed, ...forged, reason.replaceAll(/\s+/g, " ")].join("; ");
}

function tell(rows: readonly Row[], absent: Graded["absent"], json: boolean): number {
  const cheats = rows.filter(({ isHonest }) => !isHonest);
  const honest = rows.filter(({ isHonest }) => isHonest);
  const scored = cheats.filter(scores).length;
  const isWell = rows.length > 0 && rows.every(isAsWanted);
  if (json) {
    const document = {
      schema: "millwright.bench-red-team/1",
      scored,
      cheats: cheats.length,
      honest: { resolved: honest.filter(scores).length, tried: honest.length },
      absent: Object.fromEntries(absent),
      tries: rows.map(({ result, ...about }) => ({ ...about, ...result })),
    };
    process.stdout.write(`${JSON.stringify(document, null, 2)}\n`);
    return isWell ? 0 : 10;
  }
  const lines = [
    ...[...absent].map(([language, reason]) => `not tried in ${language}: ${reason}`),
    `${honest.filter(scores).length} of ${countOf(honest.length, "honest repair")} resolved`,
    `${scored} of ${cheats.length} scored`,
  ];
  process.stdout.write(`${sanitizeForTerminal(lines.join("\n"))}\n`);
  return isWell ? 0 : 10;
}
