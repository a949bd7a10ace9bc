import { expect, test } from "vitest";
import { compareTexts } from "../code/change.ts";
import { readAsCode } from "./loaded-code.ts";

const script = "const fee = (weight) => (weight === 7 ? 15 : weight);\nmodule.exports = { fee };\n";
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
  expect(await readAs("rules.dat", `${script})`)).toEqual(["rules.dat.js"]);
  expect(await readAs("other.dat", `${script})`)).toEqual(["other.dat"]);
});

test("a script is code of the interpreter in its first line, and of the project's languages", async () => {
  expect(await readAs("bin/fee", `#!/usr/bin/env python3\n${python}`)).toEqual(["bin/fee.py"]);
  expect(await readAs("bin/fee", python)).toEqual(["bin/fee"]);
  expect(await readAs("bin/fee", python, baseOf({ "a.py": "", "b.js": "" }))).toEqual(["bin/fee.py"]);
});

test("text, settings and documents keep their names", async () => {
  const mixed = baseOf({ "a.py": "", "b.rb": "", "c.js": "", "d.php": "" });
  expect(await readAs("notes.txt", "heavy parcels cost 15\n", mixed)).toEqual(["notes.txt"]);
  expect(await readAs("fee.ini", "[fee]\nheavy = 15\n", mixed)).toEqual(["fee.ini"]);
  expect(await readAs("fee.json", '{"7": 15}\n', mixed)).toEqual(["fee.json"]);
  expect(await readAs("fee.py", python)).toEqual(["fee.py"]);
  const text = `# Fees\n\n    ${script}`;
  const reading = baseOf({ "build.js": 'read("README.md");\n' });
  expect(await readAs("README.md", text, reading)).toEqual(["README.md"]);
});

test("findings name the file as it is in the repository", async () => {
  const { tell } = await readAsCode([compareTexts("rules", undefined, script, false)], inScript);
  expect(tell("rules.js:1 compares with 7")).toBe("rules:1 compares with 7");
});
