/** The import rules of each language. */
import type { ImportRules } from "./contract.ts";
import { ecmascript } from "./ecmascript.ts";
import { csharp, go, include, jvm, lua } from "./packages.ts";
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
  lua,
  python,
  rust,
  typescript: ecmascript,
  tsx: ecmascript,
};

const nothing: ImportRules = { find: () => undefined };

export function importRulesOf(language: string): ImportRules {
  return rules[language] ?? nothing;
}
