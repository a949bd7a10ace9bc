import { posix } from "node:path";
import { nameBeside } from "../canary-file.ts";
import type { ExamplesRequest, PlaceExamples } from "../contract.ts";
import { isEsModule, mochaWord } from "./javascript-canary.ts";

interface ExampleStyle {
  /** The imports, as in `CanaryStyle`. */
  readonly imports?: readonly [names: string, from: string];
  /** One asynchronous test with this body; its name is already a string literal. */
  readonly test: (name: string, body: string, text: string) => string;
  /** Code after the tests. */
  readonly end?: string;
}

/** Places examples in a file next to the target, in the target's module system and language. */
function javascriptExamples({ imports, test, end }: ExampleStyle): PlaceExamples {
  return async (request) => {
    const { beside, words, calls, read } = request;
    if (!/\.[cm]?[jt]sx?$/.test(beside.target)) return undefined;
    const text = (await read(beside.target)) ?? "";
    const isTyped = /\.[cm]?tsx?$/.test(beside.target);
    const isModule = isTyped || (await isEsModule(request, text));
    const path = nameBeside(beside.target, words.file);
    const names = calls.map((_, at) => `${words.file} ${at}`);
    const [own = "", from = ""] = imports ?? [];
    const lines = [
      // The project's own checks of types say nothing about a value.
      ...(isTyped ? ["// @ts-nocheck"] : []),
      ...(imports === undefined
        ? []
        : [isModule ? `import ${own} from "${from}";` : `const ${own} = require("${from}");`]),
      tellValue(request),
      ...calls.map((call, at) => {
        const file = JSON.stringify(relative(path, call.file));
        const load = isModule ? `() => import(${file})` : `() => require(${file})`;
        const body = `await tellValue(${load}, ${JSON.stringify(call.name)}, ${JSON.stringify(call.text)});`;
        return test(JSON.stringify(names[at]), body, text);
      }),
      ...(end === undefined ? [] : [end]),
      ...(isTyped && imports === undefined ? ["export {};"] : []),
    ];
    const tests = names.map((name) => ({ package: beside.package, target: path, name }));
    return { files: [{ path, content: `${lines.join("\n")}\n` }], tests };
  };
}

function relative(from: string, to: string): string {
  const path = posix.relative(posix.dirname(from), to);
  return path.startsWith(".") ? path : `./${path}`;
}

/** The call can use the exports of its module. A default export without a name gets the name that the call uses. */
function tellValue({ words }: ExamplesRequest): string {
  return `
function plain(value) {
  if (value === undefined || value === null) return null;
  if (["string", "number", "boolean"].includes(typeof value)) return value;
  if (Array.isArray(value)) return value.map(plain);
  const kind = typeof value === "object" ? Object.getPrototypeOf(value) : undefined;
  if (kind !== null && kind?.constructor?.name !== "Object") throw new Error("the value is not plain data");
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, plain(each)]));
}

async function tellValue(load, name, call) {
  const loaded = await load();
  const whole = loaded.default ?? loaded;
  const known = { ...(typeof whole === "object" ? whole : {}), ...loaded };
  if (typeof whole === "function") known[name] ??= whole;
  const names = Object.keys(known).filter((each) => /^[\\p{L}_$][\\p{L}\\p{N}_$]*$/u.test(each) && each !== "default");
  const value = await new Function(...names, "return (" + call + ");")(...names.map((each) => known[each]));
  const hex = Buffer.from(JSON.stringify(plain(value))).toString("hex");
  throw new Error("${words.mark}:" + hex + ":");
}
`;
}

const plainly = (word: string, name: string, body: string): string =>
  `${word}(${name}, async () => { ${body} });`;

export const vitestExamples = javascriptExamples({
  imports: ["{ test }", "vitest"],
  test: (name, body) => plainly("test", name, body),
});
export const jestExamples = javascriptExamples({ test: (name, body) => plainly("test", name, body) });
export const jasmineExamples = javascriptExamples({ test: (name, body) => plainly("it", name, body) });
export const mochaExamples = javascriptExamples({
  test: (name, body, text) => plainly(mochaWord(text), name, body),
});
export const nodeTestExamples = javascriptExamples({
  imports: ["{ test }", "node:test"],
  test: (name, body) => plainly("test", name, body),
});
export const avaExamples = javascriptExamples({
  imports: ["test", "ava"],
  test: (name, body) => plainly("test", name, body),
});
export const uvuExamples = javascriptExamples({
  imports: ["{ test }", "uvu"],
  test: (name, body) => plainly("test", name, body),
  end: "test.run();",
});
