import { extname } from "node:path";
import { text as readStream } from "node:stream/consumers";
import { type Command, Option } from "commander";
import { lockRun } from "../../agent/run/run-store.ts";
import { sanitizeForTerminal } from "../../base/terminal-text.ts";
import type { EditProblem, FileChange } from "../../edit/contract.ts";
import { absentServers } from "../../lsp/with-fallback.ts";
import { openEditFolder } from "../../session/edit-folder.ts";
import { createLazyServers } from "../../session/lazy-servers.ts";
import { findRepository } from "../../session/repository.ts";
import { serversOf } from "../../session/servers-of.ts";
import { type CheckKind, checkKinds, decideEdits, type EditDecision } from "../../tools/decide-edits.ts";
import { recoverApply } from "../../workspace/apply-journal.ts";
import { openTextFiles } from "../../workspace/text-files.ts";
import { writeTexts } from "../../workspace/write-texts.ts";
import { hostOf } from "../host.ts";
import { withInterrupts } from "../interrupt.ts";
import { readSettings } from "../load-settings.ts";
import { colourPatch } from "../output.ts";
import { runsDirectoryFromFlags } from "../runs-directory.ts";
import { addSettingFlags, solvingOnly } from "../setting-flags.ts";
import { readText } from "../task-arguments.ts";

interface EditFlags {
  readonly repo: string;
  readonly apply?: boolean;
  readonly json?: boolean;
  readonly syntaxCheck: boolean;
  readonly check: CheckKind;
  readonly runsDir?: string;
  readonly [setting: string]: unknown;
}

const refusedExitCode = 11;

const notes = `
The edits: blocks between conflict markers (path, original, replacement), unified diffs even with wrong line numbers, or JSON
records: {"path", "old", "new"}, {"path", "text"} for a new file, {"path", "function", "text"}, {"path", "delete": true},
{"path", "to"}. The command makes all edits or none. A language server first checks the new texts in the sandbox. Standard error says if no server is available.
Exit codes: 0 the edits fit (and with --apply are made)   ${refusedExitCode} an edit does not fit, or causes errors: nothing was changed
2 wrong usage   3 infrastructure (disk)   130 interrupted`;

export function addEditCommand(program: Command): void {
  const command = program
    .command("edit")
    .description(
      "apply edits as models write them, and print the unified diff; write the files only with --apply",
    )
    .argument("[file]", "a file with the edits; default, or `-`: standard input")
    .option("--repo <dir>", "the repository", ".")
    .option("--apply", "write the files: all or none")
    .addOption(new Option("--dry-run", "write no file (the default)").conflicts("apply"))
    .option("--no-syntax-check", "make an edit even if it causes syntax errors")
    .addOption(
      new Option(
        "--check <how>",
        "if the language server reports new errors: refuse the edits, or only report the errors; off: do not ask the server",
      )
        .choices(checkKinds)
        .default("refuse"),
    )
    .option("--json", "print one JSON document")
    .addHelpText("after", notes);
  addSettingFlags(command, [...solvingOnly, "maxTime", "testCommand", "testTimeout"]);
  command.action(async (file: string | undefined, flags: EditFlags) => {
    process.exitCode = await edit(file, flags);
  });
}

async function edit(file: string | undefined, flags: EditFlags): Promise<number> {
  const repository = findRepository(flags.repo);
  const reply = file === undefined || file === "-" ? await readStream(process.stdin) : readText(file);
  const directory = await openEditFolder(repository, runsDirectoryFromFlags(flags));
  if (!flags.apply) return show(await decide(repository, directory, reply, flags), flags);
  const recovered = await locked(directory, () => recoverApply(directory));
  if (recovered !== undefined) process.stderr.write(`note: ${sanitizeForTerminal(recovered)}\n`);
  // A language server takes time, but the files need not stay locked: changes meanwhile are detected on writing.
  const decision = await decide(repository, directory, reply, flags);
  return show(await locked(directory, () => write(repository, directory, decision)), flags);
}

async function locked<T>(directory: string, work: () => Promise<T>): Promise<T> {
  const release = lockRun(directory);
  try {
    return await work();
  } finally {
    release();
  }
}

async function decide(
  repository: string,
  directory: string,
  reply: string,
  flags: EditFlags,
): Promise<EditDecision> {
  const { repo: _, apply, json, syntaxCheck, check, ...given } = flags;
  const settings = readSettings(repository, given);
  const host = hostOf();
  const files = openTextFiles(repository, directory, host.environment.HOME);
  return withInterrupts(async (signal) => {
    const lazy = createLazyServers({ host, repository, settings, signal });
    try {
      return await decideEdits({
        text: reply,
        files,
        check,
        syntaxCheck,
        signal,
        // Files without a known server need no copy of the repository.
        servers: async (paths) =>
          isKnown(repository, paths)
            ? lazy.of(await files.list())
            : absentServers(`No language server is installed for ${paths.map(nameKind).join(", ")}.`),
      });
    } finally {
      await lazy.close();
    }
  });
}

function isKnown(repository: string, paths: readonly string[]): boolean {
  const records = serversOf(hostOf().environment, repository);
  return paths.some((path) => records.some(({ languageIds }) => extname(path) in languageIds));
}

function nameKind(path: string): string {
  return extname(path) || path;
}

async function write(repository: string, directory: string, decision: EditDecision): Promise<EditDecision> {
  if (!decision.ok) return decision;
  const written = await writeTexts({ repository, directory, changes: decision.changes });
  if (written.ok) return decision;
  const problem: EditProblem = { edit: 0, kind: "refused", message: written.message, places: [] };
  return { ok: false, problems: [problem] };
}

function show(decision: EditDecision, { apply = false, json = false, check }: EditFlags): number {
  const exitCode = decision.ok ? 0 : refusedExitCode;
  const { checked } = decision;
  const newErrors = (checked?.errors ?? []).map(({ message }) => message);
  if (json) {
    const seen = { checkedBy: checked?.by ?? null, newErrors };
    const document = decision.ok
      ? {
          ok: true,
          applied: apply,
          files: decision.changes.map(nameChange),
          edits: decision.done,
          diff: decision.diff,
          ...seen,
        }
      : { ok: false, applied: false, problems: decision.problems, ...seen };
    process.stdout.write(`${JSON.stringify({ schema: "millwright.edit/1", ...document }, null, 2)}\n`);
    return exitCode;
  }
  if (check === "off" && decision.ok)
    process.stderr.write("no language server checked the edits (--check off)\n");
  if (checked !== undefined) process.stderr.write(`checked by ${sanitizeForTerminal(checked.by)}\n`);
  if (decision.ok) {
    for (const message of newErrors) process.stderr.write(`new error: ${sanitizeForTerminal(message)}\n`);
    // A pipe gets the exact bytes, for `git apply`.
    const { diff } = decision;
    process.stdout.write(process.stdout.isTTY ? `${colourPatch(diff.trimEnd())}\n` : Buffer.from(diff));
    return exitCode;
  }
  for (const { edit: number, message } of decision.problems) {
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
