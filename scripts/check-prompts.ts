// Checks that each request's `system` text comes from a `*.prompt.ts` file. Fails if another file of `src` contains or
// provides such a text.
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";

const root = join(import.meta.dirname, "..");

/** The values of properties named `system`. */
function systemTexts(source: ts.SourceFile): ts.Expression[] {
  const found: ts.Expression[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isPropertyAssignment(node) && node.name.getText(source) === "system") found.push(node.initializer);
    if (ts.isShorthandPropertyAssignment(node) && node.name.text === "system") found.push(node.name);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

/** Top-level names of a file: the module that each comes from, or "" for the file's own. */
function originsOf(source: ts.SourceFile): ReadonlyMap<string, string> {
  const origins = new Map<string, string>();
  for (const statement of source.statements) {
    if (ts.isImportDeclaration(statement) && ts.isStringLiteral(statement.moduleSpecifier)) {
      const named = statement.importClause?.namedBindings;
      const { text } = statement.moduleSpecifier;
      if (named !== undefined && ts.isNamedImports(named))
        for (const { name } of named.elements) origins.set(name.text, text);
    } else if (ts.isVariableStatement(statement))
      for (const { name } of statement.declarationList.declarations) origins.set(name.getText(source), "");
    else if (ts.isFunctionDeclaration(statement) && statement.name !== undefined)
      origins.set(statement.name.text, "");
  }
  return origins;
}

function isOutside(value: ts.Expression, origins: ReadonlyMap<string, string>): boolean {
  if (ts.isCallExpression(value)) return isOutside(value.expression, origins);
  if (!ts.isIdentifier(value)) return ts.isStringLiteralLike(value) || ts.isTemplateExpression(value);
  const origin = origins.get(value.text);
  return origin !== undefined && !origin.endsWith(".prompt.ts");
}

const files = globSync("src/**/*.ts", { cwd: root }).filter((path) => !path.endsWith(".test.ts"));
const outside = files.sort().flatMap((path) => {
  const text = readFileSync(join(root, path), "utf8");
  if (!/\bsystem\b/.test(text)) return [];
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const origins = originsOf(source);
  return systemTexts(source)
    .filter((value) => isOutside(value, origins))
    .map((value) => `${path}:${source.getLineAndCharacterOfPosition(value.getStart(source)).line + 1}`);
});
for (const place of outside)
  process.stderr.write(`${place}: put the prompt into a file NAME.prompt.ts beside this one\n`);
if (outside.length > 0) process.exitCode = 1;
