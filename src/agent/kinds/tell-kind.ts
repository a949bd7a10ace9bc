/** Determines a task's kind by rule, from the user's flags, the statement and the repository. */
import type { KindByRule, KindChoice, Task, TaskKind } from "../../domain/task.ts";
import { type Ask, readAsk } from "./asked-for.ts";
import { attemptIn } from "./attempt-in-statement.ts";
import { namedTarget } from "./named-target.ts";
import { findTarget, type ReadText, type Target } from "./target.ts";
import { isUnwritten } from "./unwritten-body.ts";

export type AskedTask = Pick<Task, "statement" | "target" | "partialPatch" | "failingTests">;

/**
 * Decides a task's kind. `kinds`: the kinds that the strategy supports. If the flags decide, or the statement is empty,
 * the result may also be a kind that the strategy does not support. If the statement's words indicate no supported
 * kind, the result is `repair`.
 */
export async function tellKind(
  task: AskedTask,
  kinds: readonly TaskKind[],
  read: ReadText,
): Promise<KindByRule> {
  const byFlags = await tellByFlags(task, kinds, read);
  const common = { kinds: [...kinds] };
  if (byFlags !== undefined) return { ...byFlags, ...common, by: "flags", isSure: true };
  const told = await tellByWords(task.statement, read);
  if (kinds.includes(told.kind) && (told.isSure || kinds.some((kind) => !ofIssues.has(kind))))
    return { ...told, ...common, by: "rule" };
  const reason = kinds.includes(told.kind) ? told.reason : `the strategy does only ${kinds.join(" and ")}`;
  return { kind: "repair", ...common, by: "rule", reason, isSure: true };
}

/**
 * Kinds that resolve an issue. If a strategy supports only these, the rules are always sure, and Millwright asks no
 * model.
 */
const ofIssues: ReadonlySet<TaskKind> = new Set(["repair", "partial-fix"]);

type Told = Pick<KindChoice, "kind" | "reason" | "target">;
type ToldByWords = Told & { readonly isSure: boolean };

async function tellByFlags(
  task: AskedTask,
  kinds: readonly TaskKind[],
  read: ReadText,
): Promise<Told | undefined> {
  const { statement, target, partialPatch = "", failingTests = [] } = task;
  if (partialPatch.trim() !== "")
    return kinds.includes("partial-fix")
      ? { kind: "partial-fix", reason: "an earlier attempt is given" }
      : { kind: "repair", reason: "the strategy does not use the given earlier attempt" };
  if (failingTests.length > 0) return { kind: "repair", reason: "failing tests are given" };
  if (target !== undefined) {
    const found = await findTarget(target, read);
    if (found.ok && (await isUnwritten(found.value)) === true)
      return { kind: "code-generation", reason: `the body of ${target} is not written` };
    const { tests, isRegression } = readAsk(statement);
    if (found.ok && tests && !isRegression)
      return { kind: "test-generation", reason: `${target} has a body, and the statement asks for tests` };
  }
  if (statement.trim() === "")
    return { kind: "repair", reason: "without a statement, the task is to make the failing tests pass" };
  return undefined;
}

async function tellByWords(statement: string, read: ReadText): Promise<ToldByWords> {
  if (attemptIn(statement) !== undefined)
    return {
      kind: "partial-fix",
      reason: "the statement contains an attempt that failed",
      isSure: true,
    };
  const ask = readAsk(statement);
  const place = ask.tests || ask.body ? await namedTarget(statement, read) : undefined;
  const unwritten = place === undefined ? undefined : await isUnwritten(place);
  return ask.tests ? tellTests(ask, place, unwritten) : tellCode(ask, place, unwritten);
}

function tellTests(ask: Ask, place: Target | undefined, unwritten: boolean | undefined): ToldByWords {
  const at = place === undefined ? undefined : `${place.file}:${place.symbol}`;
  if (ask.code)
    return { kind: "feature", reason: "the statement asks for code and tests", isSure: !ask.fault };
  if (ask.isRegression)
    return {
      kind: "regression-test",
      reason: "the statement asks for a test that shows a fault",
      isSure: true,
    };
  if (at !== undefined && unwritten === false)
    return {
      kind: "test-generation",
      reason: `the statement asks for tests of ${at}`,
      target: at,
      isSure: !ask.fault,
    };
  return { kind: "regression-test", reason: "the statement asks for tests", isSure: false };
}

function tellCode(ask: Ask, place: Target | undefined, unwritten: boolean | undefined): ToldByWords {
  if (ask.body && place !== undefined && unwritten === true) {
    const target = `${place.file}:${place.symbol}`;
    return {
      kind: "code-generation",
      reason: `the statement asks for the body of ${target}, which is not written`,
      target,
      isSure: true,
    };
  }
  if (ask.fault && !ask.wish)
    return { kind: "repair", reason: "the statement reports a fault", isSure: !ask.speaksOfTests };
  if (ask.wish && !ask.fault)
    return {
      kind: "feature",
      reason: "the statement asks for behaviour that does not exist yet",
      isSure: false,
    };
  return { kind: "repair", reason: "nothing indicates another kind", isSure: false };
}
