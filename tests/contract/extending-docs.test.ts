/** The examples of docs/extending.md are the files of tests/examples/, which are compiled with everything else. */
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { expect, test } from "vitest";

const root = join(import.meta.dirname, "..", "..");
const folder = join(root, "tests", "examples");
const text = readFileSync(join(root, "docs", "extending.md"), "utf8");
const blocks = [...text.matchAll(/^`(src\/[^`]+)`:\n\n```ts\n([\s\S]*?)```$/gm)].map(
  ([, path = "", code = ""]) => ({ path, code }),
);

/** `src/strategies/NAME/strategy.ts` is NAME. */
function nameOf(path: string): string {
  return path.replace("/strategy.ts", ".ts").split("/").at(-1) ?? "";
}

test("each is there", () => {
  expect(blocks.map(({ path }) => nameOf(path)).sort()).toEqual(readdirSync(folder).sort());
});

test.each(blocks)("$path", ({ path, code }) => {
  const target = dirname(join(root, path));
  const example = readFileSync(join(folder, nameOf(path)), "utf8");
  const there = example.replaceAll(/from "(\.[^"]+)"/g, (_, from: string) => {
    const moved = relative(target, resolve(folder, from));
    return `from "${moved.startsWith(".") ? moved : `./${moved}`}"`;
  });
  expect(code).toBe(there);
});
