/**
 * Finds the calls that may write to an object which a test compares afterwards. The test gives the object to the code,
 * and calls the code. Works on statements without comments and contents of literals. Pure.
 */

import { literally } from "../../base/literal-pattern.ts";

const chain = String.raw`[A-Za-z_$][\w$]*(?:(?:\.|::)[A-Za-z_$][\w$]*)*`;
const start = String.raw`^\s*(?:(?:const|let|var)\s+)?`;
/** A call whose result is unused, or only an error. */
const acting = new RegExp(
  String.raw`^\s*(?:(?:await|try)\s+)?(?:(?:_|err|error)(?:\s*,\s*(?:_|err|error))*\s*:?=\s*(?:await\s+)?)?(${chain})!?\s*\(`,
);
const asserting =
  /^(?:(?:\w+(?:\.|::))*(?:assert|refute|expect|require|should|check|verify|fail)\w*|(?:t|b)\.\w+|defer|go|if|elif|for|while|switch|match|with|return|print\w*|describe|it|test)$/i;

/**
 * Returns the positions of statements that give an object of this name to the code. Also returns later calls that may
 * write to it.
 */
export function writtenThrough(statements: readonly string[], name: string): number[] {
  const word = `(?<![\\w$.])${literally(name)}(?![\\w$])`;
  const mentions = new RegExp(word);
  const given = new RegExp(`[(,{:]\\s*&?${word}\\s*[,)}]`);
  // `sys.stdout = out`, `$stdout = out`, `ErrWriter = &out`: any later code may write to it.
  const shared = new RegExp(
    `^\\s*(?:(?:[A-Za-z_$][\\w$]*(?:\\.[\\w$]+)+|\\$\\w+)\\s*=(?!=)\\s*&?|[A-Za-z_]\\w*\\s*=(?!=)\\s*&)${word}\\s*;?\\s*$`,
  );
  // `app := &App{Writer: &out}`, `app = App(out)`: the other object's methods may write to it.
  const held = new RegExp(`${start}([A-Za-z_$][\\w$]*)\\s*:?=(?!=)[\\s\\S]*[(,{:]\\s*&?${word}\\s*[,)}\\n]`);
  const found = new Set<number>();
  for (const [at, statement] of statements.entries()) {
    if (!mentions.test(statement)) continue;
    if (isActing(statement) && given.test(statement)) found.add(at);
    const holder = held.exec(statement)?.[1];
    const isShared = shared.test(statement);
    if (!isShared && (holder === undefined || holder === name)) continue;
    const ofHolder = new RegExp(`^\\s*[^(]*(?<![\\w$.])${literally(holder ?? "")}\\.`);
    const later = [...statements.entries()].filter(
      ([place, each]) => place > at && isActing(each) && (isShared || ofHolder.test(each)),
    );
    if (later.length > 0) for (const place of [at, ...later.map(([each]) => each)]) found.add(place);
  }
  return [...found];
}

function isActing(statement: string): boolean {
  const callee = acting.exec(statement)?.[1];
  return callee !== undefined && !asserting.test(callee);
}
