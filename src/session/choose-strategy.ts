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

/** Finds a strategy by its name. Throws MillwrightError("usage") for an unknown name. */
export function strategyNamed(name: string): Strategy {
  const strategy = all.find((each) => each.name === name);
  if (strategy !== undefined) return strategy;
  throw new MillwrightError("usage", `There is no strategy ${name}`, {
    hint: `Known strategies: ${all.map((each) => each.name).join(", ")}.`,
  });
}

/**
 * The strategy that the settings name, or else the default strategy. Throws MillwrightError("usage") if it does not
 * support the kind, or if its model or its agent's command is missing.
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
    throw new MillwrightError("usage", "The strategy external needs an agent", {
      hint: 'Give the command that starts it as "agentCommand" in the settings.',
    });
  }
  if (needsModel === true && !hasModel) {
    throw new MillwrightError("usage", `The strategy ${name} needs a model`, {
      hint: "Give a model as PROVIDER/ID, or choose search-repair, which needs no model.",
    });
  }
  return chosen;
}

/** The model of a run; null if the strategy uses no model. */
export function modelFor({ needsModel }: Pick<Strategy, "needsModel">, model: string): string | null {
  return needsModel === false || (needsModel === "optional" && model === "none") ? null : model;
}

/**
 * The name of the default strategy: `external` if an agent's command is given, otherwise `search-repair` without a
 * model and `unified` with one.
 */
export function usualName({ model, agentCommand }: Pick<Settings, "model" | "agentCommand">): string {
  if (agentCommand !== undefined) return "external";
  return model === "none" ? "search-repair" : "unified";
}

function usualStrategy(settings: Settings): Strategy {
  return strategyNamed(settings.strategy ?? usualName(settings));
}

/** The kinds of tasks that the settings' strategy supports. For `best-of`, only those that all its arms support. */
export function kindsFor(settings: Settings): TaskKind[] {
  const { kinds, name } = usualStrategy(settings);
  const arms = name === "best-of" ? (settings.arms ?? []).map(strategyNamed) : [];
  return kinds.filter((kind) => arms.every((arm) => arm.kinds.includes(kind)));
}

/** Strategies with a published form, without our additions. */
const published: ReadonlySet<string> = new Set(["unified", "react"]);

/**
 * Checks whether a strategy has the disabled actions and stages. Throws MillwrightError("usage") for an unknown action,
 * action part or stage. Also throws it for `asPublished` if the strategy has no published form.
 */
export function checkSwitches({ without, asPublished }: Switches, { stages = [], name }: Strategy): void {
  if (asPublished && !published.has(name))
    throw new MillwrightError(
      "usage",
      `The strategy ${name} has no published form; only unified and react have a published form`,
      {
        hint: "Strategies from papers always run as published: see docs/ablations.md.",
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
