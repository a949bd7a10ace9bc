/** The settings of a command, a run or a caller of the library, and the folders that follow from them. */
import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { join, posix, resolve } from "node:path";
import { z } from "zod";
import { MillwrightError } from "../base/errors.ts";
import { hashText } from "../base/hash.ts";
import { readJson } from "../base/parse-json.ts";
import { readRegularFile } from "../base/regular-file.ts";
import { parseDuration, parseSize } from "../base/units.ts";
import { modelRoles, reasoningEfforts } from "../llm/contract.ts";
import type { Environment } from "../llm/model-name.ts";
import {
  maxOutputTokensSetting,
  modelPricesSetting,
  modelRolesSetting,
  reasoningSetting,
  temperatureSetting,
} from "../llm/model-settings.ts";
import { sandboxes } from "../sandbox/index.ts";
import { describeIssue } from "./setting-issues.ts";

const duration = z
  .string()
  .transform(
    (text, context) =>
      parseDuration(text) || complain(context, `"${text}" is not a duration such as 90s or 30m`),
  );
const size = z
  .string()
  .transform(
    (text, context) => parseSize(text) ?? complain(context, `"${text}" is not a size such as 512m or 4g`),
  );
const number = z.coerce.number<number | string>();
const count = number.int().positive();
const flag = z.union([
  z.boolean(),
  z.enum(["true", "false", "1", "0"]).transform((text) => text === "true" || text === "1"),
]);

function complain(context: z.RefinementCtx, message: string): never {
  context.addIssue({ code: "custom", message });
  return z.NEVER;
}

/** The schema of all settings. Types, JSON schema and documentation derive from it. */
export const settingsSchema = z
  .object({
    sandbox: z
      .enum(["auto", ...sandboxes.map((sandbox) => sandbox.name)])
      .default("auto")
      .describe("The sandbox for the repository's commands; auto: the strongest sandbox that works."),
    image: z
      .string()
      .optional()
      .describe(
        "An image with the project's toolchain, instead of the host's toolchain. docker: the image's name; bubblewrap: the image's root folder.",
      ),
    imageRoot: z
      .string()
      .regex(/^\/[^/]/, "it must be an absolute path other than /")
      .transform((path) => posix.normalize(path).replace(/\/$/, ""))
      .optional()
      .describe("The project's folder in the image, such as /testbed, to which installed packages refer."),
    imagePath: z
      .string()
      .transform((text) => text.split(":").filter((folder) => folder !== ""))
      .optional()
      .describe(
        "Folders, separated by colons, to put first on the image's PATH, such as /opt/conda/envs/test/bin.",
      ),
    network: flag.default(false).describe("Give the sandbox network access."),
    share: z
      .string()
      .transform((text) => text.split(",").map((path) => path.trim()))
      .optional()
      .describe(
        "Paths, separated by commas, of files with keys, such as .env, that a run with a model may see. The run's copy omits all other files with keys.",
      ),
    strategy: z
      .string()
      .optional()
      .describe(
        "The strategy; default: external with agentCommand; otherwise unified with a model, and search-repair without a model.",
      ),
    model: z.string().default("none").describe("PROVIDER/ID of the model, or none."),
    modelRoles: modelRolesSetting
      .optional()
      .describe(
        `Other models for single roles, such as retrieval=PROVIDER/ID,review=PROVIDER/ID; the roles are ${modelRoles.join(", ")}.`,
      ),
    temperature: temperatureSetting
      .optional()
      .describe(
        "Temperature of models, from 0 to 2; default: 0. Example with another value for one role: 0.2,editing=0.7.",
      ),
    reasoning: reasoningSetting
      .optional()
      .describe(
        `Reasoning effort of models: ${reasoningEfforts.join(", ")}. Example with another value for one role: low,planning=high.`,
      ),
    maxOutputTokens: maxOutputTokensSetting
      .optional()
      .describe(
        "Maximum tokens of one answer; default: 16384. Example with another value for one role: 8000,editing=32000.",
      ),
    seed: z.coerce
      .number<number | string>()
      .int()
      .nonnegative()
      .optional()
      .describe("Seed for models that accept one; default: none, and in a batch the attempt's number."),
    embeddingModel: z
      .string()
      .optional()
      .describe("PROVIDER/ID of a model for embeddings; default: search without embeddings."),
    modelUrl: z.string().optional().describe("openai-compatible: the address of the server, with its /v1."),
    modelPrices: modelPricesSetting
      .optional()
      .describe(
        "US dollars per million tokens, for models without a known price: PROVIDER/ID=INPUT/CACHED/OUTPUT,…",
      ),
    modelTimeout: duration
      .default(300_000)
      .describe("Maximum time to wait for data from a model's server, such as 5m."),
    modelParallel: count.max(64).default(8).describe("Maximum number of simultaneous calls to one provider."),
    testCommand: z
      .string()
      .optional()
      .describe("The command that runs the tests; default: Millwright finds it."),
    testTimeout: duration
      .optional()
      .describe(
        "Time limit of one test, such as 60s; default: first 10s, then a value derived from the repository's tests.",
      ),
    codeServers: z
      .enum(["auto", "off"])
      .default("auto")
      .describe("Let a run with a model ask the machine's language servers; auto: if one is installed."),
    agentCommand: z
      .string()
      .min(1)
      .optional()
      .describe(
        "external: the command that starts another agent; the agent gets the statement and the repository.",
      ),
    agentFolder: z
      .string()
      .transform((path) => resolve(path))
      .optional()
      .describe("external: that agent's folder, mounted read-only at its own path in the sandbox."),
    maxCost: number.positive().optional().describe("Maximum US dollars that the run may spend on models."),
    maxTokens: count.optional().describe("Maximum tokens, input and output together, that the run may use."),
    batchBudget: z
      .string()
      .transform((path) => resolve(path))
      .optional()
      .describe(
        'A file of limits, such as {"usd": 5, "tokens": 2000000, "calls": 400}; all processes that name the file share the limits.',
      ),
    maxSteps: count.optional().describe("Maximum number of candidates or actions."),
    samples: count
      .max(100)
      .optional()
      .describe("Number of samples for a strategy that samples; strategies have different defaults."),
    arms: z
      .string()
      .transform((text) => text.split(",").map((name) => name.trim()))
      .optional()
      .describe("best-of: the strategies that it runs, such as unified,react,unified."),
    maxTime: duration.optional().describe("Maximum wall time of the run, such as 30m."),
    memory: size.default(4 * 1024 ** 3).describe("Memory of the sandbox, such as 4g."),
    cpus: number.positive().default(2).describe("Cores of each sandbox."),
    processes: count.default(512).describe("Maximum number of processes in the sandbox at the same time."),
    parallel: count.max(16).default(2).describe("Number of candidates validated at the same time."),
    remember: flag
      .default(false)
      .describe(
        "At the end of a run, note findings such as the test command, the folders' contents, flaky tests, durations of test files and a verified patch's files. Later runs on the repository use these notes.",
      ),
    runsDir: z
      .string()
      .optional()
      .describe("The folder of all runs; default: under the user's state directory."),
  })
  .strict();
export type Settings = z.infer<typeof settingsSchema>;
export type SettingName = keyof Settings;
/** Settings as in a file: durations and sizes are texts such as `10m` and `4g`. */
export type SettingValues = z.input<typeof settingsSchema>;

/**
 * Parses settings. Throws MillwrightError("usage") for an invalid value. The message begins with `sourceOf(name)`: the
 * setting in the user's form, such as a flag.
 */
export function parseSettings(
  values: unknown,
  sourceOf = (name: string): string => `The setting "${name}"`,
): Settings {
  const parsed = settingsSchema.safeParse(values);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const own = String(issue?.path[0] ?? "");
  const name = own || (issue?.code === "unrecognized_keys" ? issue.keys.join(", ") : "");
  const known: Readonly<Record<string, { readonly description?: string | undefined }>> = settingsSchema.shape;
  throw new MillwrightError(
    "usage",
    `${sourceOf(name)} is wrong: ${issue === undefined ? "invalid" : describeIssue(issue)}`,
    {
      hint: known[own]?.description ?? `The settings are ${Object.keys(known).join(", ")}.`,
    },
  );
}

/** The names of all settings that a model client uses. */
export const modelSettingNames = [
  "model",
  "modelRoles",
  "temperature",
  "reasoning",
  "maxOutputTokens",
  "seed",
  "embeddingModel",
  "modelUrl",
  "modelPrices",
  "modelTimeout",
  "modelParallel",
  "batchBudget",
] as const satisfies readonly SettingName[];
export type ModelSettings = Pick<Settings, (typeof modelSettingNames)[number]>;

export function readJsonFile(path: string): Record<string, unknown> {
  return z.record(z.string(), z.unknown()).parse(readJson(readRegularFile(path).toString("utf8")));
}

/**
 * Reads `languageServers` from the project's settings file, then from the user's. Returns each value with its file's
 * path. Servers run in the sandbox, like the project's own test command. Throws if a file is not JSON; a missing file
 * counts as empty.
 */
export function configuredServersOf({
  environment,
  repository,
}: {
  readonly environment: Environment;
  readonly repository: string;
}): {
  readonly source: string;
  readonly value: unknown;
}[] {
  return [join(repository, "millwright.config.json"), userSettingsFile(environment)].flatMap((source) => {
    if (!existsSync(source)) return [];
    const { languageServers: value } = readJsonFile(source);
    return value === undefined ? [] : [{ source, value }];
  });
}

/**
 * Returns the folder with the user's own `config.json` and `.env`: `millwright` in the XDG configuration directory.
 */
export function userFolder(environment: Environment): string {
  const configHome = environment.XDG_CONFIG_HOME || join(environment.HOME ?? homedir(), ".config");
  return join(configHome, "millwright");
}

export function userSettingsFile(environment: Environment): string {
  return join(userFolder(environment), "config.json");
}

/**
 * Returns the file with a repository's notes, which runs leave for later runs. The files are in `millwright/notes` in
 * the XDG state directory, one for each repository.
 */
export function notesFileOf(repository: string, environment: Environment): string {
  return join(stateFolder(environment), "notes", `${hashText(repository).slice(0, 16)}.json`);
}

function stateFolder(environment: Environment): string {
  const stateHome = environment.XDG_STATE_HOME || join(environment.HOME ?? homedir(), ".local", "state");
  return join(stateHome, "millwright");
}

/** Returns the folder of all runs: the setting's value, else `millwright/runs` in the XDG state directory. */
export function runsDirectoryOf(settings: Pick<Settings, "runsDir">, environment: Environment): string {
  if (settings.runsDir !== undefined) return resolve(settings.runsDir);
  return join(stateFolder(environment), "runs");
}
