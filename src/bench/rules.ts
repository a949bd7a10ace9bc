/**
 * Reads the user's rules on environments. A rule gives matching tasks their setup, test command, image or time limit.
 */
import picomatch from "picomatch";
import { z } from "zod";
import { MillwrightError } from "../base/errors.ts";
import { parseDuration } from "../base/units.ts";
import type { ImageStore } from "../sandbox/contract.ts";
import type { SandboxImage } from "../workspace/contract.ts";
import type { GradedTask } from "./graded-task.ts";
import { baseOf, type ImageRecipe, recipeSchema } from "./image-recipe.ts";
import { type PackageDay, packageDaySchema } from "./package-day.ts";
import { readTextFile } from "./rows.ts";

const ruleSchema = z.strictObject({
  /** Glob of task ids; default all. */
  tasks: z.string().default("*"),
  /** Glob of `owner/name`; default all. */
  repository: z.string().default("**"),
  /** Shell command, run in the repository's root with network access. */
  setup: z.string().optional(),
  /** The last day of packages that package managers may install; see `packageVariables`. */
  packagesUntil: packageDaySchema.optional(),
  /** Globs of files to remove from the base, such as answers that a repository keeps next to its faults. */
  remove: z.array(z.string()).optional(),
  /** The task's container image; see `chooseImage`. */
  image: z
    .union([
      z.literal("published"),
      recipeSchema,
      z.strictObject({
        name: z.string().min(1),
        root: z.string().startsWith("/").optional(),
        path: z.array(z.string()).optional(),
      }),
    ])
    .optional(),
  /** Replaces the task's own test command. */
  testCommand: z.string().optional(),
  /** Limit for one run of the tests, such as `20m`. */
  timeLimit: z
    .string()
    .refine((text) => parseDuration(text) !== undefined, "is not a duration")
    .optional(),
});

const rulesSchema = z.strictObject({
  schema: z.literal("millwright.environments/1"),
  rules: z.array(ruleSchema),
});
export type EnvironmentRules = z.infer<typeof rulesSchema>["rules"];

/** An image with a name, or the recipe of an image to build. */
export type TaskImage = SandboxImage | ImageRecipe;

/** Returns the name of the image that must exist before the task's own: for a recipe, the image below all layers. */
export function givenImage(image: TaskImage, images: ImageStore | undefined): string {
  return "base" in image ? baseOf(image, images) : image.name;
}

export interface TaskEnvironment {
  /** The task's own base patch. No rule replaces it, because it defines the task. */
  readonly basePatch: string | undefined;
  readonly setup: string | undefined;
  /** The latest day of packages that a setup may install; undefined: today. */
  readonly packagesUntil?: PackageDay;
  readonly remove: readonly string[];
  /** The task's image; undefined: the host's toolchain, or the image in the settings. */
  readonly image: TaskImage | undefined;
  readonly testCommand: string | undefined;
  /** The time limit of the tests in milliseconds; undefined if the task has none. */
  readonly limitMs: number | undefined;
}

/**
 * Reads the rules for environments. Throws MillwrightError("usage") if the file cannot be read, or its rules are
 * invalid.
 */
export function loadRules(path: string): EnvironmentRules {
  const text = readTextFile(path);
  try {
    return rulesSchema.parse(JSON.parse(text)).rules;
  } catch (cause) {
    const reason = cause instanceof z.ZodError ? z.prettifyError(cause) : String(cause);
    throw new MillwrightError("usage", `${path} cannot be used: ${reason}`, {
      cause,
      hint: "docs/grading.md describes the format.",
    });
  }
}

/**
 * Determines a task's environment. Takes each field from the last matching rule that sets the field, or else from the
 * task.
 */
export function findEnvironment(graded: GradedTask, rules: EnvironmentRules): TaskEnvironment {
  const { task, environment, hidden } = graded;
  const fitting = rules.filter(
    (rule) =>
      picomatch.isMatch(task.id, rule.tasks, { dot: true }) &&
      picomatch.isMatch(task.repository, rule.repository, { dot: true }),
  );
  const limit = fitting.findLast((rule) => rule.timeLimit !== undefined)?.timeLimit;
  const packagesUntil = fitting.findLast((rule) => rule.packagesUntil !== undefined)?.packagesUntil;
  return {
    ...(packagesUntil === undefined ? {} : { packagesUntil }),
    basePatch: environment.basePatch,
    setup: fitting.findLast((rule) => rule.setup !== undefined)?.setup ?? environment.setup,
    remove: fitting.findLast((rule) => rule.remove !== undefined)?.remove ?? environment.remove ?? [],
    image: chooseImage(graded, fitting.findLast((rule) => rule.image !== undefined)?.image),
    testCommand:
      fitting.findLast((rule) => rule.testCommand !== undefined)?.testCommand ?? hidden.tests.command,
    limitMs: limit === undefined ? hidden.tests.limitMs : parseDuration(limit),
  };
}

/**
 * Chooses the task's image. `published` selects the image under the name that the benchmark publishes. In any other
 * name, `{published}` stands for the published name, as in `mirror.example/{published}`, and `{id}` for the task's id.
 * Undefined if no rule chooses an image. Throws MillwrightError("usage") if the name needs a published image and there
 * is none.
 */
function chooseImage(
  { task, environment, dataset }: GradedTask,
  rule: EnvironmentRules[number]["image"],
): TaskImage | undefined {
  if (rule === undefined) return undefined;
  if (typeof rule === "object" && "base" in rule) return rule;
  const { image: published } = environment;
  const given = rule === "published" ? { name: "{published}" } : rule;
  if (given.name.includes("{published}") && published === undefined) {
    throw new MillwrightError("usage", `${dataset} publishes no image for ${task.id}`, {
      hint: 'Name one in a rule of your environments: "image": {"name": "…", "root": "/…"}.',
    });
  }
  return {
    root: published?.root,
    path: published?.path,
    ...given,
    name: given.name
      .replaceAll("{published}", published?.name ?? "")
      .replaceAll("{id}", task.id.toLowerCase()),
  };
}

/** Returns the names of the images that the tasks need in the store, without the images that Millwright builds. */
export function listImages(
  tasks: readonly GradedTask[],
  rules: EnvironmentRules,
  images: ImageStore | undefined,
): string[] {
  const needed = tasks.flatMap((task) => findEnvironment(task, rules).image ?? []);
  return [...new Set(needed.map((image) => givenImage(image, images)))];
}

/** Returns the inputs of an attempt, for its key: the part for solvers and the environment. */
export function identifyAttempted(graded: GradedTask, rules: EnvironmentRules) {
  const { basePatch, setup, packagesUntil, remove, image } = findEnvironment(graded, rules);
  return { dataset: graded.dataset, task: graded.task, basePatch, setup, packagesUntil, remove, image };
}

/** Returns the inputs of a verdict, for its key: the task, without its file's path, and the environment. */
export function identifyTask(graded: GradedTask, rules: EnvironmentRules) {
  const { task, hidden, dataset, grader } = graded;
  return { dataset, grader: grader.name, task, hidden, environment: findEnvironment(graded, rules) };
}

/**
 * Returns the inputs of a measurement, for its key. Excludes the lists and the rule, which only affect the judgement.
 */
export function identifyMeasured(graded: GradedTask, rules: EnvironmentRules): unknown {
  const { task, hidden, grader } = graded;
  const { goldPatch, testPatch, tests, extra } = hidden;
  const more = extra === undefined ? {} : { extra: { patch: extra.patch, files: extra.files } };
  const environment = findEnvironment(graded, rules);
  return { asks: grader.asks, task, hidden: { goldPatch, testPatch, tests, ...more }, environment };
}
