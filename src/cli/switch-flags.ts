/** Defines the flags that disable features of the agent, for example for the papers' ablations. */
import { type Command, Option } from "commander";
import { defaultSwitches, type Switches } from "../agent/switches.ts";
import { hashData } from "../base/hash.ts";

export interface SwitchFlags {
  readonly without?: string | undefined;
  readonly partialPatchIn: Switches["partialPatch"];
  /** False after `--no-backtracking`. */
  readonly backtracking: boolean;
  /** False after `--no-rules`. */
  readonly rules: boolean;
  readonly heldBack: boolean;
  readonly asPublished?: boolean;
  /**
   * False after `--no-workspace` or `--no-trace`. These flags are RustForger's two ablations; together they equal
   * `--without workspace,trace`.
   */
  readonly workspace: boolean;
  readonly trace: boolean;
}

export function addSwitchFlags(command: Command): void {
  command
    .option(
      "--without <action,…>",
      "disable these actions, or these stages of the strategy",
      (more: string, names: string | undefined) => (names === undefined ? more : `${names},${more}`),
    )
    .addOption(
      new Option(
        "--partial-patch-in <form>",
        "how agents get an earlier attempt: as a measured candidate, or as text in the statement",
      )
        .choices(["candidate", "statement"])
        .default(defaultSwitches.partialPatch),
    )
    .option("--no-backtracking", "when the work is stuck, only record this, and block no action")
    .option("--no-rules", "unified: let the model choose every action, and show it no code found by rules")
    .option(
      "--as-published",
      "run unified or workflow as in USEagent's paper, or react as a plain loop; the model then sees no measurements of Millwright",
    )
    .option("--no-workspace", "create no project for reproductions")
    .option("--no-trace", "record neither calls nor values of running programs")
    .option("--no-held-back", "hold back no test: show patch authors every test that shows the fault");
}

/** Splits the given flags into the switches and the other flags. */
export function readSwitches<T extends SwitchFlags>(flags: T): [Switches, Omit<T, keyof SwitchFlags>] {
  const {
    without = "",
    partialPatchIn,
    backtracking,
    rules,
    heldBack,
    workspace,
    trace,
    asPublished,
    ...others
  } = flags;
  const names = without
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "");
  const parts = [...(workspace ? [] : ["workspace"]), ...(trace ? [] : ["trace"])];
  const all = [...new Set([...names, ...parts])];
  const watched = { backtracking, rules, heldBack, asPublished: asPublished === true };
  return [{ without: all, partialPatch: partialPatchIn, ...watched }, others];
}

/**
 * Returns the switches, as a part of the key of a batch's results. Returns none if all have their defaults, so that
 * earlier results stay valid when Millwright gets a new switch.
 */
export function ablation(switches: Switches): { readonly switches?: Switches } {
  return hashData(switches) === hashData(defaultSwitches) ? {} : { switches };
}
