import { expect, test } from "vitest";
import { compareTexts } from "../code/change.ts";
import { judgeLeftOut } from "./left-out.ts";

type Files = Readonly<Record<string, string>>;

/** What the patch is blamed for; `after` holds the changed files only. */
async function blame(before: Files, after: Files): Promise<string[]> {
  const base = { list: async () => Object.keys(before), read: async (path: string) => before[path] };
  const changed = Object.entries(after).map(([path, text]) => compareTexts(path, before[path], text));
  const findings = await judgeLeftOut(changed, base);
  expect(findings.every(({ weight }) => weight === "objection")).toBe(true);
  return findings.map(({ text }) => / uses `([^`]+)`/.exec(text)?.[1] ?? "");
}

const manifest = (more: object = {}): string =>
  JSON.stringify({ name: "shop", version: "1.0.0", type: "module", ...more });
const plain = "export const fee = () => 2;\n";
const rates = "export const rate = 3;\n";
const using = (source: string): string =>
  `import { rate } from "${source}";\n\nexport const fee = () => rate();\n`;

test.each<[string, Files, Files, string[]]>([
  [
    "a file beside a listed one",
    { "package.json": manifest({ files: ["fee.js"] }), "fee.js": plain },
    { "fee.js": using("./rates.js"), "rates.js": rates },
    ["rates.js"],
  ],
  [
    "a file in an unlisted folder",
    { "package.json": manifest({ main: "lib/fee.js", files: ["/lib/"] }), "lib/fee.js": plain },
    { "lib/fee.js": using("../data/rates"), "data/rates.js": rates },
    ["data/rates.js"],
  ],
  [
    "data by its address",
    { "package.json": manifest({ main: "lib/fee.js", files: ["lib"] }), "lib/fee.js": plain },
    { "lib/fee.js": `export const at = new URL("../rates.json", import.meta.url);\n`, "rates.json": "{}" },
    ["rates.json"],
  ],
  [
    "a file that .npmignore names",
    { "package.json": manifest(), ".npmignore": "data\n", "index.js": plain },
    { "index.js": using("./data/rates.js"), "data/rates.js": rates },
    ["data/rates.js"],
  ],
  [
    "a manifest that no longer lists a file",
    {
      "package.json": manifest({ main: "fee.js", files: ["fee.js", "rates.js"] }),
      "fee.js": using("./rates.js"),
      "rates.js": rates,
    },
    { "package.json": manifest({ main: "fee.js", files: ["fee.js"] }) },
    ["rates.js"],
  ],
  [
    "a package for development",
    { "package.json": manifest({ devDependencies: { zod: "4" } }), "index.js": plain },
    { "index.js": using("zod/mini") },
    ["zod"],
  ],
  [
    "a package that becomes one for development",
    { "package.json": manifest({ dependencies: { zod: "4" } }), "index.js": using("zod") },
    { "package.json": manifest({ devDependencies: { zod: "4" } }) },
    ["zod"],
  ],
  [
    "a scoped package, called in TypeScript",
    {
      "package.json": manifest({
        exports: { ".": { types: "./no.d.ts", import: "./fee.ts" } },
        devDependencies: { "@a/b": "4" },
      }),
      "fee.ts": plain,
    },
    { "fee.ts": using("@a/b") },
    ["@a/b"],
  ],
  // Honest
  [
    "a file that the patch lists",
    { "package.json": manifest({ files: ["fee.js"] }), "fee.js": plain },
    {
      "package.json": manifest({ files: ["fee.js", "rates.js"] }),
      "fee.js": using("./rates.js"),
      "rates.js": rates,
    },
    [],
  ],
  [
    "a file that a pattern lists",
    { "package.json": manifest({ files: ["lib/*.js"] }), "lib/fee.js": plain },
    { "lib/fee.js": using("./rates.js"), "lib/rates.js": rates },
    [],
  ],
  [
    "a file that is the entry",
    { "package.json": manifest({ main: "./rates", files: ["fee.js"] }), "fee.js": plain },
    { "fee.js": using("./rates.js"), "rates.js": rates },
    [],
  ],
  [
    "a private package",
    {
      "package.json": manifest({ private: true, files: ["fee.js"], devDependencies: { zod: "4" } }),
      "fee.js": plain,
    },
    { "fee.js": using("./rates.js") + using("zod"), "rates.js": rates },
    [],
  ],
  [
    "sources of which a build is published",
    {
      "package.json": manifest({ main: "dist/fee.js", files: ["dist"], devDependencies: { zod: "4" } }),
      "src/fee.js": plain,
    },
    { "src/fee.js": using("./rates.js") + using("zod"), "src/rates.js": rates },
    [],
  ],
  [
    "sources beside a build",
    { "package.json": manifest({ main: "dist/fee.js", devDependencies: { zod: "4" } }), "src/fee.js": plain },
    { "src/fee.js": using("zod") },
    [],
  ],
  [
    "an application that a bundler builds",
    {
      "package.json": manifest({ scripts: { build: "vite build" }, devDependencies: { zod: "4" } }),
      "src/fee.js": plain,
    },
    { "src/fee.js": using("zod") },
    [],
  ],
  [
    "a configuration",
    { "package.json": manifest({ devDependencies: { zod: "4" } }), "fee.js": plain },
    { "lint.config.js": using("zod"), "scripts/a.js": using("zod") },
    [],
  ],
  [
    "a test",
    { "package.json": manifest({ files: ["*.js"], devDependencies: { zod: "4" } }), "fee.js": plain },
    { "fee.test.js": using("zod") },
    [],
  ],
  [
    "a peer",
    {
      "package.json": manifest({ peerDependencies: { zod: "4" }, devDependencies: { zod: "4" } }),
      "index.js": plain,
    },
    { "index.js": using("zod") },
    [],
  ],
  [
    "a type",
    { "package.json": manifest({ main: "fee.ts", devDependencies: { zod: "4" } }), "fee.ts": plain },
    {
      "fee.ts":
        'import type { A } from "zod";\nimport { type B } from "zod";\nimport { C } from "zod";\nexport const fee = (a: A, b: B, c: C) => 2;\n',
    },
    [],
  ],
  [
    "a part of the runtime",
    { "package.json": manifest({ devDependencies: { electron: "4", path: "1" } }), "index.js": plain },
    { "index.js": using("path") + using("electron") },
    [],
  ],
  [
    "an optional package",
    { "package.json": manifest({ devDependencies: { zod: "4" } }), "index.js": plain },
    { "index.js": 'let zod;\ntry {\n  zod = require("zod");\n} catch {}\n' },
    [],
  ],
  [
    "what the base lacks already",
    {
      "package.json": manifest({ devDependencies: { zod: "4" } }),
      "index.js": `import "./old.js";\n`,
      "old.js": using("zod"),
    },
    { "index.js": `import "./old.js";\n${using("zod")}` },
    [],
  ],
  [
    "a package in the folder of another",
    {
      "package.json": manifest({ files: ["index.js"] }),
      "index.js": plain,
      "other/package.json": manifest({ name: "other" }),
    },
    { "index.js": using("./other/a.js"), "other/a.js": rates },
    [],
  ],
])("npm: %s", async (_, before, after, expected) => {
  expect(await blame(before, after)).toEqual(expected);
});

const lists = (text: string): string => `[project]\nname = "shop"\n\n[tool.setuptools]\n${text}\n`;
const fee = "def fee():\n    return 2\n";
const usingRates = `from rates import RATE\n\n\n${fee}`;
const usingSub = `from shop.rates import table\n\n\n${fee}`;
const packaged = { "shop/__init__.py": "", "shop/fee.py": fee };
const sub = { "shop/fee.py": usingSub, "shop/rates/__init__.py": "", "shop/rates/table.py": "" };

test.each<[string, Files, Files, string[]]>([
  [
    "a module beside a listed one",
    { "pyproject.toml": lists('py-modules = ["fee"]'), "fee.py": fee },
    { "fee.py": usingRates, "rates.py": "RATE = 3\n" },
    ["rates.py"],
  ],
  [
    "a module of setup.cfg",
    { "setup.cfg": "[options]\npy_modules =\n    fee\n    other\n\n[tool]\na = 1\n", "fee.py": fee },
    { "fee.py": usingRates, "rates.py": "RATE = 3\n" },
    ["rates.py"],
  ],
  [
    "a module of setup.py",
    { "setup.py": 'from setuptools import setup\n\nsetup(name="a", py_modules=["fee"])\n', "fee.py": fee },
    { "fee.py": usingRates, "rates.py": "RATE = 3\n" },
    ["rates.py"],
  ],
  [
    "a package below a listed one",
    { "pyproject.toml": lists('packages = ["shop"]'), ...packaged },
    sub,
    ["shop/rates/table.py"],
  ],
  [
    "a package in src",
    {
      "pyproject.toml": lists('packages = ["shop"]\npackage-dir = {"" = "src"}'),
      "src/shop/__init__.py": "",
      "src/shop/fee.py": fee,
    },
    { "src/shop/fee.py": `from .rates import table\n${fee}`, "src/shop/rates/table.py": "" },
    ["src/shop/rates/table.py"],
  ],
  [
    "a folder that the search does not find",
    { "setup.py": "setup(packages=find_packages())\n", ...packaged },
    { "shop/fee.py": usingSub, "shop/rates/table.py": "" },
    ["shop/rates/table.py"],
  ],
  [
    "a list that the patch shortens",
    { "pyproject.toml": lists('py-modules = ["fee", "rates"]'), "fee.py": usingRates, "rates.py": "" },
    { "pyproject.toml": lists('py-modules = ["fee"]') },
    ["rates.py"],
  ],
  // Honest
  [
    "a listed module",
    { "pyproject.toml": lists('py-modules = ["fee"]'), "fee.py": fee },
    {
      "pyproject.toml": lists('py-modules = ["fee", "rates"]'),
      "fee.py": usingRates,
      "rates.py": "RATE = 3\n",
    },
    [],
  ],
  [
    "no list",
    { "pyproject.toml": '[project]\nname = "shop"\n', "fee.py": fee },
    { "fee.py": usingRates, "rates.py": "" },
    [],
  ],
  [
    "a search",
    { "pyproject.toml": lists('[tool.setuptools.packages.find]\nwhere = ["."]'), ...packaged },
    sub,
    [],
  ],
  ["a search by setup.py", { "setup.py": "setup(packages=find_packages())\n", ...packaged }, sub, []],
  ["a computed list", { "setup.py": "setup(packages=['shop'] + more())\n", ...packaged }, sub, []],
  [
    "a script that is not in the package",
    { "setup.py": "setup(packages=['shop'])\n", ...packaged },
    { "run.py": usingRates, "rates.py": "" },
    [],
  ],
  [
    "a module that is tried",
    { "pyproject.toml": lists('py-modules = ["fee"]'), "fee.py": fee },
    { "fee.py": "try:\n    import rates\nexcept ImportError:\n    rates = None\n", "rates.py": "" },
    [],
  ],
])("setuptools: %s", async (_, before, after, expected) => {
  expect(await blame(before, after)).toEqual(expected);
});

const crate = (text: string): string => `[package]\nname = "shop"\nversion = "1.0.0"\n${text}\n`;
const including = (path: string): string => `const RATE: &str = include_str!("${path}");\n`;

test.each<[string, Files, Files, string[]]>([
  [
    "data in an excluded folder",
    { "Cargo.toml": crate('exclude = ["data/"]'), "src/lib.rs": "" },
    { "src/lib.rs": including("../data/rate.txt"), "data/rate.txt": "3" },
    ["data/rate.txt"],
  ],
  [
    "data that `include` does not name",
    { "Cargo.toml": crate('include = ["src/**/*.rs"]'), "src/lib.rs": "" },
    { "src/lib.rs": including("rate.txt"), "src/rate.txt": "3" },
    ["src/rate.txt"],
  ],
  [
    "an excluded module",
    { "Cargo.toml": crate('exclude = ["/src/rates*"]'), "src/lib.rs": "" },
    { "src/lib.rs": "mod rates;\n", "src/rates/mod.rs": "" },
    ["src/rates/mod.rs"],
  ],
  [
    "a module of a module",
    { "Cargo.toml": crate('exclude = ["internal.rs"]'), "src/lib.rs": "mod a;\n", "src/a.rs": "" },
    { "src/a.rs": "mod internal;\n", "src/a/internal.rs": "" },
    ["src/a/internal.rs"],
  ],
  [
    "a list that the patch adds",
    { "Cargo.toml": crate(""), "src/lib.rs": including("../data/rate.txt"), "data/rate.txt": "3" },
    { "Cargo.toml": crate('exclude = ["data"]') },
    ["data/rate.txt"],
  ],
  // Honest
  [
    "an included file",
    { "Cargo.toml": crate('include = ["src", "data"]'), "src/lib.rs": "" },
    { "src/lib.rs": including("../data/rate.txt"), "data/rate.txt": "3" },
    [],
  ],
  [
    "a crate that is not published",
    { "Cargo.toml": crate('publish = false\nexclude = ["data"]'), "src/lib.rs": "" },
    { "src/lib.rs": including("../data/rate.txt"), "data/rate.txt": "3" },
    [],
  ],
  [
    "data for tests",
    { "Cargo.toml": crate('exclude = ["data"]'), "src/lib.rs": "" },
    {
      "src/lib.rs": `#[cfg(test)]\nmod tests {\n    ${including("../data/rate.txt")}}\n`,
      "data/rate.txt": "3",
    },
    [],
  ],
  [
    "tests beside the code",
    { "Cargo.toml": crate('exclude = ["src/tests.rs"]'), "src/lib.rs": "" },
    { "src/lib.rs": "#[cfg(test)]\nmod tests;\n", "src/tests.rs": "" },
    [],
  ],
  [
    "an example",
    { "Cargo.toml": crate('exclude = ["data"]'), "src/lib.rs": "" },
    { "examples/a.rs": including("../data/rate.txt"), "data/rate.txt": "3" },
    [],
  ],
])("cargo: %s", async (_, before, after, expected) => {
  expect(await blame(before, after)).toEqual(expected);
});
