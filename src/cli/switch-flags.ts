/** What of the agent is turned off, on the command line: the papers' ablations. */
import { type Command, Option } from "commander";
import { actions } from "../actions/index.generated.ts";
import type { Action } from "../agent/action.ts";
import { defaultSwitches, type Switches } from "../agent/switches.ts";
import { MillwrightError } from "../base/errors.ts";

export interface SwitchFlags {
  readonly without?: string | undefined;
  readonly partialPatchIn: Switches["partialPatch"];
  /** False after `--no-backtracking`. */
  readonly backtracking: boolean;
  /** False after `--no-rules`. */
  readonly rules: boolean;
  readonly heldBack: boolean;
  /** False after `--no-workspace` and `--no-trace`, the two ablations of RustForger: shorter for `--without workspace,trace`. */
  readonly workspace: boolean;
  readonly trace: boolean;
}

export function addSwitchFlags(command: Command): void {
  command
    .option(
      "--without <action,…>",
      "actions, or stages of a strategy, that are not offered and left out of fixed sequences",
      (more: string, names: string | undefined) => (names === undefined ? more : `${names},${more}`),
    )
    .addOption(
      new Option(
        "--partial-patch-in <form>",
        "how an earlier attempt comes in: as a candidate that is measured, or as text in the statement",
      )
        .choices(["candidate", "statement"])
        .default(defaultSwitches.partialPatch),
    )
    .option("--no-backtracking", "only watch what does not get on, and refuse nothing")
    .option("--no-rules", "leave every choice of unified to its model, and show it no code that rules found")
    .option("--no-workspace", "make no project beside the repository for reproductions")
    .option("--no-trace", "record no calls and values of runs")
    .option("--no-held-back", "show the authors of patches every test that shows the fault");
}

/** `stages`: those of the strategy. Throws MillwrightError("usage") for an action, a part of one, or a stage that there is not. */
export function readSwitches(
  { without = "", partialPatchIn, backtracking, rules, heldBack, workspace, trace }: SwitchFlags,
  stages: readonly string[] = [],
): Switches {
  const names = without
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "");
  const all: readonly Pick<Action, "name" | "parts">[] = actions;
  const known = [...new Set([...stages, ...all.flatMap(({ name, parts = [] }) => [name, ...parts])])];
  const unknown = names.filter((name) => !known.includes(name));
  if (unknown.length > 0)
    throw new MillwrightError("usage", `There is no action ${unknown.join(", ")}`, {
      hint: `Known actions: ${known.join(", ")}.`,
    });
  const parts = [...(workspace ? [] : ["workspace"]), ...(trace ? [] : ["trace"])];
  return {
    without: [...new Set([...names, ...parts])],
    partialPatch: partialPatchIn,
    backtracking,
    rules,
    heldBack,
  };
}
