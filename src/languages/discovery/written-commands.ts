/**
 * Reads the commands that a repository's own files contain: CI workflows, Makefiles, tox and nox, task runners and
 * documents. All frameworks share this reader. A framework's `detect` selects the commands that start its runner, with
 * their order, options, features and build tags.
 */

import { once } from "../../base/once.ts";
import type { ProjectView } from "../contract.ts";
import { listToxScripts } from "../python/tox.ts";
import { listCiScripts } from "./ci-workflows.ts";
import { listDocumentedScripts } from "./documented-commands.ts";
import { listMakefiles, recipeOf } from "./makefile.ts";
import type { SimpleCommand } from "./script-calls.ts";
import { expandScript } from "./script-expansion.ts";
import { listTaskScripts } from "./task-files.ts";
import { testName, type WrittenScript } from "./written-script.ts";

/**
 * A single command of a written script. If the script calls another one (`make test`, `tox`, `./test.sh`), the other
 * script's commands replace the call.
 */
export interface WrittenCommand extends SimpleCommand {
  readonly trust: number;
}

/**
 * Lists all written commands, the most trusted first. Commands with equal trust are in the order of the files. Caches
 * the list for each view.
 */
export const listWrittenCommands = once((project: ProjectView): readonly WrittenCommand[] => {
  const scripts = [
    ...listCiScripts(project),
    ...listMakeScripts(project),
    ...listToxScripts(project),
    ...listTaskScripts(project),
    ...listDocumentedScripts(project),
  ];
  const found = new Map<string, WrittenCommand>();
  for (const script of scripts.sort((a, b) => b.trust - a.trust)) {
    for (const command of expandScript(project, script)) {
      const id = JSON.stringify([command.directory, command.text, command.env]);
      if (!found.has(id)) found.set(id, { ...command, trust: script.trust });
    }
  }
  return [...found.values()];
});

/**
 * Resolves a user's command: the command itself, or the commands of the Makefile, tox environment or script that it
 * calls.
 */
export function expandCommand(project: ProjectView, text: string): readonly SimpleCommand[] {
  return expandScript(project, { directory: "", text, env: {}, foundBy: "--test-command" });
}

function listMakeScripts(project: ProjectView): WrittenScript[] {
  return listMakefiles(project).flatMap((makefile) =>
    [...makefile.targets.keys()]
      .filter((target) => testName.test(target))
      .flatMap((target, at) =>
        recipeOf(makefile, target).map(({ text }) => ({
          directory: makefile.directory,
          text,
          env: {},
          foundBy: `${makefile.file}, target ${target}`,
          trust:
            (/^(?:test|check|tests)$/.test(target) ? 0.9 : 0.82) -
            (makefile.directory === "" ? 0 : 0.15) -
            at / 100,
        })),
      ),
  );
}
