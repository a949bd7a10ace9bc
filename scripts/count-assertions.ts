// Counts type assertions (`value as Type`, but not `as const`) in `src` without tests, because the compiler does not
// check them. Fails if there are more than `scripts/assertions.json` allows. `--list` prints them.
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";

interface Assertion {
  readonly place: string;
  readonly type: string;
}

const root = join(import.meta.dirname, "..");

function findAssertions(path: string): Assertion[] {
  const source = ts.createSourceFile(
    path,
    readFileSync(join(root, path), "utf8"),
    ts.ScriptTarget.Latest,
    true,
  );
  const found: Assertion[] = [];
  const visit = (node: ts.Node): void => {
    if (
      (ts.isAsExpression(node) || ts.isTypeAssertionExpression(node)) &&
      !ts.isConstTypeReference(node.type)
    ) {
      const { line } = source.getLineAndCharacterOfPosition(node.type.getStart(source));
      found.push({
        place: `${path}:${line + 1}`,
        type: node.type.getText(source).replaceAll(/\s+/g, " "),
      });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

const files = globSync("src/**/*.ts", { cwd: root }).filter((path) => !path.endsWith(".test.ts"));
const all = files.sort().flatMap(findAssertions);
const allowed: unknown = JSON.parse(readFileSync(join(root, "scripts", "assertions.json"), "utf8"));
const most = typeof allowed === "object" && allowed !== null && "most" in allowed ? Number(allowed.most) : 0;
if (process.argv.includes("--list"))
  for (const { place, type } of all) process.stdout.write(`${place}: ${type}\n`);
process.stderr.write(`${all.length} type assertions, ${most} are allowed\n`);
if (all.length > most) {
  process.stderr.write(
    "Narrow the type, parse the value (zod, src/base/fields.ts), or give it its type where it is made. --list shows all.\n",
  );
  process.exitCode = 1;
} else if (all.length < most)
  process.stderr.write(`Write ${all.length} into scripts/assertions.json, so that it stays so.\n`);
