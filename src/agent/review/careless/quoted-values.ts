/** Finds values that a patch puts into a query's text, where the base has placeholders. Works on the text. Pure. */
import { literally } from "../../../base/literal-pattern.ts";
import { once } from "../../../base/once.ts";
import { walk } from "../../../syntax/node.ts";
import { roleOf, type Source } from "../../../syntax/reading.ts";
import { linesOf } from "../../code/change.ts";
import { argumentsAt } from "../../state/assertion-text.ts";
import { type Careless, type Changed, formerOf } from "./careless-form.ts";

const marks = String.raw`(?:\?|%s|%\(\w+\)s|\$\d|:[a-z]\w*)`;
/** `name = ?`, `name IN (?, ?)` */
const bound = new RegExp(String.raw`(?:=|<|>|\bIN\b|\bLIKE\b|\bBETWEEN\b)\s*\(?\s*${marks}`, "i");
/** A value, or a list of values, between quotes: `= '{name}'`, `IN ('${"${names}"}')`, `LIKE '" + name`. */
const quoted = /(?:[^=!<>]=|[<>]|\bIN\b|\bLIKE\b)\s*\(?\s*\\?['"]%?(?:\{\w|\$\{|#\{|["'`]\s*[+.]\s*[\w$])/i;
const listed = /\bIN\s*\(\s*(?:\$\{|#\{|\{)\s*([^}]*)\}\s*\)/i;
const runs =
  /\b(?:execute\w*|executemany|query\w*|Query\w*|Exec\w*|prepare\w*|Prepare\w*|raw|all|get|run)\s*\(/;

/** Returns the file's lines. Omits the `=` of `where = "…"`, because it is not part of a query. */
const withoutAssignments = once((source: Source): string[] => {
  const { text, root } = source.tree;
  const signs = [...walk(root)].flatMap((node) => {
    if (roleOf(source, node) !== "string") return [];
    const from = Math.max(0, node.start - 20);
    const at = text.slice(from, node.start).search(/[=<>]\s*\(?\s*$/);
    return at === -1 ? [] : [from + at];
  });
  const all = new Set(signs);
  return linesOf(
    [...text.matchAll(/[=<>]|[^=<>]+/g)].map(({ 0: part, index }) => (all.has(index) ? " " : part)).join(""),
  );
});

/**
 * Returns the value that `.format(…)` puts into this hole of the line. Without such a call, returns the hole's own
 * code.
 */
function filledBy(line: string, hole: string, at: number): string | undefined {
  const open = line.indexOf(".format(");
  if (open === -1) return hole === "" ? undefined : hole;
  const [values = []] = argumentsAt(line, [open + ".format".length]);
  const count = hole === "" ? (line.slice(0, at).match(/\{\s*\}/g) ?? []).length : Number(hole);
  if (Number.isInteger(count)) return values[count];
  return values
    .map((value) => /^(\w+)\s*=(?!=)\s*(.*)$/s.exec(value))
    .find((each) => each?.[1] === hole)?.[2];
}

/** True if the list's text consists of marks such as `?`, or if its source is unknown. */
function isMarks(hole: string, lines: readonly string[]): boolean {
  const mark = /["'`](?:\?|%s|\$)|\$\$\{|\$\{/;
  if (mark.test(hole)) return true;
  if (/["'`]|\bjoin\b/.test(hole)) return false;
  const [name = ""] = /[\w$]+/.exec(hole) ?? [];
  if (name === "") return true;
  const assigned = new RegExp(
    String.raw`(?:^|[;{])\s*(?:[\w<>[\]]+\s+)*${literally(name)}\s*(?::[^=]*|\+)?=(?!=)`,
  );
  return !lines.some((line) => assigned.test(line) && /["'`]|\bjoin\b/.test(line) && !mark.test(line));
}

/** True if the list `IN (…)` gets the values themselves instead of marks. */
function fillsList(line: string, lines: readonly string[]): boolean {
  const found = listed.exec(line);
  if (found === null) return false;
  const hole = filledBy(line, (found[1] ?? "").trim(), found.index);
  return hole !== undefined && !isMarks(hole, lines);
}

/** Finds `f"{column} IN ('{values}')"` in a function whose conditions have placeholders for such values. */
export function findQuotedValues(change: Changed): Careless[] {
  const { code, before, compared } = change;
  if (before === undefined) return [];
  const [now, old] = [linesOf(code.source.tree.text), linesOf(before.source.tree.text)];
  return compared.flatMap(({ own, added }): Careless[] => {
    const former = formerOf(before, own);
    if (former === undefined) return [];
    const [first, last] = [former.startLine - 1, former.endLine];
    const was = old.slice(first, last);
    const is = now.slice(own.startLine - 1, own.endLine);
    const isQuery =
      was.some((line) => bound.test(line)) &&
      (was.some((line) => runs.test(line)) || /\b(?:SELECT|WHERE|UPDATE|DELETE)\b/.test(was.join("\n")));
    if (!isQuery) return [];
    const inTexts = withoutAssignments(code.source);
    if (
      withoutAssignments(before.source)
        .slice(first, last)
        .some((line) => quoted.test(line))
    )
      return [];
    const at = added.find(({ line }) => {
      const text = inTexts[line - 1] ?? "";
      if (!/["'`]/.test(text)) return false;
      return (
        (/\b(?:IN|LIKE)\b|\bWHERE\b|\bAND\b|\{\w+\}\s*=/i.test(text) && quoted.test(text)) ||
        fillsList(text, is)
      );
    });
    return at === undefined ? [] : [{ line: at.line, text: "puts a value into the text of a query" }];
  });
}
