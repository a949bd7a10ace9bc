/**
 * Collects facts about the repository and the sandbox: lock files, versions of the programs for marker files, and the
 * tests.
 */

import { wordFor } from "../../base/count.ts";
import { isFailing } from "../../domain/test-outcome.ts";
import type { Language, Probe } from "../../languages/contract.ts";
import { languages } from "../../languages/languages.generated.ts";
import type { ActionContext } from "../action.ts";
import type { ShellDesk } from "../code/shell-desk.ts";

const known: readonly Language[] = languages;

const probes: readonly Probe[] = [
  ...known.flatMap(({ probes: own = [] }) => own),
  { markers: ["Makefile"], programs: ["make --version"] },
];

const lockFiles = languages.flatMap((language: Language) => Object.entries(language.lockFiles ?? {}));

const probeSeconds = 60;
const longestFact = 240;
const mostRemarks = 4;

export async function environmentFacts(
  context: Pick<ActionContext, "suite" | "workspace">,
  desk: ShellDesk,
): Promise<string[]> {
  const paths = (await context.workspace.trees.list(context.workspace.base)).map(({ path }) => path);
  const names = new Set(paths.map((path) => path.slice(path.lastIndexOf("/") + 1)));
  const has = (marker: string): boolean =>
    names.has(marker) || (marker.startsWith(".") && paths.some((path) => path.endsWith(marker)));
  const programs = probes.filter(({ markers }) => markers.some(has)).flatMap((each) => each.programs);
  const locks = lockFiles.filter(([file]) => names.has(file));
  return [
    ...(await versionsOf([...new Set(programs)], desk)),
    ...locks.map(([file, manager]) => `Dependencies are pinned by ${file} (${manager}).`),
    ...testFacts(context),
  ].map((fact) => fact.slice(0, longestFact));
}

/** The first line that each program prints, or a note that the program is missing. */
async function versionsOf(programs: readonly string[], desk: ShellDesk): Promise<string[]> {
  if (programs.length === 0) return [];
  const script = programs.map(
    (program) => `if out=$(${program} 2>&1); then echo "$out" | head -n 1; else echo; fi`,
  );
  const { stdout } = await desk.execute(script.join("\n"), probeSeconds);
  const lines = stdout.split("\n");
  return programs.map((program, index) => {
    const said = lines[index]?.trim() ?? "";
    return said === "" ? `\`${program}\` does not run here.` : `\`${program}\`: ${said}`;
  });
}

function testFacts({ suite }: Pick<ActionContext, "suite">): string[] {
  const { command, outcomes, remarks } = suite;
  const remarked = remarks.slice(0, mostRemarks).map((remark) => `Tests: ${remark}`);
  if (command.command === "") return remarked;
  const place = command.directory === "" ? "" : ` in ${command.directory}`;
  const passing = outcomes.filter(({ status }) => status === "passed").length;
  const failing = outcomes.filter(({ status }) => isFailing(status)).length;
  const figures = `${passing} of ${outcomes.length} ${wordFor(passing, "passes", "pass")}, ${failing} ${wordFor(failing, "fails", "fail")}`;
  return [
    `Tests: \`${command.command}\`${place} (found by: ${command.foundBy}); on the base ${figures}.`,
    ...remarked,
  ];
}
