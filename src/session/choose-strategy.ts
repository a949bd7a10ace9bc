/** Chooses a task's strategy. Checks whether the strategy has the features that the user disables. */
import { actions } from "../actions/index.generated.ts";
import type { Action } from "../agent/action.ts";
import type { Strategy } from "../agent/strategy.ts";
import type { Switches } from "../agent/switches.ts";
import { MillwrightError } from "../base/errors.ts";
import type { TaskKind } from "../domain/task.ts";
import { strategies } from "../strategies/index.generated.ts";
import type { Settings } from "./settings.ts";

const all: readonly Strategy[] = strategies;

/** Returns the strategy with this name. Throws MillwrightError("usage") for an unknown name. */
export function strategyNamed(name: string): Strategy {
  const strategy = all.find((each) => each.name === name);
  if (strategy !== undefined) return strategy;
  throw new MillwrightError("usage", `There is no strategy ${name}`, {
    hint: `Known strategies: ${all.map((each) => each.name).join(", ")}.`,
  });
}

/**
 * Returns the strategy named in the settings, else the default strategy. Throws MillwrightError("usage") if the
 * strategy is unknown or does not support the kind. Also throws it if the strategy's model or agent command is missing.
 */
export function chooseStrategy(settings: Settings, kind: TaskKind): Strategy {
  const hasModel = settings.model !== "none";
  const chosen = usualStrategy(settings);
  const { name, kinds, needsModel } = chosen;
  if (!kinds.includes(kind)) {
    throw new MillwrightError("usage", `The strategy ${name} cannot solve tasks of the kind ${kind}`, {
      hint: `Its kinds: ${kinds.join(", ")}.`,
    });
  }
  if (name === "external" && settings.agentCommand === undefined) {
    throw new MillwrightError("usage", "The strategy external needs an agent's command", {
      hint: 'Set "agentCommand" in the settings to the command that starts the agent.',
    });
  }
  if (needsModel === true && !hasModel) {
    throw new MillwrightError("usage", `The strategy ${name} needs a model`, {
      hint: "Give a model as PROVIDER/ID, or choose search-repair, which needs no model.",
    });
  }
  return chosen;
}

/** Returns the name of a run's model. Null if the strategy uses no model, or can work without one and `model` is `none`. */
export function modelFor({ needsModel }: Pick<Strategy, "needsModel">, model: string): string | null {
  return needsModel === false || (needsModel === "optional" && model === "none") ? null : model;
}

/**
 * Names the default strategy: `external` if an agent's command is given, otherwise `search-repair` without a model and
 * `unified` with one.
 */
export function usualName({ model, agentCommand }: Pick<Settings, "model" | "agentCommand">): string {
  if (agentCommand !== undefined) return "external";
  return model === "none" ? "search-repair" : "unified";
}

function usualStrategy(settings: Settings): Strategy {
  return strategyNamed(settings.strategy ?? usualName(settings));
}

/**
 * Returns the task kinds that the settings' strategy supports. For `best-of`, only kinds that all its arms support.
 * Throws MillwrightError("usage") for an unknown strategy.
 */
export function kindsFor(settings: Settings): TaskKind[] {
  const { kinds, name } = usualStrategy(settings);
  const arms = name === "best-of" ? (settings.arms ?? []).map(strategyNamed) : [];
  return kinds.filter((kind) => arms.every((arm) => arm.kinds.includes(kind)));
}

/** Strategies with a published form, without our additions. */
const published: ReadonlySet<string> = new Set(["unified", "workflow", "react"]);

/**
 * Checks the switches of a strategy. Throws MillwrightError("usage") if a disabled action, action part or stage is
 * unknown. Also throws it for `asPublished` if the strategy has no published form.
 */
export function checkSwitches({ without, asPublished }: Switches, { stages = [], name }: Strategy): void {
  if (asPublished && !published.has(name))
    throw new MillwrightError(
      "usage",
      `The strategy ${name} has no published form; only unified, workflow and react have a published form`,
      {
        hint: "agentless, autocoderover, marscode and rustforger always follow their papers: see docs/ablations.md.",
      },
    );
  const actionParts: readonly Pick<Action, "name" | "parts">[] = actions;
  const known = new Set([...stages, ...actionParts.flatMap(({ name, parts = [] }) => [name, ...parts])]);
  const unknown = without.filter((name) => !known.has(name));
  if (unknown.length === 0) return;
  throw new MillwrightError("usage", `There is no action or stage ${unknown.join(", ")}`, {
    hint: `Known actions and stages: ${[...known].join(", ")}.`,
  });
}
