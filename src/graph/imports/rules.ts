/**
 * Finds the import rules of a language. Some languages have their own code, because their outline does not suffice; the
 * others use their outline.
 */
import type { ImportRules } from "./contract.ts";
import { ecmascript } from "./ecmascript.ts";
import { outlinedRules } from "./outlined.ts";
import { csharp, go, include, jvm } from "./packages.ts";
import { python } from "./python.ts";
import { rust } from "./rust.ts";

const rules: Readonly<Record<string, ImportRules>> = {
  c: include,
  cpp: include,
  csharp,
  go,
  java: jvm,
  javascript: ecmascript,
  kotlin: jvm,
  python,
  rust,
  typescript: ecmascript,
  tsx: ecmascript,
};

const outlined = new Map<string, ImportRules>();
const nothing: ImportRules = { find: () => undefined };

export function importRulesOf(language: string): ImportRules {
  const known = rules[language] ?? outlined.get(language);
  if (known !== undefined) return known;
  const made = outlinedRules(language) ?? nothing;
  outlined.set(language, made);
  return made;
}
