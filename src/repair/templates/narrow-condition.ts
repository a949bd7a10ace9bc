import { type SyntaxNode, walk } from "../../syntax/node.ts";
import { partOf, roleOf } from "../../syntax/reading.ts";
import { functionAbove } from "../../syntax/statements.ts";
import { decidingRoles, decisionAt, join } from "../conditions.ts";
import { namesIn } from "../file-context.ts";
import { questionsAbout } from "../questions.ts";
import { defineTemplate, type Edit, replaceNode, type Site, textAt } from "../template.ts";

export default defineTemplate({
  name: "narrow-condition",
  description:
    "Adds a check to a condition. The file applies this check to other variables, or the check reads a field or element of a variable in the condition.",
  source:
    "more and less specific conditions are the commonest change of an `if` in ManySStuBs4J (Karampatsis, Sutton, MSR 2020)",
  prior: 0.35,
  at: decidingRoles,
  *apply(site): Generator<Edit> {
    const condition = decisionAt(site);
    if (condition === undefined) return;
    const { and, or, not } = site.source.dialect.operators;
    const written = textAt(site, condition);
    const edit = (operator: string, right: string, weight: number): Edit =>
      replaceNode(condition, join(site.source, written, operator, right), weight);
    for (const { text, weight } of questions(site, condition)) {
      yield edit(or, text, weight);
      yield edit(and, text, weight);
      yield edit(and, `${not}${text}`, weight);
    }
    for (const { text, weight } of [...members(site, condition), ...elements(site, condition)]) {
      yield edit(and, `${not}${text}`, weight);
      yield edit(and, text, weight);
      yield edit(or, text, weight * 0.8);
    }
  },
});

interface Question {
  readonly text: string;
  readonly weight: number;
}

/** The file's questions about other variables, asked of a variable of the condition. */
function questions(site: Site, condition: SyntaxNode): Question[] {
  const written = textAt(site, condition);
  const read = namesIn(site.source, condition)
    .filter((name) => site.variables.some((variable) => variable.name === name))
    .slice(0, 3);
  // Only whole calls: other templates change comparisons.
  return questionsAbout(site.context, read, 8)
    .filter(({ text }) => !written.includes(text))
    .slice(0, 4);
}

/** Fields that the file reads of the condition's objects, the most frequent first. */
function members(site: Site, condition: SyntaxNode): Question[] {
  // A compiler accepts only booleans, and few fields are boolean.
  if (site.source.dialect.types !== undefined) return [];
  const written = textAt(site, condition);
  const found = new Map<string, number>();
  for (const node of walk(condition)) {
    const object =
      roleOf(site.source, node) === "attribute" ? partOf(site.source, node, "object") : undefined;
    if (object === undefined || roleOf(site.source, object) !== "identifier") continue;
    const name = textAt(site, object);
    for (const member of site.context.members.get(name) ?? []) {
      const text = `${name}.${member}`;
      if (!written.includes(text)) found.set(text, site.context.frequency.get(member) ?? 0);
    }
  }
  return [...found]
    .sort((a, b) => b[1] - a[1])
    .slice(0, 4)
    .map(([text], rank) => ({ text, weight: 0.9 / (1 + rank / 4) }));
}

/** Elements of the condition's sequences that the same function reads: `pair[0]`. */
function elements(site: Site, condition: SyntaxNode): Question[] {
  const around = functionAbove(site.source, site.statement.node);
  if (site.source.dialect.types !== undefined || around === undefined) return [];
  const read = new Set(namesIn(site.source, condition));
  const found = new Set<string>();
  for (const node of walk(around)) {
    const object =
      roleOf(site.source, node) === "subscript" ? partOf(site.source, node, "object") : undefined;
    const text = textAt(site, node);
    if (object !== undefined && read.has(textAt(site, object)) && /\[\w+\]$/.test(text)) found.add(text);
  }
  return [...found].slice(0, 3).map((text, rank) => ({ text, weight: 0.8 / (1 + rank / 4) }));
}
