/**
 * Finds callers that a patch breaks and that no test runs. A call lacks a new required argument, or an import names a
 * removed definition. Reads Python and JavaScript, where no compiler checks the callers. Works on the text; pure except
 * for the parser.
 */

import { basename, extname } from "node:path";
import { literally } from "../../../base/literal-pattern.ts";
import { isSourceFile, isTestFile } from "../../../languages/source-files.ts";
import type { ChangedFile } from "../../code/change.ts";
import { argumentsAt } from "../../state/assertion-text.ts";
import type { Finding } from "../contract.ts";
import { type BaseFiles, mostSearched } from "../texts/base-files.ts";
import {
  blankedText,
  type ChangedCode,
  type FileCode,
  readCode,
  writtenParameters,
} from "../texts/code-lines.ts";

/** A public name at the top level of a file. The patch requires other files to change their uses of it. */
interface Broken {
  readonly path: string;
  readonly name: string;
  /** The number of arguments that a call needs with the patch; absent if the patch removes the name. */
  readonly needs?: number;
}

export async function judgeLeftCallers(
  changes: readonly ChangedCode[],
  files: readonly ChangedFile[],
  base: BaseFiles,
): Promise<Finding[]> {
  const found = changes.flatMap(listBroken);
  if (found.length === 0) return [];
  // An import may mean another file of the same name.
  const all = await base.list();
  const broken = found.filter(
    ({ path }) => all.filter((each) => moduleOf(each) === moduleOf(path)).length <= 1,
  );
  const findings: Finding[] = [];
  const changed = new Map(files.map((file) => [file.path, file]));
  const paths = all.filter((path) => isSourceFile(path) && !isTestFile(path));
  for (const path of paths.slice(0, mostSearched)) {
    const own = changed.get(path);
    if (own !== undefined && (own.isTest || own.after === undefined)) continue;
    const text = own === undefined ? await base.read(path) : own.after;
    if (text === undefined || !broken.some(({ name }) => text.includes(name))) continue;
    const code = blankedText(await readCode(path, text));
    for (const each of broken) {
      const use = each.path === path ? undefined : findUse(text, code, each);
      if (use !== undefined)
        findings.push({
          weight: "objection",
          text:
            each.needs === undefined
              ? `${each.path} no longer has \`${each.name}\`, which ${path} imports.`
              : `${path} calls \`${use}\` with fewer arguments than ${each.path} now requires.`,
        });
    }
  }
  return findings.slice(0, 3);
}

const moduleOf = (path: string): string => basename(path, extname(path));

function listBroken({ file: { path }, before: old, code: now }: ChangedCode): Broken[] {
  if (old === undefined || !/\.(?:py|[cm]?js|jsx)$/.test(path) || basename(path) === "__init__.py") return [];
  const words = new Set(blankedText(now).match(/[\w$]+/g));
  const gone = topNames(old).filter((name) => !words.has(name));
  const found: Broken[] = gone.map((name) => ({ path, name }));
  if (!path.endsWith(".py")) return found;
  const [before, after] = [old, now].map(({ functions }) =>
    Map.groupBy(
      functions.filter(({ type }) => type === ""),
      ({ name }) => name,
    ),
  );
  for (const name of topNames(now)) {
    const [one = [], other = []] = [before?.get(name), after?.get(name)];
    const [was, is] = [one[0], other[0]];
    if (was === undefined || is === undefined || one.length !== 1 || other.length !== 1) continue;
    if (was.signature === is.signature) continue;
    const needs = countRequired(is.signature, name);
    if (needs > countRequired(was.signature, name)) found.push({ path, name, needs });
  }
  return found;
}

const topNames = ({ definitions }: FileCode): string[] =>
  definitions.flatMap(({ container, name, kind, isPublic }) =>
    container === -1 && isPublic && kind !== "variable" && /^[\w$]+$/.test(name) ? [name] : [],
  );

function countRequired(signature: string, name: string): number {
  const parts = writtenParameters(signature, name);
  return parts.filter((part) => !/^[*/]/.test(part) && !/=/.test(part)).length;
}

/** Returns the broken import or call, as written; undefined if the text has none. */
function findUse(text: string, code: string, { path, name, needs }: Broken): string | undefined {
  const module = moduleOf(path);
  const word = literally(name);
  const isPython = path.endsWith(".py");
  const own = literally(module === "index" ? basename(path.replace(/\/?[^/]*$/, "")) : module);
  const from = isPython
    ? new RegExp(
        String.raw`^\s*from\s+[\w.]*(?<![\w])${own}\s+import\s+(?:\([^)]*?)?[^()\n]*\b${word}\b(?!\s+as\b)`,
        "m",
      )
    : new RegExp(
        String.raw`\{[^{}]*(?<![\w$])${word}(?![\w$])[^{}]*\}\s*(?:from\s*|=\s*require\(\s*)["'][^"'\n]*(?<=[./])${own}(?:\.[cm]?jsx?)?["']`,
      );
  const isImported = from.test(text);
  if (needs === undefined) return isImported ? name : undefined;
  const isOfModule = new RegExp(
    String.raw`^\s*(?:import\s+(?:[\w.]+\.)?${own}\b|from\s+[\w.]+\s+import\s+[^\n]*\b${own}\b)`,
    "m",
  ).test(text);
  if (!isImported && !isOfModule) return undefined;
  const called = new RegExp(
    isImported
      ? String.raw`(?<![\w.])(?<!\b(?:def|class)\s+)${word}\s*\(`
      : String.raw`(?<![\w.])${own}\.${word}\s*\(`,
    "g",
  );
  const opens = [...code.matchAll(called)].map(({ 0: { length }, index }) => index + length - 1);
  const few = argumentsAt(text, opens).find(
    (parts) => parts.length < needs && !parts.some((part) => part.startsWith("*")),
  );
  return few === undefined ? undefined : `${name}(${few.map(() => "…").join(", ")})`;
}
