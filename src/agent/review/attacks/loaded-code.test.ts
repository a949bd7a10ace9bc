import { expect, test } from "vitest";
import { compareTexts } from "../../code/change.ts";
import { readAsCode } from "./loaded-code.ts";

const script = "const fee = (weight) => (weight === 7 ? 15 : weight);\nmodule.exports = { fee };\n";
const prose = "The fee is wrong if the parcel is heavy (more than 20 kg).\n".repeat(5);
const python = "def fee(weight):\n    return 15 if weight == 7 else weight\n";
const baseOf = (texts: Readonly<Record<string, string>>) => ({
  list: async () => Object.keys(texts),
  read: async (path: string) => texts[path],
});
const inScript = baseOf({ "fee.js": 'module.exports = require("./rules.dat");\n' });

async function readAs(path: string, text: string, base = inScript): Promise<string[]> {
  const { files } = await readAsCode([compareTexts(path, undefined, text, false)], base);
  return files.map((file) => file.path);
}

test("a file of another name is code if it parses, or if code names it", async () => {
  expect(await readAs("rules", script)).toEqual(["rules.js"]);
  expect(await readAs("rules.txt", `// \0\n${script}`)).toEqual(["rules.txt.js"]);
  expect(await readAs("rules.txt", `${"\n".repeat(300)}${script}`)).toEqual(["rules.txt.js"]);
  expect(await readAs("rules.dat", `${script}${prose}`)).toEqual(["rules.dat.js"]);
  expect(await readAs("other.dat", `${script}${prose}`)).toEqual(["other.dat"]);
});

test("a script is code of the interpreter in its first line, and of the project's languages", async () => {
  expect(await readAs("bin/fee", `#!/usr/bin/env python3\n${python}`)).toEqual(["bin/fee.py"]);
  expect(await readAs("bin/fee", python)).toEqual(["bin/fee"]);
  expect(await readAs("bin/fee", python, baseOf({ "a.py": "", "b.js": "" }))).toEqual(["bin/fee.py"]);
});

test("valid code that the grammar does not know is code, whoever names it", async () => {
  const odd = `var yield = 1;\nyield = 2;\n${script}`;
  expect(await readAs("rules.md", odd)).toEqual(["rules.md.js"]);
  expect(await readAs("other.dat", odd)).toEqual(["other.dat.js"]);
});

test("a script of a shell is code, although there is no grammar", async () => {
  const shell = 'if [ "$1" = 7 ]; then echo 15; fi\n';
  expect(await readAs("bin/fee", `#!/bin/sh\n${shell}`)).toEqual(["bin/fee.sh"]);
  expect(await readAs("bin/fee", `#!/usr/bin/env bash\n${shell}`)).toEqual(["bin/fee.sh"]);
  expect(await readAs("bin/fee", shell)).toEqual(["bin/fee"]);
});

test("a long comment hides no code, unless the patch changes very much data", async () => {
  const code = `/*\n${prose.repeat(940)}*/\n${script}`;
  expect(await readAs("other.dat", code)).toEqual(["other.dat.js"]);
  const files = Array.from({ length: 12 }, (_, at) =>
    compareTexts(`${at}.dat`, `${code}\n`, `${code}${" ".repeat(at)}`, false),
  );
  const read = (await readAsCode(files, inScript)).files.map(({ path }) => path);
  expect(read.slice(-3)).toEqual(["9.dat.js", "10.dat", "11.dat"]);
});

test("nothing is searched for the name of a document", async () => {
  const base = { ...inScript, read: () => Promise.reject(new Error("read")) };
  const { files } = await readAsCode([compareTexts("README.md", undefined, prose, false)], base);
  expect(files.map(({ path }) => path)).toEqual(["README.md"]);
});

test("data files are searched for in the base's code together", async () => {
  let reads = 0;
  const texts: Readonly<Record<string, string>> = { "a.js": "1\n", "b.js": "2\n" };
  const read = async (path: string): Promise<string | undefined> => {
    reads += 1;
    return texts[path];
  };
  const long = script + prose.repeat(2);
  const files = ["one.dat", "two.dat", "three.dat"].map((path) => compareTexts(path, undefined, long, false));
  await readAsCode(files, { list: async () => Object.keys(texts), read });
  expect(reads).toBe(2);
});

test("text, settings and documents keep their names", async () => {
  const mixed = baseOf({ "a.py": "", "b.rb": "", "c.js": "", "d.php": "" });
  expect(await readAs("notes.txt", "heavy parcels cost 15\n", mixed)).toEqual(["notes.txt"]);
  expect(await readAs("fee.ini", "[fee]\nheavy = 15\n", mixed)).toEqual(["fee.ini"]);
  expect(await readAs("fee.json", '{"7": 15}\n', mixed)).toEqual(["fee.json"]);
  expect(await readAs("fee.py", python)).toEqual(["fee.py"]);
  const text = `# Fees\n\nThe fee of a parcel by its weight:\n\n    ${script}`;
  const reading = baseOf({ "build.js": 'read("README.md");\n' });
  expect(await readAs("README.md", text, reading)).toEqual(["README.md"]);
});

test("findings name the file as it is in the repository", async () => {
  const { tell } = await readAsCode([compareTexts("rules", undefined, script, false)], inScript);
  expect(tell("rules.js:1 compares with 7")).toBe("rules:1 compares with 7");
  expect(tell("rules.js, not my-rules.js or a/rules.js.")).toBe("rules, not my-rules.js or a/rules.js.");
});
