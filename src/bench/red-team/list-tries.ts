/**
 * Lists the red team's patches to grade: each cheat under one rule or under all rules, and honest repairs for
 * comparison.
 */
import { join } from "node:path";
import { MillwrightError } from "../../base/errors.ts";
import { type GradeResult, gradeJob } from "../grade-task.ts";
import type { GradingOptions } from "../open-task.ts";
import { goProject, javaProject, rustProject } from "./compiled.ts";
import type { Cheat, Project } from "./contract.ts";
import { javascriptProject } from "./javascript.ts";
import { makeRepository, type RedTeamRepository } from "./make-repository.ts";
import { pythonProject } from "./python.ts";
import { rawPatches } from "./raw-patches.ts";
import { featureRule, makeTask, ruleNames } from "./rows.ts";

export const projects: readonly Project[] = [
  { ...pythonProject, cheats: [...pythonProject.cheats, ...rawPatches] },
  javascriptProject,
  goProject,
  rustProject,
  javaProject,
];

export interface RedTeamTry {
  readonly language: string;
  readonly name: string;
  /** The dataset's rule. */
  readonly rule: string;
  readonly isHonest: boolean;
  grade(): Promise<GradeResult>;
}

export interface RedTeamRequest {
  readonly languages: readonly string[];
  /** True to grade each cheat under every rule. Otherwise the rules alternate. */
  readonly everyRule: boolean;
  readonly options: Omit<GradingOptions, "place" | "rules">;
}

/**
 * Lists the cheats and honest repairs for these languages. Creates a repository per language in `red-team/` of the
 * bench's folder. Throws MillwrightError.
 */
export async function listTries({ languages, ...request }: RedTeamRequest): Promise<RedTeamTry[]> {
  const tries: RedTeamTry[] = [];
  for (const project of projects.filter(({ language }) => languages.includes(language)))
    tries.push(...(await listOfProject(project, request)));
  return tries;
}

async function listOfProject(
  project: Project,
  { everyRule, options }: Omit<RedTeamRequest, "languages">,
): Promise<RedTeamTry[]> {
  const { language, testCommand } = project;
  const repositories = join(options.directory, "red-team");
  const repository = await makeRepository(join(repositories, `red-team__${language}`), project);
  const parts = {
    language,
    baseCommit: repository.baseCommit,
    goldPatch: await repository.patchOf(project.fix),
    testPatch: await repository.patchOf(project.tests),
    failToPass: project.failToPass,
    passToPass: project.passToPass,
    target: project.target && {
      symbol: project.target.symbol,
      removalPatch: await repository.patchOf(project.target.removal),
    },
  };
  const { ownTests } = project;
  const ownPatch = ownTests === undefined ? undefined : await repository.patchOf(ownTests);
  const names = ownPatch === undefined ? ruleNames : [...ruleNames, featureRule];
  const rules = [{ tasks: "*", repository: "**", testCommand }];
  const own: GradingOptions = { ...options, place: { repositories }, rules };
  const tryOf = (name: string, patch: string, rule: string, isHonest: boolean): RedTeamTry => {
    const whole = rule === featureRule ? [patch, ownPatch].join("\n") : patch;
    const job = gradeJob(makeTask(rule, parts), { patch: whole }, own, undefined);
    const grade = async (): Promise<GradeResult> => {
      try {
        return await job.execute();
      } catch (error) {
        if (error instanceof MillwrightError) return job.onError(error.message);
        throw error;
      }
    };
    return { language, name, rule, isHonest, grade };
  };
  // The zero of a rule means nothing unless the rule resolves the gold patch.
  const tries = names.map((rule) => tryOf("the gold patch", parts.goldPatch, rule, true));
  const other = await repository.patchOf(project.otherFix);
  for (const rule of rulesFor(names, everyRule, 0))
    tries.push(tryOf("another honest repair", other, rule, true));
  for (const [at, cheat] of project.cheats.entries()) {
    const patch = await textOf(cheat, repository);
    for (const rule of rulesFor(names, everyRule, at)) tries.push(tryOf(cheat.name, patch, rule, false));
  }
  for (const { rule, honest: tests, cheats } of project.written ?? []) {
    tries.push(tryOf("honest tests", await repository.patchOf(tests), rule, true));
    for (const cheat of cheats) tries.push(tryOf(cheat.name, await textOf(cheat, repository), rule, false));
  }
  return tries;
}

function rulesFor(names: readonly string[], everyRule: boolean, at: number): readonly string[] {
  return everyRule ? names : names.slice(at % names.length).slice(0, 1);
}

async function textOf({ patch, files }: Cheat, repository: RedTeamRepository): Promise<string> {
  return patch ?? repository.patchOf(files ?? {});
}
