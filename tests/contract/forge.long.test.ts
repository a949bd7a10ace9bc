/** Isolated projects beside real repositories of each ecosystem: they build as they were forged, and what they show is the target's. */
import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { forgeFolder } from "../../src/forge/contract.ts";
import { forgeProject } from "../../src/forge/forge-project.ts";
import type { ProjectView } from "../../src/languages/contract.ts";
import { findMissingMaven } from "./test-frameworks-java.ts";
import { describeFolder, makeFolder, walk, writeFiles } from "./workspace-fixture.ts";

const fixtures = join(import.meta.dirname, "../fixtures/repos");

function viewOf(root: string, files: readonly string[]): ProjectView {
  return {
    files,
    read: (path) => (files.includes(path) ? readFileSync(join(root, path), "utf8") : undefined),
    exists: (path) => existsSync(join(root, path)),
  };
}

function lay(root: string, files: ReadonlyMap<string, string>): void {
  for (const [path, text] of files) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
}

const builders: Readonly<Record<string, string>> = { cargo: "cargo", go: "go", python: "python3" };

/** Why nothing is built here in the ecosystem, or undefined. */
async function findMissing(ecosystem: string): Promise<string | undefined> {
  const builder = builders[ecosystem];
  if (builder === undefined) return findMissingMaven();
  return spawnSync("which", [builder]).status === 0 ? undefined : `there is no ${builder}`;
}

/** What was there before: neither the forged project, nor what builds leave. */
const filesOf = (root: string): string[] =>
  describeFolder(root).filter((line) => !/^ |^\.millwright|^target/.test(line));

const shell = (root: string, text: string) => spawnSync("sh", ["-c", text], { cwd: root, encoding: "utf8" });

async function forge(root: string, packages: readonly string[] = []) {
  const files = walk(root).filter((path) => !path.endsWith("/"));
  return forgeProject({
    project: viewOf(root, files),
    packages,
    offline: true,
    async attempt({ files: made }, command) {
      lay(root, made);
      const { status, stderr } = shell(root, command);
      return { worked: status === 0, output: stderr };
    },
  });
}

interface Case {
  readonly ecosystem: string;
  readonly repository: string;
  readonly packages?: readonly string[];
  readonly imports: readonly string[];
  /** Put into the file of the reproduction, in place of `before`. */
  readonly body: (text: string) => string;
  readonly shows: string;
}

const inMain =
  (line: string, main = /fn main\(\) \{\n/) =>
  (text: string): string =>
    text.replace(main, (found) => `${found}${line}\n`);

const cases: readonly Case[] = [
  {
    ecosystem: "cargo",
    repository: "cargo-workspace",
    imports: ["deck", "shore"],
    body: inMain('println!("{}", std::any::type_name_of_val(&"shown"));'),
    shows: "&str",
  },
  {
    ecosystem: "go",
    repository: "go-modules",
    packages: ["store"],
    imports: ["example.org/store"],
    body: inMain('println("shown")', /func main\(\) \{\n/),
    shows: "shown",
  },
  {
    ecosystem: "python",
    repository: "repair-python",
    imports: ["ledger"],
    body: (text) => `${text}print(ledger.__name__)\n`,
    shows: "ledger",
  },
  {
    ecosystem: "maven",
    repository: "maven-junit5",
    imports: [""],
    body: inMain(
      'System.out.println(org.example.parcels.Prices.price("letter", 0));',
      /throws Exception \{\n/,
    ),
    shows: "85",
  },
];

describe.each(cases)("a project beside $repository ($ecosystem)", (each) => {
  test("builds as it was forged, and runs what is written into it; the target stays as it is", async ({
    skip,
  }) => {
    const missing = await findMissing(each.ecosystem);
    if (missing !== undefined) skip(missing);
    const root = makeFolder();
    cpSync(join(fixtures, each.repository), root, { recursive: true });
    const before = filesOf(root);
    const ended = await forge(root, each.packages);
    if (!ended.ok) throw new Error(ended.message);
    expect(ended).toMatchObject({ ecosystem: each.ecosystem, forged: { imports: each.imports } });
    const { entry, run, files } = ended.forged;
    expect([...files.keys()].every((path) => path.startsWith(`${forgeFolder}/`))).toBe(true);
    writeFileSync(join(root, entry), each.body(files.get(entry) ?? ""));
    const ran = shell(root, run);
    expect(`${ran.stdout}${ran.stderr}`).toContain(each.shows);
    expect(ran.status).toBe(0);
    expect(filesOf(root)).toEqual(before);
  }, 120_000);
});

test("what a package needs is offered as its workspace says it; what cannot be built is asked for no more", async ({
  skip,
}) => {
  const missing = await findMissing("cargo");
  if (missing !== undefined) skip(missing);
  const root = makeFolder();
  writeFiles(root, {
    "Cargo.toml": `[workspace]\nmembers = ["crates/*"]\n[workspace.package]\nedition = "2021"\n[workspace.dependencies]\npart = { path = "crates/part" }\n`,
    "crates/main-thing/Cargo.toml": `[package]\nname = "main-thing"\nversion = "1.0.0"\nedition.workspace = true\n[features]\nloud = []\nbroken = []\n[dependencies]\npart = { workspace = true }\n`,
    "crates/main-thing/src/lib.rs": `#[cfg(feature = "broken")]\ncompile_error!("broken");\npub fn answer() -> u32 { part::half() * 2 }\n`,
    "crates/part/Cargo.toml": `[package]\nname = "part"\nversion = "0.1.0"\nedition.workspace = true\n`,
    "crates/part/src/lib.rs": "pub fn half() -> u32 { 21 }\n",
  });
  const ended = await forge(root, ["main-thing"]);
  if (!ended.ok) throw new Error(ended.message);
  const manifest = ended.forged.files.get(`${forgeFolder}/Cargo.toml`);
  expect(manifest).toContain('path = "../../crates/part"');
  expect(manifest).not.toContain("broken");
  const entry = join(root, ended.forged.entry);
  writeFileSync(
    entry,
    `${readFileSync(entry, "utf8").replace("main() {", 'main() { println!("{} {}", answer(), part::half());')}`,
  );
  expect(shell(root, ended.forged.run).stdout).toBe("42 21\n");
}, 120_000);

test("an ES module finds the package by its name, built first where its entry is what a build makes", async () => {
  const root = makeFolder();
  writeFiles(root, {
    "package.json": JSON.stringify({
      name: "@some/thing",
      main: "dist/index.js",
      scripts: { build: "mkdir -p dist && cp src/index.js dist/index.js" },
    }),
    "src/index.js": "exports.answer = () => 42;\n",
    "test/index.test.js": 'require("@some/thing");\n',
  });
  const ended = await forge(root);
  if (!ended.ok) throw new Error(ended.message);
  expect(ended.forged.notes).toHaveLength(1);
  writeFileSync(
    join(root, ended.forged.entry),
    `${ended.forged.files.get(ended.forged.entry)}console.log(thing.answer());\n`,
  );
  expect(shell(root, ended.forged.run).stdout).toContain("42");
}, 60_000);

test.each([
  ["example.org/thing", "v0.0.0-"],
  ["example.org/thing/v3", "v3.0.0-"],
  ["gopkg.in/thing.v1", "v1.0.0-"],
  ["example.org/v2/thing", "v0.0.0-"],
])("the Go module %s is required in the major version that its path says", async (name, version) => {
  const root = makeFolder();
  writeFiles(root, { "go.mod": `module ${name}\n`, "thing.go": "package thing\n" });
  const ended = await forgeProject({
    project: viewOf(root, ["go.mod", "thing.go"]),
    offline: true,
    attempt: async () => ({ worked: true, output: "" }),
  });
  expect(ended.ok && ended.forged.files.get(`${forgeFolder}/go.mod`)).toContain(`require ${name} ${version}`);
});

test.each([
  [{ import: "./lib/index.js", require: "./dist/index.cjs" }, false],
  [{ types: "./lib/index.d.ts", default: "./dist/index.js" }, true],
])(
  "a package that exports %j is built first only where what is imported is made: %s",
  async (exported, isBuilt) => {
    const root = makeFolder();
    const content = { name: "thing", exports: { ".": exported }, scripts: { build: "make" } };
    writeFiles(root, { "package.json": JSON.stringify(content), "lib/index.js": "export {};\n" });
    const ended = await forgeProject({
      project: viewOf(root, ["package.json", "lib/index.js"]),
      offline: true,
      attempt: async () => ({ worked: true, output: "" }),
    });
    expect(ended.ok && ended.forged.run.includes("npm run build")).toBe(isBuilt);
  },
);

test("a package of an npm workspace that cannot be imported keeps no other from it, and one that is named comes first", async () => {
  const root = makeFolder();
  const texts = {
    "package.json": JSON.stringify({ name: "all", private: true, workspaces: ["packages/*"] }),
    "packages/broken/package.json": JSON.stringify({ name: "@x/broken", main: "dist/index.js" }),
    "packages/one/package.json": JSON.stringify({ name: "@x/one", main: "index.js" }),
    "packages/one/index.js": "exports.one = 1;\n",
    "packages/program/package.json": JSON.stringify({ name: "program", bin: "cli.js", exports: [] }),
    "packages/two/package.json": JSON.stringify({ name: "@x/two", main: "index.js" }),
    "packages/two/index.js": "exports.two = 2;\n",
  };
  writeFiles(root, texts);
  const tried: (readonly string[])[] = [];
  const ended = await forgeProject({
    project: viewOf(root, Object.keys(texts)),
    offline: true,
    about: "something of two is wrong",
    attempt: async ({ imports }) => {
      tried.push(imports);
      return { worked: !imports.includes("@x/broken"), output: "" };
    },
  });
  expect(tried).toEqual([
    ["@x/two", "@x/broken", "@x/one"],
    ["@x/two", "@x/one"],
  ]);
  expect(ended.ok && ended.forged.notes).toEqual([
    expect.stringMatching(/cannot be imported.*: @x\/broken\./),
  ]);
});

test("a Maven module that lacks something keeps no other from being used, and one that is chosen is built with what it needs", async () => {
  const root = makeFolder();
  const texts = {
    "pom.xml": "<project><modules><module>core</module><module>extra</module></modules></project>\n",
    "core/pom.xml": "<project/>\n",
    "core/src/main/java/A.java": "class A {}\n",
    "core/src/main/java/B.java": "class B {}\n",
    "extra/pom.xml": "<project/>\n",
    "extra/src/main/java/C.java": "class C {}\n",
  };
  writeFiles(root, texts);
  const commands: string[] = [];
  const forgeMaven = (packages: readonly string[]) =>
    forgeProject({
      project: viewOf(root, Object.keys(texts)),
      offline: true,
      packages,
      attempt: async (_forged, command) => {
        commands.push(/pom\.xml(.*) test-compile/.exec(command)?.[1] ?? "");
        return { worked: command.includes("-am"), output: "" };
      },
    });
  expect(await forgeMaven([])).toMatchObject({ ok: true, forged: { imports: ["core"] } });
  expect(await forgeMaven(["extra"])).toMatchObject({ ok: true, forged: { imports: ["extra"] } });
  expect(commands).toEqual(["", " -pl core -am", " -pl extra -am"]);
});

test("a repository of no known kind is told as that", async () => {
  const root = makeFolder();
  writeFiles(root, { "notes.txt": "nothing\n" });
  expect(await forge(root)).toMatchObject({
    ok: false,
    message: expect.stringMatching(/none of these: .*Cargo\.toml/),
  });
});

test("a package that there is not is told with those that there are", async () => {
  const root = makeFolder();
  cpSync(join(fixtures, "cargo-workspace"), root, { recursive: true });
  expect(await forge(root, ["dek"])).toMatchObject({
    ok: false,
    message: expect.stringMatching(/no package dek;.* deck/),
  });
});
