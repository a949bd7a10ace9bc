/** Says in plain English why a setting's value is wrong. */
import type { z } from "zod";

type Issue = z.core.$ZodIssue;

/** Renders an issue of the settings' schema as a clause such as `it must be at least 512`. */
export function describeIssue(issue: Issue): string {
  const { within, told } = readIssue(issue);
  // The role `all` is no part of what the user wrote.
  const place = within.filter((part) => part !== "all").join(".");
  return place === "" ? told : `${place}: ${told}`;
}

interface Told {
  /** The place inside the setting's value. */
  readonly within: readonly string[];
  readonly told: string;
}

function readIssue(issue: Issue): Told {
  const [, ...within] = issue.path.map(String);
  const inner = issue.code === "invalid_union" ? closestOf(issue.errors) : undefined;
  if (inner === undefined) return { within, told: sayWhy(issue) };
  const { within: deeper, told } = readIssue({ ...inner, path: ["", ...inner.path] });
  return { within: [...within, ...deeper], told };
}

/**
 * Chooses one issue if a value may have several forms: that of the last form whose type fits the value, or else the
 * last.
 */
function closestOf(forms: readonly (readonly Issue[])[]): Issue | undefined {
  const first = forms.flatMap(([issue]) => issue ?? []);
  return first.findLast(({ code, path }) => code !== "invalid_type" || path.length > 0) ?? first.at(-1);
}

/** The types of settings in words, by zod's names. */
const kinds: Readonly<Record<string, string>> = {
  number: "a number",
  int: "a whole number",
  string: "a text",
  boolean: "true or false",
  array: "a list",
  object: "an object",
  record: "an object",
};

function sayWhy(issue: Issue): string {
  if (issue.code === "too_small") return sayBound(issue.minimum, issue.inclusive, ["at least", "more than"]);
  if (issue.code === "too_big") return sayBound(issue.maximum, issue.inclusive, ["at most", "less than"]);
  if (issue.code === "invalid_value") return `it must be one of ${issue.values.map(String).join(", ")}`;
  if (issue.code === "unrecognized_keys") return `${issue.keys.join(", ")} is unknown`;
  if (issue.code === "invalid_key") return `"${String(issue.path.at(-1))}" is unknown`;
  if (issue.code === "invalid_type")
    return `it must be ${kinds[issue.expected] ?? `of the type ${issue.expected}`}`;
  return issue.message;
}

function sayBound(
  bound: number | bigint,
  inclusive: boolean | undefined,
  [at, beyond]: readonly [string, string],
): string {
  return `it must be ${inclusive === false ? beyond : at} ${bound}`;
}
