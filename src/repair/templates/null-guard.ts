import type { SyntaxNode } from "../../syntax/node.ts";
import { callOf, partOf, roleOf } from "../../syntax/reading.ts";
import { ownNodes } from "../../syntax/statements.ts";
import { exits } from "../exits.ts";
import { canInsertBefore } from "../sites.ts";
import { insertBefore, wrapInIf } from "../statement-edits.ts";
import { defineTemplate, type Edit, type Site, textAt } from "../template.ts";
import { testsOfAbsence } from "../written-types.ts";

export default defineTemplate({
  name: "null-guard",
  description: "Exits before a statement, or skips it, if one of its values is null, absent or empty.",
  source: "PAR's null pointer checker (Kim et al., ICSE 2013); TBar FP2; NPEFix (Durieux et al., SANER 2017)",
  prior: 0.4,
  at: ["any-statement"],
  *apply(site): Generator<Edit> {
    if (!canInsertBefore(site) || ["function", "class", "import"].includes(site.statement.role)) return;
    const { spelling } = site.source.dialect;
    for (const [rank, { text, isDereferenced }] of usedValues(site).slice(0, 4).entries()) {
      const weight = (isDereferenced ? 1 : 0.5) / (1 + rank / 3);
      for (const [index, [test]] of testsOfAbsence(site, text).entries()) {
        const share = index === 0 ? weight : weight * 0.7;
        for (const leave of exits(site)) yield insertBefore(site, spelling.ifLine(test, leave), share);
      }
      const present = testsOfAbsence(site, text)[0]?.[1];
      const wrapped = present && wrapInIf(site, present, weight * 0.6);
      if (wrapped) yield wrapped;
    }
  },
});

interface UsedValue {
  readonly text: string;
  /** True if code here uses the value as an object or a sequence, so that null would fail. */
  readonly isDereferenced: boolean;
}

function usedValues(site: Site): UsedValue[] {
  const found = new Map<string, boolean>();
  for (const node of ownNodes(site.source, site.statement.node)) {
    const role = roleOf(site.source, node);
    const object =
      role === "attribute" || role === "subscript"
        ? partOf(site.source, node, "object")
        : callOf(site.source, node)?.receiver;
    if (object !== undefined && isSimple(site, object)) found.set(textAt(site, object), true);
    if (role === "identifier" && isKnown(site, node) && !found.has(textAt(site, node))) {
      found.set(textAt(site, node), false);
    }
  }
  return [...found]
    .map(([text, isDereferenced]) => ({ text, isDereferenced }))
    .sort((a, b) => Number(b.isDereferenced) - Number(a.isDereferenced));
}

function isSimple(site: Site, node: SyntaxNode): boolean {
  const role = roleOf(site.source, node);
  if (role === "identifier") return isKnown(site, node);
  return role === "attribute" && /^[\w$.]+$/.test(textAt(site, node));
}

function isKnown(site: Site, node: SyntaxNode): boolean {
  const name = textAt(site, node);
  return (
    site.variables.some((variable) => variable.name === name) && !site.source.dialect.selves.includes(name)
  );
}
