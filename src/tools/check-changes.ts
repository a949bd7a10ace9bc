/** Whether changes bring errors that a language server sees, before they are kept. */
import { checkDiagnostics } from "../edit/check-diagnostics.ts";
import type { EditProblem, FileChange } from "../edit/contract.ts";
import type { LanguageServers } from "../lsp/language-servers.ts";

export interface ChangesChecked {
  /** Errors that were not there before, in words, with their places. */
  readonly errors: readonly Omit<EditProblem, "edit">[];
  /** Who looked, or why nobody did. */
  readonly by: string;
  /** Why the errors may be none: the server lacks something of the project's. */
  readonly caution?: string;
}

/** Nothing is written: the server is shown the texts as they were, and as they would be. */
export async function checkChanges(
  servers: LanguageServers,
  changes: readonly FileChange[],
  signal: AbortSignal,
): Promise<ChangesChecked> {
  let failure: string | undefined;
  let by = "nobody: no text is left";
  let caution: string | undefined;
  const errors = await checkDiagnostics(changes, async (files) => {
    const seen = await servers.diagnose(files, { signal });
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
  return { errors, by, ...(caution === undefined ? {} : { caution }) };
}
