/**
 * Measures repair without a model on QuixBugs. Makes a project of each program with its tests (a Maven project, or a
 * folder with pytest files), runs `solve` there, and compares the patched program with the reference program. The
 * projects do not contain the reference programs. Run with `npm run bench:quixbugs -- CHECKOUT`, where CHECKOUT is a
 * clone of jkoppel/QuixBugs. Options: `--language java|python` (java), `--seed N` (1: the order of the programs),
 * `--only NAME,NAME`, `--max-time 4m`, `--sandbox NAME`, `--program DIR` (another checkout of Millwright), `--work DIR`
 * (projects and runs), `--out FILE` (a JSON line per program; programs in this file do not run again).
 */
import { execFileSync, spawnSync } from "node:child_process";
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { loadavg, tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { parseArgs } from "node:util";
import { z } from "zod";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    language: { type: "string", default: "java" },
    seed: { type: "string", default: "1" },
    only: { type: "string" },
    "max-time": { type: "string", default: "4m" },
    sandbox: { type: "string", default: "auto" },
    program: { type: "string", default: join(import.meta.dirname, "..") },
    work: { type: "string", default: join(tmpdir(), "quixbugs-bench") },
    out: { type: "string" },
  },
});

const pom = `<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>quixbugs</groupId><artifactId>program</artifactId><version>1</version>
  <properties>
    <maven.compiler.source>8</maven.compiler.source><maven.compiler.target>8</maven.compiler.target>
    <project.build.sourceEncoding>UTF-8</project.build.sourceEncoding>
  </properties>
  <dependencies>
    <dependency><groupId>junit</groupId><artifactId>junit</artifactId><version>4.12</version><scope>test</scope></dependency>
  </dependencies>
  <build><plugins><plugin><artifactId>maven-surefire-plugin</artifactId>
    <configuration><includes><include>**/*_TEST.java</include></includes></configuration>
  </plugin></plugins></build>
</project>
`;

/** A file of the project: its path there, and its path in the checkout. */
type Copied = readonly [path: string, source: string];

interface Layout {
  readonly programs: string;
  readonly extension: string;
  readonly source: (name: string) => string;
  readonly reference: (name: string) => string;
  readonly tests: (name: string) => string;
  readonly files: (name: string, checkout: string) => readonly Copied[];
  readonly texts: Readonly<Record<string, string>>;
}

const java: Layout = {
  programs: "java_programs",
  extension: ".java",
  source: (name) => `src/main/java/java_programs/${name}.java`,
  reference: (name) => `correct_java_programs/${name}.java`,
  tests: (name) => `java_testcases/junit/${name}_TEST.java`,
  files: (name, checkout) => {
    const test = java.tests(name);
    const program = `java_programs/${name}.java`;
    const text = [program, test].map((path) => readFileSync(join(checkout, path), "utf8")).join("\n");
    const used = (word: string, path: string, target: string): Copied[] =>
      new RegExp(`\\b${word}\\b`).test(text) ? [[`${target}/${path}`, path]] : [];
    return [
      [`src/main/java/${program}`, program],
      [`src/test/java/${test}`, test],
      ...used("Node|WeightedEdge", "java_programs/Node.java", "src/main/java"),
      ...used("WeightedEdge", "java_programs/WeightedEdge.java", "src/main/java"),
      ...used("QuixFixOracleHelper", "java_testcases/junit/QuixFixOracleHelper.java", "src/test/java"),
    ];
  },
  texts: { "pom.xml": pom, ".gitignore": "target\n" },
};

const python: Layout = {
  programs: "python_programs",
  extension: ".py",
  source: (name) => `python_programs/${name}.py`,
  reference: (name) => `correct_python_programs/${name}.py`,
  tests: (name) => `python_testcases/test_${name}.py`,
  files: (name) => {
    const paths = [
      `python_programs/${name}.py`,
      "python_programs/node.py",
      `python_testcases/test_${name}.py`,
      `json_testcases/${name}.json`,
      "python_testcases/load_testdata.py",
      "python_testcases/node.py",
      "conftest.py",
    ];
    return paths.map((path): Copied => [path, path]);
  },
  texts: { "python_programs/__init__.py": "" },
};

const reportSchema = z.object({
  outcome: z.string(),
  reason: z.string(),
  strength: z.string().nullish(),
  candidates: z.number(),
  seconds: z.number(),
  patch: z.string(),
});

const [checkout] = positionals;
const layout = { java, python }[values.language];
if (checkout === undefined || layout === undefined) {
  console.error("usage: npm run bench:quixbugs -- CHECKOUT [--language java|python]");
  process.exit(2);
}
const out = values.out ?? join(values.work, `${values.language}.jsonl`);
mkdirSync(values.work, { recursive: true });
const done = existsSync(out) ? readFileSync(out, "utf8") : "";
const seconds: number[] = [];
const counts = new Map<string, number>();
for (const name of chosenPrograms(layout, checkout)) {
  if (done.includes(`{"name":"${name}"`)) continue;
  const folder = layProject(layout, checkout, name);
  const report = solve(folder);
  const row = { name, ...report, reference: isReference(layout, checkout, folder, name, report.patch) };
  appendFileSync(out, `${JSON.stringify(row)}\n`);
  seconds.push(row.seconds);
  const kind = row.outcome === "verified" && row.reference ? "verified, the reference" : row.outcome;
  counts.set(kind, (counts.get(kind) ?? 0) + 1);
  const changed = row.patch.split("\n").filter((line) => /^[-+](?!--|\+\+)/.test(line));
  console.log(
    [
      `${name}: ${kind} (${row.strength ?? "-"}), ${row.candidates} candidates, ${row.seconds} s, load ${row.load}`,
      ...changed,
    ].join("\n"),
  );
  if (row.outcome !== "verified") console.log(`  ${row.reason}`);
}
seconds.sort((a, b) => a - b);
const counted = [...counts].map(([kind, count]) => `${count} ${kind}`).join(", ");
console.log(
  `${seconds.length} programs: ${counted}; median ${seconds[Math.floor(seconds.length / 2)] ?? 0} s`,
);

/** All programs with a test file, in an order that the seed decides. */
function chosenPrograms(kind: Layout, from: string): string[] {
  const names = readdirSync(join(from, kind.programs))
    .filter((file) => file.endsWith(kind.extension))
    .map((file) => file.slice(0, -kind.extension.length))
    .filter((name) => existsSync(join(from, kind.reference(name))))
    .filter((name) => existsSync(join(from, kind.tests(name))))
    .sort();
  const only = values.only?.split(",");
  let state = Number(values.seed);
  const keyed = names.map((name) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return { name, key: state };
  });
  const ordered = keyed.sort((a, b) => a.key - b.key).map(({ name }) => name);
  return only === undefined ? ordered : ordered.filter((name) => only.includes(name));
}

function layProject(kind: Layout, from: string, name: string): string {
  const folder = join(values.work, values.language, name);
  rmSync(folder, { recursive: true, force: true });
  for (const [path, source] of kind.files(name, from)) {
    if (!existsSync(join(from, source))) continue;
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    cpSync(join(from, source), join(folder, path));
  }
  for (const [path, text] of Object.entries(kind.texts)) writeFileSync(join(folder, path), text);
  const git = (...words: string[]): void => {
    execFileSync("git", ["-C", folder, "-c", "user.name=b", "-c", "user.email=b@localhost", ...words]);
  };
  git("init", "--quiet");
  git("add", "--all");
  git("commit", "--quiet", "-m", "base");
  return folder;
}

/** `load`: the machine's, in the last minute of the run. */
type Report = z.infer<typeof reportSchema> & { readonly load: number };

function solve(folder: string): Report {
  const end = spawnSync(
    join(values.program, "bin/millwright"),
    [
      ...["solve", "--repo", folder, "--strategy", "search-repair", "--model", "none"],
      ...["--max-time", values["max-time"], "--sandbox", values.sandbox],
      ...["--runs-dir", join(values.work, "runs"), "--output", "json"],
    ],
    { encoding: "utf8", maxBuffer: 2 ** 28 },
  );
  const load = Math.round(loadavg()[0] ?? 0);
  try {
    return { ...reportSchema.parse(JSON.parse(end.stdout)), load };
  } catch {
    const reason = `exit ${end.status}: ${end.stderr.slice(-500)}`;
    return { outcome: "error", reason, candidates: 0, seconds: 0, patch: "", load };
  }
}

/** Whether the patched program is the reference program up to white space, comments and the package's name. */
function isReference(kind: Layout, from: string, folder: string, name: string, patch: string): boolean {
  if (patch === "") return false;
  execFileSync("git", ["-C", folder, "apply"], { input: patch });
  const [patched, reference] = [join(folder, kind.source(name)), join(from, kind.reference(name))];
  return normalise(readFileSync(patched, "utf8")) === normalise(readFileSync(reference, "utf8"));
}

function normalise(text: string): string {
  return text
    .replace(/\/\*[\s\S]*?\*\/|\/\/.*|#.*|"""[\s\S]*?"""/g, "")
    .replace(/^package .*$|^import java_programs\..*$/gm, "")
    .replace(/\s+/g, "");
}
