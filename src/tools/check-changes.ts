/** Whether changes bring errors that a language server sees, before they are kept. */
import { checkDiagnostics } from "../edit/check-diagnostics.ts";
import type { FileChange } from "../edit/contract.ts";
import type { CodeContext } from "./contract.ts";

export interface ChangesChecked {
  /** Errors that were not there before, in words, with their places. */
  readonly errors: readonly string[];
  /** Who looked, or why nobody did. */
  readonly by: string;
  /** Why the errors may be none: the server lacks something of the project's. */
  readonly caution?: string;
}

/** Nothing is written: the server is shown the texts as they were, and as they would be. */
export async function checkChanges(
  context: CodeContext,
  changes: readonly FileChange[],
): Promise<ChangesChecked> {
  const servers = await context.servers();
  let failure: string | undefined;
  let by = "nobody: no text is left";
  let caution: string | undefined;
  const problems = await checkDiagnostics(changes, async (files) => {
    const seen = await servers.diagnose(files, { signal: context.signal });
    if (!seen.ok) {
      failure ??= seen.message;
      return [];
    }
    by = seen.value.by;
    caution ??= seen.value.caution;
    return seen.value.value;
  });
  // Of two looks, one alone says nothing.
  if (failure !== undefined) return { errors: [], by: `nobody: ${failure}` };
  const errors = problems.map(({ message }) => message);
  return { errors, by, ...(caution === undefined ? {} : { caution }) };
}
