/** Names the settings of a batch's arm, and finds the settings in which arms differ. */
import type { BatchDocument } from "./batch-document.ts";

type Texts = Readonly<Record<string, string>>;

/** Texts by name. A flag has its own name, such as `--max-time`. */
export interface ArmSettings {
  /** Of the batch as a whole, such as the sandbox. */
  readonly batch: Texts;
  /** Flags that all arms of the batch share; undefined in older and imported documents. */
  readonly shared: Texts | undefined;
  /** The arm's own flags; undefined in imported documents. */
  readonly own: Texts | undefined;
}

export interface DifferingSetting {
  readonly setting: string;
  /** One for each arm. */
  readonly values: readonly string[];
}

const parts = ["batch", "shared", "own"] as const satisfies readonly (keyof ArmSettings)[];

/** Parts of an arm's name, and of the batch. */
const notFlags = new Set(["strategy", "model", "sandbox"]);

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
  return Object.fromEntries(flags.map(([name, value]) => [flagOf(name), textOf(value)]));
}

/** Finds the settings in which the arms differ. */
export function findDifferences(arms: readonly ArmSettings[]): DifferingSetting[] {
  return listSettings(arms).filter(({ values }) => !areEqual(values));
}

/** Tells the flags that all arms have in common. */
export function tellCommonFlags(arms: readonly ArmSettings[]): string {
  const common = listSettings(arms).filter(
    ({ setting, values }) => setting.startsWith("--") && areEqual(values),
  );
  return common.map(({ setting, values: [value = ""] }) => `${setting} ${value}`).join("; ") || "none";
}

function listSettings(arms: readonly ArmSettings[]): DifferingSetting[] {
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

/** True if all values are the same. A hash identifies a task file, wherever the file is. */
function areEqual(values: readonly string[]): boolean {
  return new Set(values.map((text) => /\(sha256 \w+…\)$/.exec(text)?.[0] ?? text)).size <= 1;
}

function flagOf(name: string): string {
  return `--${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

function textOf(value: unknown): string {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return text.replaceAll(/\s+/g, " ");
}
