import { posix } from "node:path";
import { capitalised } from "../canary-file.ts";
import type { PlaceCanary } from "../contract.ts";

/**
 * A canary in Java: a class of the target's package. It uses the version of JUnit (or TestNG) that the target imports
 * or names in full.
 */
export const javaCanary: PlaceCanary = async ({ beside, words, files, read }) => {
  const own = beside.target.split("$")[0] ?? "";
  const ending = `/${own.replaceAll(".", "/")}.java`;
  const inModule = files.filter((file) => file.startsWith(beside.package) && `/${file}`.endsWith(ending));
  const [path] = inModule.length > 0 ? inModule : files.filter((file) => `/${file}`.endsWith(ending));
  const text = path === undefined ? undefined : await read(path);
  const [, imported] =
    /(?:^import\s+|@)(org\.junit\.jupiter\.api|org\.junit|org\.testng\.annotations)\./m.exec(text ?? "") ??
    [];
  if (path === undefined || imported === undefined) return undefined;
  const simple = own.slice(own.lastIndexOf(".") + 1);
  const mark = /(?:Tests?|TestCase|IT|Spec)$/.exec(simple)?.[0];
  const word = capitalised(words.file);
  const name = mark === undefined ? `Test${word}` : `${word}${mark}`;
  const folder = own.includes(".") ? own.slice(0, own.lastIndexOf(".")) : "";
  const access = imported === "org.junit.jupiter.api" ? "" : "public ";
  const method = (test: string, expected: number): string =>
    `    @Test\n    ${access}void ${test}() {\n        int sum = java.util.Arrays.asList(1, 1).size();\n        if (sum != ${expected}) throw new AssertionError(sum);\n    }\n`;
  const content = `${folder === "" ? "" : `package ${folder};\n\n`}import ${imported}.Test;

${access}class ${name} {
${method(words.fails, 3)}
${method(words.passes, 2)}}
`;
  const key = { package: beside.package, target: folder === "" ? name : `${folder}.${name}` };
  return {
    file: { path: posix.join(posix.dirname(path), `${name}.java`), content },
    fails: { ...key, name: words.fails },
    passes: { ...key, name: words.passes },
  };
};
