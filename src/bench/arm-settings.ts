/** Names the settings of a batch's arm, and finds the settings in which arms differ. */
import { basename } from "node:path";
import { createRedactor, redactedMark } from "../base/redact.ts";
import { parseDuration, parseSize } from "../base/units.ts";
import type { BatchDocument } from "./batch-document.ts";

type Texts = Readonly<Record<string, string>>;

/** Settings as texts, by name. The texts may contain secrets. The name of a flag includes its dashes. */
export interface ArmSettings {
  /** Settings of the batch as a whole, such as the sandbox. */
  readonly batch: Texts;
  /** Flags that all arms of the batch share; undefined in older and imported documents. */
  readonly shared: Texts | undefined;
  /** The arm's own flags; undefined in imported documents. */
  readonly own: Texts | undefined;
}

export interface DifferingSetting {
  readonly setting: string;
  /** The values, one for each arm. */
  readonly values: readonly string[];
  /** What a difference of the setting can change: the arms' results, or only their times. */
  readonly affects: "results" | "times";
}

const parts = ["batch", "shared", "own"] as const satisfies readonly (keyof ArmSettings)[];

/** Settings that are not flags: parts of an arm's name or of the batch. */
const notFlags = new Set(["strategy", "model", "sandbox"]);

/** Flags that affect only the times: the number of simultaneous tries. */
const forTimes = new Set(["--workers"]);

/** Settings that are paths of a machine. Millwright shows and compares only their last part. */
const paths = new Set(["agentFolder", "batchBudget", "runsDir"]);

export function settingsOfArm(batch: BatchDocument, arm: BatchDocument["arms"][number]): ArmSettings {
  const { tasks, rules, sandbox, version, off = [], settings } = batch;
  return {
    batch: {
      "task file": `${tasks.file} (sha256 ${tasks.sha256.slice(0, 12)}…)`,
      rule: rules.join(", "),
      sandbox,
      "version of Millwright": version,
      "turned off": off.join(", ") || "nothing",
    },
    shared: settings === undefined ? undefined : flagsOf(settings),
    own: arm.settings === undefined ? undefined : flagsOf(arm.settings),
  };
}

function flagsOf(settings: Readonly<Record<string, unknown>>): Texts {
  const flags = Object.entries(settings).filter(([name]) => !notFlags.has(name));
  return Object.fromEntries(flags.map(([name, value]) => [flagOf(name), textOf(name, value)]));
}

/** Returns all settings of the arm as texts, without secrets. */
export function showSettings({ batch, shared, own }: ArmSettings): Texts {
  const all = Object.entries({ ...batch, ...shared, ...own });
  return Object.fromEntries(all.map(([name, text]) => [name, withoutSecrets(text)]));
}

/** Finds the settings in which the arms differ. */
export function findDifferences(arms: readonly ArmSettings[]): DifferingSetting[] {
  return listSettings(arms)
    .filter(({ values }) => !areEqual(values))
    .map(({ setting, values }) => ({
      ...{ setting, values: values.map(withoutSecrets) },
      affects: forTimes.has(setting) ? "times" : "results",
    }));
}

/**
 * Renders the flags with equal values in all arms. Without such flags, returns "none", or "not recorded" if an arm's
 * flags are unknown.
 */
export function tellCommonFlags(arms: readonly ArmSettings[]): string {
  const common = listSettings(arms).filter(
    ({ setting, values }) => setting.startsWith("--") && areEqual(values),
  );
  const told = common.map(({ setting, values: [value = ""] }) => `${setting} ${withoutSecrets(value)}`);
  const isKnown = arms.every(({ shared, own }) => shared !== undefined || own !== undefined);
  return told.join("; ") || (isKnown ? "none" : "not recorded");
}

function listSettings(arms: readonly ArmSettings[]): Omit<DifferingSetting, "affects">[] {
  return parts.flatMap((part) => {
    const names = new Set(arms.flatMap((arm) => Object.keys(arm[part] ?? {})));
    return [...names].map((setting) => ({
      setting,
      values: arms.map((arm) =>
        arm[part] === undefined ? "not recorded" : (arm[part][setting] ?? "not given"),
      ),
    }));
  });
}

/**
 * True if all values are the same, or the same duration or size. Compares task files by their hashes, not by their
 * paths.
 */
function areEqual(values: readonly string[]): boolean {
  const readings = [
    (text: string) => /\(sha256 \w+…\)$/.exec(text)?.[0] ?? text,
    (text: string) => parseDuration(text) ?? text,
    (text: string) => parseSize(text) ?? text,
  ];
  return readings.some((read) => new Set<string | number>(values.map(read)).size <= 1);
}

function flagOf(name: string): string {
  return `--${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

function textOf(name: string, value: unknown): string {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return (paths.has(name) ? basename(text) : text).replaceAll(/\s+/g, " ");
}

const redactor = createRedactor();
/** The variables before a command, as in `KEY=… codex exec`. */
const variables = /^(?:env )?(?:[A-Za-z_]\w{0,100}=(?:"[^"]*"|'[^']*'|[^\s"']*)(?: |$))+/;
const variable = /(\w+=)(?:"[^"]*"|'[^']*'|[^\s"']+)/g;
const userOfAddress = /(:\/\/)[^\s/@]{1,500}(?=@)/g;

/** Hides the user name in addresses, the values of variables before a command, and keys of known forms. */
function withoutSecrets(text: string): string {
  const hidden = text.replace(variables, (all) => all.replaceAll(variable, `$1${redactedMark}`));
  return redactor.text(hidden.replaceAll(userOfAddress, `$1${redactedMark}`));
}
