/**
 * Lists the red team's patches to grade: each cheat under one rule or under all rules, and honest repairs for
 * comparison.
 */
import { join } from "node:path";
import { MillwrightError } from "../../base/errors.ts";
import { type GradeResult, gradeJob } from "../grade-task.ts";
import type { GradingOptions } from "../open-task.ts";
import { goProject, javaProject, rustProject } from "./compiled.ts";
import type { Cheat, Project, WrittenFunction } from "./contract.ts";
import { javascriptProject } from "./javascript.ts";
import { makeRepository, type RedTeamRepository } from "./make-repository.ts";
import { pythonProject } from "./python.ts";
import { rawPatches } from "./raw-patches.ts";
import { featureRule, functionRule, makeTask, ruleNames, type TaskParts } from "./rows.ts";

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
 * bench's folder. Throws MillwrightError if a repository or a task cannot be made.
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
  const { language, testCommand, ownTests, function: asked, furtherRules = [] } = project;
  const usual = await makePlace(project, join(options.directory, "red-team"));
  const bodiless =
    asked && (await makePlace(withoutBody(project, asked), join(options.directory, "red-team-functions")));
  const placeFor = (rule: string): Place => (rule === functionRule && bodiless ? bodiless : usual);
  const ownPatch = ownTests === undefined ? undefined : await usual.repository.patchOf(ownTests);
  const names = [
    ...ruleNames,
    ...(ownPatch === undefined ? [] : [featureRule]),
    ...furtherRules,
    ...(bodiless === undefined ? [] : [functionRule]),
  ];
  const rules = [{ tasks: "*", repository: "**", testCommand }];
  const tryOf = async (cheat: Cheat, rule: string, isHonest: boolean): Promise<RedTeamTry> => {
    const { repository, repositories, parts } = placeFor(rule);
    const own: GradingOptions = { ...options, place: { repositories }, rules };
    const patch = await textOf(cheat, repository);
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
    return { language, name: cheat.name, rule, isHonest, grade };
  };
  // The zero of a rule means nothing unless the rule resolves the gold patch.
  const tries: RedTeamTry[] = [];
  for (const rule of names)
    tries.push(await tryOf({ name: "the gold patch", files: project.fix }, rule, true));
  for (const rule of rulesFor(names, everyRule, 0))
    tries.push(await tryOf({ name: "another honest repair", files: project.otherFix }, rule, true));
  for (const [at, cheat] of project.cheats.entries())
    for (const rule of rulesFor(names, everyRule, at)) tries.push(await tryOf(cheat, rule, false));
  for (const { rule, honest: files, cheats } of project.written ?? []) {
    tries.push(await tryOf({ name: "honest tests", files }, rule, true));
    for (const cheat of cheats) tries.push(await tryOf(cheat, rule, false));
  }
  return tries;
}

/** A project's repository, and the parts of its task. */
interface Place {
  readonly repository: RedTeamRepository;
  /** The folder that contains the repository. */
  readonly repositories: string;
  readonly parts: TaskParts;
}

async function makePlace(project: Project, repositories: string): Promise<Place> {
  const { language, failToPass, passToPass, target, function: asked } = project;
  const repository = await makeRepository(join(repositories, `red-team__${language}`), project);
  const parts: TaskParts = {
    ...{ language, failToPass, passToPass, function: asked },
    baseCommit: repository.baseCommit,
    goldPatch: await repository.patchOf(project.fix),
    testPatch: await repository.patchOf(project.tests),
    target: target && {
      symbol: target.symbol,
      removalPatch: await repository.patchOf(target.removal),
    },
  };
  return { repository, repositories, parts };
}

function withoutBody(project: Project, { file, prompt }: WrittenFunction): Project {
  return { ...project, base: { ...project.base, [file]: `${prompt}    ...\n` } };
}

function rulesFor(names: readonly string[], everyRule: boolean, at: number): readonly string[] {
  return everyRule ? names : names.slice(at % names.length).slice(0, 1);
}

async function textOf({ patch, files }: Cheat, repository: RedTeamRepository): Promise<string> {
  return patch ?? repository.patchOf(files ?? {});
}
