/**
 * Defects4J: faults of Java projects. Its repository describes them in `framework/projects/NAME`, without the projects'
 * code. As in its own checkout, the base is the fixed commit with the fix undone, so it contains the tests that show
 * the fault.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import passAndFail from "../graders/pass-and-fail.ts";
import type { PlacedRow, RowProblem } from "../rows.ts";
import { commitSchema, taskIdSchema } from "../task.ts";
import { defineDataset } from "./contract.ts";
import { listFolders, readText, rowOfFiles } from "./folder-files.ts";
import { reversiblePatch } from "./reversible-patch.ts";

/** The projects' repositories. Those of Defects4J have the same names without owners. */
const repositories: Readonly<Record<string, string>> = {
  Chart: "jfree/jfreechart",
  Cli: "apache/commons-cli",
  Closure: "google/closure-compiler",
  Codec: "apache/commons-codec",
  Collections: "apache/commons-collections",
  Compress: "apache/commons-compress",
  Csv: "apache/commons-csv",
  Gson: "google/gson",
  JacksonCore: "FasterXML/jackson-core",
  JacksonDatabind: "FasterXML/jackson-databind",
  JacksonXml: "FasterXML/jackson-dataformat-xml",
  Jsoup: "jhy/jsoup",
  JxPath: "apache/commons-jxpath",
  Lang: "apache/commons-lang",
  Math: "apache/commons-math",
  Mockito: "mockito/mockito",
  Time: "JodaOrg/joda-time",
};

const rowSchema = z.object({
  dataset: z.literal("defects4j"),
  id: taskIdSchema,
  repository: z.string().min(1),
  /** Not a commit in Subversion's projects (Chart). */
  fixed_commit: commitSchema,
  /** The folder of the project's tests. */
  test_folder: z.string(),
  /** The classes whose tests load changed code. */
  test_classes: z.array(z.string()).min(1),
  /** `CLASS::METHOD` of each test that shows the fault. */
  failing_tests: z.array(z.string()).min(1),
  /** The diff from the fixed commit to the base. */
  fault: reversiblePatch,
});

export default defineDataset({
  name: "defects4j",
  description: "Faults of Java projects, from a clone of Defects4J's repository",
  card: { home: "https://github.com/rjust/defects4j", paper: "https://doi.org/10.1145/2610384.2628055" },
  recognises: (row) => row["dataset"] === "defects4j",
  readFolder,
  row: rowSchema,
  task: (row) => ({
    id: row.id,
    kind: "repair",
    statement: "",
    repository: row.repository,
    baseCommit: row.fixed_commit,
    version: "",
    failingTests: row.failing_tests,
  }),
  hidden: (row) => ({
    goldPatch: row.fault.reversed,
    testPatch: "",
    tests: {
      command: undefined,
      files: row.test_classes.map((name) => join(row.test_folder, `${name.replaceAll(".", "/")}.java`)),
      limitMs: undefined,
    },
    lists: undefined,
  }),
  environment: (row) => ({ basePatch: row.fault.given }),
  grader: passAndFail,
});

function readFolder(folder: string, problems: RowProblem[]): readonly PlacedRow[] | undefined {
  const projects = join(folder, "framework", "projects");
  const names = listFolders(projects).filter((name) => existsSync(join(projects, name, "active-bugs.csv")));
  if (names.length === 0) return undefined;
  return names.flatMap((name) => readProject(join(projects, name), name, problems));
}

function readProject(place: string, name: string, problems: RowProblem[]): PlacedRow[] {
  const layouts = readCsv(readText(place, "dir-layout.csv"));
  const testFolders = new Map(layouts.map(([commit = "", , tests = ""]) => [commit, tests]));
  const [, ...bugs] = readCsv(readText(place, "active-bugs.csv")); // below the headings
  return bugs.flatMap(([bug = "", , fixed = ""]) =>
    rowOfFiles(`${place} (bug ${bug})`, problems, () => ({
      dataset: "defects4j",
      id: `${name}-${bug}`,
      repository: repositories[name] ?? name,
      fixed_commit: fixed,
      test_folder: testFolders.get(fixed) ?? "",
      test_classes: readText(place, "relevant_tests", bug).split(/\s+/).filter(Boolean),
      failing_tests: [...readText(place, "trigger_tests", bug).matchAll(/^--- (\S+)/gm)].map(
        ([, test]) => test,
      ),
      fault: readText(place, "patches", `${bug}.src.patch`),
    })),
  );
}

/** The lines' fields; no field of these files contains a comma or a quote. */
function readCsv(text: string): string[][] {
  return text
    .split(/\r?\n/)
    .filter(Boolean)
    .map((line) => line.split(","));
}
