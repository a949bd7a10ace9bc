/** Asks a language server whether planned changes of files cause new errors, before Millwright writes them. */
import { posix } from "node:path";
import { checkDiagnostics, type NewError } from "../edit/check-diagnostics.ts";
import type { EditableFiles, FileChange } from "../edit/contract.ts";
import { kindOfError } from "../edit/doubt-errors.ts";
import { isTestFile } from "../languages/source-files.ts";
import type { LanguageServers } from "../lsp/language-servers.ts";

export interface ChangesChecked {
  /** Messages about new errors, with their places. An error with a `doubt` does not block the changes. */
  readonly errors: readonly NewError[];
  /** The name of the checker, or the reason why there was none. */
  readonly by: string;
  /** A reason why the errors may be false, such as a missing part of the project. */
  readonly caution?: string;
}

export interface ChangesToCheck {
  readonly changes: readonly FileChange[];
  /** The current files. The changed files' neighbours show which kinds of errors are not new. */
  readonly files: EditableFiles;
}

/** Checks edits with a language server, which gets the old and the new texts of the changed files. Writes nothing. */
export async function checkChanges(
  servers: LanguageServers,
  { changes, files }: ChangesToCheck,
  signal: AbortSignal,
): Promise<ChangesChecked> {
  let failure: string | undefined;
  let by = "no checker: every changed file is deleted";
  let caution: string | undefined;
  const found = await checkDiagnostics(changes, async (texts) => {
    const seen = await servers.diagnose(texts, { signal });
    if (!seen.ok) {
      failure ??= seen.message;
      return [];
    }
    by = seen.value.by;
    caution ??= seen.value.caution;
    return seen.value.value;
  });
  // One of the two checks alone proves nothing.
  if (failure !== undefined) return { errors: [], by: `nobody: ${failure}` };
  const told = found.map(inTests);
  const errors = await besideNeighbours(servers, { changes, files }, told, signal);
  return { errors, by, ...(caution === undefined ? {} : { caution }) };
}

/**
 * Adds a doubt to errors in tests. The tests will run, which tells more than a server that may not know their
 * framework.
 */
function inTests(error: NewError): NewError {
  if (error.doubt !== undefined || error.path === undefined || !isTestFile(error.path)) return error;
  return { ...error, doubt: "a run of the tests shows more than the language server" };
}

/** Maximum number of neighbours to check for each file with an error. */
const mostNeighbours = 2;

async function besideNeighbours(
  servers: LanguageServers,
  { changes, files }: ChangesToCheck,
  errors: readonly NewError[],
  signal: AbortSignal,
): Promise<readonly NewError[]> {
  const taken = errors.flatMap(({ path, doubt }) =>
    doubt === undefined && path !== undefined ? [path] : [],
  );
  if (taken.length === 0) return errors;
  const changed = new Set(changes.map(({ path }) => path));
  const all = (await files.list()).filter((path) => !changed.has(path));
  const near = [...new Set(taken)].flatMap((path) => neighboursOf(path, all));
  if (near.length === 0) return errors;
  const seen = await servers.diagnose(
    [...new Set(near)].map((path) => ({ path })),
    { signal },
  );
  if (!seen.ok) return errors;
  const kinds = new Set(
    seen.value.value.filter(({ severity }) => severity === "error").map((each) => kindOfError(each)),
  );
  return errors.map((error) =>
    error.doubt === undefined && kinds.has(error.errorKind)
      ? { ...error, doubt: "other files in its folder have errors of this kind too" }
      : error,
  );
}

function neighboursOf(path: string, all: readonly string[]): string[] {
  const isNear = (other: string): boolean =>
    posix.dirname(other) === posix.dirname(path) && posix.extname(other) === posix.extname(path);
  return all.filter(isNear).slice(0, mostNeighbours);
}
