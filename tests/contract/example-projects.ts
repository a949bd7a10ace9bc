/** A small project for each framework that can run examples: `fee` doubles, and each kilogram above the second costs 3. */

import { openTestExecutor } from "../../src/agent/measure/test-executor.ts";
import { runExamples } from "../../src/agent/verdict/run-examples.ts";
import type { TestKey } from "../../src/domain/test-outcome.ts";
import { partOf } from "../part-of.ts";
import { type WallProject, wallProjects } from "./wall-attacks.ts";
import { withWalls } from "./wall-confirm.ts";
import type { UsableSandbox } from "./workspace-fixture.ts";

interface FeeFile {
  readonly path: string;
  readonly text: (body: string) => string;
  /** In the language's syntax; the parameter is `weight`. */
  readonly variable?: string;
  /** Beside the project's own, or in their place. */
  readonly more?: Readonly<Record<string, string>>;
}

const files: Readonly<Record<string, FeeFile>> = {
  python: { path: "fees.py", text: (body) => `def fee(weight):\n    return ${body}\n` },
  javascript: {
    path: "fees.js",
    text: (body) => `exports.fee = function fee(weight) {\n  return ${body};\n};\n`,
  },
  modules: { path: "fees.mjs", text: (body) => `export function fee(weight) {\n  return ${body};\n}\n` },
  go: {
    path: "fees.go",
    text: (body) => `package price\n\nfunc fee(weight int) int {\n\treturn ${body}\n}\n`,
  },
  rust: {
    path: "src/fees.rs",
    text: (body) => `pub fn fee(weight: i64) -> i64 {\n    ${body}\n}\n`,
    more: { "src/lib.rs": "pub mod fees;\n\n#[cfg(test)]\nmod tests {\n    #[test]\n    fn price() {}\n}\n" },
  },
  ruby: { path: "lib/fees.rb", text: (body) => `def fee(weight)\n  ${body}\nend\n` },
  php: {
    path: "src/fees.php",
    variable: "$weight",
    text: (body) => `<?php\n\nnamespace Shop;\n\nfunction fee($weight)\n{\n    return ${body};\n}\n`,
  },
};

export interface ExampleProject {
  readonly title: string;
  readonly project: WallProject;
  readonly file: FeeFile;
}

export const exampleProjects: readonly ExampleProject[] = wallProjects.flatMap((project) => {
  const { framework, named, file: test } = project;
  const file = files[test.endsWith(".mjs") ? "modules" : framework.language];
  return framework.examples === undefined || file === undefined
    ? []
    : [{ title: named ?? framework.name, project, file }];
});

/** Runs the examples of a statement on a patch. The base charges 2 for each kilogram above the second. */
export async function judgeFee(
  { project, file: { path, text, variable = "weight", more } }: ExampleProject,
  sandbox: UsableSandbox,
  body: string,
  statement: string,
  earlier: readonly TestKey[] = [],
) {
  const write = (own: string): string => text(own.replaceAll("weight", variable));
  const base = { ...project.files({}), ...more, [path]: write("(weight - 2) * 2") };
  return withWalls(project, sandbox, base, async (workspace, command) => {
    const { framework } = project;
    const tree = await workspace.trees.write(workspace.base, [{ path, content: write(body) }]);
    const signal = new AbortController().signal;
    const executor = await openTestExecutor(workspace, [framework], signal);
    return runExamples(
      {
        workspace,
        frameworks: [framework],
        recorder: partOf({ step: (_: unknown, execute: () => Promise<unknown>) => execute() }),
        limits: partOf({ remainingMs: () => 600_000 }),
        regions: partOf({ isWhole: () => false, inside: () => ({ items: false, examples: false }) }),
        task: partOf({ kind: "repair", statement }),
        suite: { command, outcomes: [], testTimeoutMs: 10_000, part: undefined },
      },
      { id: "c1", kind: "code", origin: "", tree },
      [...earlier, { package: "", target: project.file, name: project.target }],
      async () => executor,
    );
  });
}
