/** A session's knowledge of its process and its user consists of values from its face. */
import { globSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { expect, test } from "vitest";

const refusedNames = new Set(["process", "console"]);
const refusedModules = ["process", "readline", "readline/promises", "tty", "repl"].flatMap((name) => [
  name,
  `node:${name}`,
]);
const refusedPackages = ["commander", "log-update", "picocolors"];
/** `--max-cost`, in a message. */
const flag = /(^|[\s`"'(])--[a-z]/;

/**
 * Names of the process and its streams, modules that reach them, and flags of a command line; comments may mention
 * them.
 */
function findRefused(name: string, text: string): string[] {
  const source = ts.createSourceFile(name, text, ts.ScriptTarget.Latest);
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isIdentifier(node) && refusedNames.has(node.text)) found.push(node.text);
    if (ts.isStringLiteralLike(node) || ts.isTemplateHead(node) || ts.isTemplateMiddleOrTemplateTail(node)) {
      if ([...refusedModules, ...refusedPackages].includes(node.text) || flag.test(node.text))
        found.push(node.text);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

const sources = readdirSync(import.meta.dirname)
  .filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts"))
  .map((name) => join(import.meta.dirname, name))
  .concat(join(import.meta.dirname, "..", "library.ts"));

test.each([
  ["const { env } = process;", ["process"]],
  ["globalThis.process.env.HOME;", ["process"]],
  ['import { stdin } from "node:process";', ["node:process"]],
  ['throw new Error("Give it with --repo.");', ["Give it with --repo."]],
  // biome-ignore lint/suspicious/noTemplateCurlyInString: it is the text of a program.
  ["const a = `${b} (--json)`;", [" (--json)"]],
  ["// a process; --flags\nconst text = 'in this process';", []],
])("%s", (text, refused) => {
  expect(findRefused("a.ts", text)).toEqual(refused);
});

test("no file of this folder, nor the library, names the process, a standard stream or a flag", () => {
  expect(sources.length).toBeGreaterThan(20);
  const found = sources.flatMap((path) =>
    findRefused(path, readFileSync(path, "utf8")).map((what) => `${path}: ${what}`),
  );
  expect(found).toEqual([]);
});

/** Hints in folders below this one, whose readers may have called the library. */
function findFlaggedHints(name: string, text: string): string[] {
  if (!text.includes("hint:") || !text.includes("--")) return [];
  const source = ts.createSourceFile(name, text, ts.ScriptTarget.Latest);
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isPropertyAssignment(node) && ts.isIdentifier(node.name) && node.name.text === "hint")
      if (flag.test(node.initializer.getText(source))) found.push(node.initializer.getText(source));
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

test("no hint of a lower layer names a flag of the command line", () => {
  expect(findFlaggedHints("a.ts", 'throw new E("m", { hint: "Give it with --repo." });')).toHaveLength(1);
  const root = join(import.meta.dirname, "..");
  const { src: layers }: { readonly src: Readonly<Record<string, number>> } = JSON.parse(
    readFileSync(join(root, "..", "scripts", "layers.json"), "utf8"),
  );
  const lower = Object.keys(layers).filter((name) => (layers[name] ?? 0) < (layers["session"] ?? 0));
  const files = lower.flatMap((name) =>
    globSync(`${name}/**/!(*.test).ts`, { cwd: root }).map((path) => join(root, path)),
  );
  expect(files.length).toBeGreaterThan(500);
  expect(files.flatMap((path) => findFlaggedHints(path, readFileSync(path, "utf8")))).toEqual([]);
});
