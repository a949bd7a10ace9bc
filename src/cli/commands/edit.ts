import { text as readStream } from "node:stream/consumers";
import type { Command } from "commander";
import { lockRun } from "../../agent/run-store.ts";
import { sanitizeForTerminal } from "../../base/terminal-text.ts";
import { applyEdits } from "../../edit/apply-edits.ts";
import type { EditOutcome, EditProblem, FileChange } from "../../edit/contract.ts";
import { parseEdits } from "../../edit/parse-edits.ts";
import { recoverApply } from "../../workspace/apply-journal.ts";
import { openTextFiles } from "../../workspace/text-files.ts";
import { writeTexts } from "../../workspace/write-texts.ts";
import { openEditFolder } from "../edit-folder.ts";
import { colourPatch } from "../output.ts";
import { findRepository, readText } from "../task-arguments.ts";

interface EditFlags {
  readonly repo: string;
  readonly apply?: boolean;
  readonly json?: boolean;
  readonly syntaxCheck: boolean;
  readonly runsDir?: string;
}

const refusedExitCode = 11;

const notes = `
The edits: blocks between conflict markers (path, original, replacement), unified diffs whose numbers may be wrong, or JSON
records: {"path", "old", "new"}, {"path", "text"} for a new file, {"path", "function", "text"}, {"path", "delete": true},
{"path", "to"}. All of them are made, or none.
Exit codes: 0 the edits fit (and with --apply are made)   ${refusedExitCode} one does not: nothing was changed
  2 wrong usage   3 infrastructure (disk)`;

export function addEditCommand(program: Command): void {
  program
    .command("edit")
    .description(
      "make edits as models write them, and print the unified diff; without --apply nothing is written",
    )
    .argument("[file]", "the edits; without it, or for `-`, they are read from standard input")
    .option("--repo <dir>", "the repository", ".")
    .option("--apply", "write the files: all or none")
    .option("--no-syntax-check", "make an edit even if more of a file does not parse afterwards")
    .option("--runs-dir <dir>", "the folder of all runs, for what a crash has to leave behind")
    .option("--json", "print one JSON document")
    .addHelpText("after", notes)
    .action(async (file: string | undefined, flags: EditFlags) => {
      process.exitCode = await edit(file, flags);
    });
}

async function edit(file: string | undefined, flags: EditFlags): Promise<number> {
  const repository = findRepository(flags.repo);
  const reply = file === undefined || file === "-" ? await readStream(process.stdin) : readText(file);
  const directory = await openEditFolder(repository, flags);
  if (!flags.apply) return show(await decide(repository, directory, reply, flags), flags);
  const release = lockRun(directory);
  try {
    const recovered = await recoverApply(directory);
    if (recovered !== undefined) process.stderr.write(`note: ${sanitizeForTerminal(recovered)}\n`);
    return show(await write(repository, directory, await decide(repository, directory, reply, flags)), flags);
  } finally {
    release();
  }
}

async function decide(
  repository: string,
  directory: string,
  reply: string,
  flags: EditFlags,
): Promise<EditOutcome> {
  const { edits, problems } = parseEdits(reply);
  if (problems.length > 0) return { ok: false, problems };
  const files = openTextFiles(repository, directory);
  return applyEdits(files, edits, flags.syntaxCheck ? {} : { findErrors: false });
}

async function write(repository: string, directory: string, outcome: EditOutcome): Promise<EditOutcome> {
  if (!outcome.ok) return outcome;
  const written = await writeTexts({ repository, directory, changes: outcome.changes });
  if (written.ok) return outcome;
  const problem: EditProblem = { edit: 0, kind: "refused", message: written.message, places: [] };
  return { ok: false, problems: [problem] };
}

function show(outcome: EditOutcome, { apply = false, json = false }: EditFlags): number {
  const exitCode = outcome.ok ? 0 : refusedExitCode;
  if (json) {
    const document = outcome.ok
      ? {
          ok: true,
          applied: apply,
          files: outcome.changes.map(nameChange),
          edits: outcome.done,
          diff: outcome.diff,
        }
      : { ok: false, applied: false, problems: outcome.problems };
    process.stdout.write(`${JSON.stringify({ schema: "millwright.edit/1", ...document }, null, 2)}\n`);
    return exitCode;
  }
  if (outcome.ok) {
    // A pipe gets the very bytes, for `git apply`.
    process.stdout.write(process.stdout.isTTY ? `${colourPatch(outcome.diff.trimEnd())}\n` : outcome.diff);
    return exitCode;
  }
  for (const { edit: number, message } of outcome.problems) {
    const name = number === 0 ? "" : `edit ${number}: `;
    process.stderr.write(`${name}${sanitizeForTerminal(message)}\n`);
  }
  process.stderr.write("Nothing was changed.\n");
  return exitCode;
}

function nameChange({ path, from, before, after }: FileChange) {
  const change =
    before === undefined
      ? "created"
      : after === undefined
        ? "deleted"
        : from !== undefined
          ? "renamed"
          : "changed";
  return { path, change, ...(from === undefined ? {} : { from }) };
}
