import { posix } from "node:path";
import { nameBeside } from "../canary-file.ts";
import type { Canary, CanaryRequest, PlaceCanary } from "../contract.ts";

/** A framework's style of tests: with imports, as in `vitest`, or with globals. */
export interface CanaryStyle {
  /** A module's imports and their source: `{ test }` of `uvu`. Empty if everything is global. */
  readonly imports: readonly (readonly [names: string, from: string])[];
  /** One test. Its name is already a string literal; it compares `sum` with `expected`. */
  readonly test: (name: string, sum: string, expected: string, text: string) => string;
  /** Code after the tests. */
  readonly end?: string;
}

/** Returns a canary in JavaScript: a file next to the target, in the target's module system and language. */
export function javascriptCanary(style: CanaryStyle): PlaceCanary {
  return async (request) => {
    const { beside, words } = request;
    if (!/\.[cm]?[jt]sx?$/.test(beside.target)) return undefined;
    const text = (await request.read(beside.target)) ?? "";
    const isTyped = /\.[cm]?tsx?$/.test(beside.target);
    const isModule = isTyped || (await isEsModule(request, text));
    const imports = style.imports.map(([names, from]) =>
      isModule
        ? `import ${names} from "${from}";`
        : `const ${names.replace(/^\* as /, "")} = require("${from}");`,
    );
    const sum = `[1, 1].reduce((one, other) => one + other, 0)`;
    const lines = [
      ...imports,
      style.test(JSON.stringify(words.fails), sum, "3", text),
      style.test(JSON.stringify(words.passes), sum, "2", text),
      ...(style.end === undefined ? [] : [style.end]),
      // Without an import or an export, TypeScript treats a file as a script.
      ...(isTyped && imports.length === 0 ? ["export {};"] : []),
    ];
    return canaryOf(request, `${lines.join("\n")}\n`);
  };
}

function canaryOf({ beside, words }: CanaryRequest, content: string): Canary {
  const path = nameBeside(beside.target, words.file);
  const key = { package: beside.package, target: path };
  return {
    file: { path, content },
    fails: { ...key, name: words.fails },
    passes: { ...key, name: words.passes },
  };
}

/**
 * True if the target is an ES module: by the file's extension, then by its own imports, then by the package's `type`.
 */
export async function isEsModule(
  { beside, read }: Pick<CanaryRequest, "beside" | "read">,
  text: string,
): Promise<boolean> {
  if (/\.mjs$/.test(beside.target)) return true;
  if (/\.cjs$/.test(beside.target)) return false;
  if (/^[ \t]*import\s*(?:[\w*{"'])/m.test(text)) return true;
  if (/\brequire\s*\(/.test(text)) return false;
  for (let folder = posix.dirname(beside.target); ; folder = posix.dirname(folder)) {
    const manifest = await read(posix.join(folder, "package.json"));
    if (manifest !== undefined) return /"type"\s*:\s*"module"/.test(manifest);
    if (folder === "." || folder === "/") return false;
  }
}

const expecting = (name: string, sum: string, expected: string): string =>
  `test(${name}, () => { expect(${sum}).toBe(${expected}); });`;
const asserting = (test: string, name: string, sum: string, expected: string): string =>
  `${test}(${name}, () => { assert.strictEqual(${sum}, ${expected}); });`;

/** Returns the target's own word for a test: `it` (with `describe`), or `test` (with `suite`). */
export function mochaWord(text: string): "it" | "test" {
  return /\b(?:it|specify)\s*\(/.test(text) || !/\btest\s*\(/.test(text) ? "it" : "test";
}

export const vitestCanary = javascriptCanary({
  imports: [["{ expect, test }", "vitest"]],
  test: expecting,
});
export const jestCanary = javascriptCanary({ imports: [], test: expecting });
export const jasmineCanary = javascriptCanary({
  imports: [],
  test: (name, sum, expected) => `it(${name}, () => { expect(${sum}).toBe(${expected}); });`,
});
export const mochaCanary = javascriptCanary({
  imports: [["* as assert", "assert"]],
  test: (name, sum, expected, text) => asserting(mochaWord(text), name, sum, expected),
});
export const nodeTestCanary = javascriptCanary({
  imports: [
    ["{ test }", "node:test"],
    ["* as assert", "assert"],
  ],
  test: (name, sum, expected) => asserting("test", name, sum, expected),
});
export const avaCanary = javascriptCanary({
  imports: [["test", "ava"]],
  test: (name, sum, expected) => `test(${name}, (t) => { t.is(${sum}, ${expected}); });`,
});
const ending = (name: string, sum: string, expected: string): string =>
  `(${name}, (t) => { t.equal(${sum}, ${expected}); t.end(); });`;
export const tapeCanary = javascriptCanary({
  imports: [["test", "tape"]],
  test: (name, sum, expected) => `test${ending(name, sum, expected)}`,
});
/** The canary of node-tap. Uses `require`, because the releases of node-tap export different things to `import`. */
export const tapCanary = javascriptCanary({
  imports: [["* as tap", "tap"]],
  test: (name, sum, expected) => `tap.test${ending(name, sum, expected)}`,
});
export const uvuCanary = javascriptCanary({
  imports: [
    ["{ test }", "uvu"],
    ["* as assert", "uvu/assert"],
  ],
  test: (name, sum, expected) => `test(${name}, () => { assert.is(${sum}, ${expected}); });`,
  end: "test.run();",
});
