/** Whether changes bring errors that a language server sees (AutoDiff: MarsCode Agent 2024, the check before an edit is kept). */
import type { CodeDiagnostic } from "../domain/code-intelligence.ts";
import { findNewErrors, type SeenDiagnostic } from "../edit/compare-diagnostics.ts";
import type { FileChange } from "../edit/contract.ts";
import { extractSymbols } from "../syntax/symbols/extract-symbols.ts";
import type { CodeContext } from "./contract.ts";

export interface ChangesChecked {
  /** Errors that were not there before. */
  readonly errors: readonly CodeDiagnostic[];
  /** Who looked, or why nobody did. */
  readonly by: string;
}

type Text = { readonly path: string; readonly text: string };

/** Nothing is written: the server is shown the texts as they were, and as they would be. */
export async function checkChanges(
  context: CodeContext,
  changes: readonly FileChange[],
): Promise<ChangesChecked> {
  const servers = await context.servers();
  if (!servers.ok) return { errors: [], by: `nobody: ${servers.message}` };
  const textsOf = (which: "before" | "after"): Text[] =>
    changes.flatMap(({ path, from = path, [which]: text }) => {
      return text === undefined ? [] : [{ path: which === "before" ? from : path, text }];
    });
  const [before, after] = [textsOf("before"), textsOf("after")];
  const options = { signal: context.signal };
  const was = before.length === 0 ? undefined : await servers.value.diagnose(before, options);
  if (was?.ok === false) return { errors: [], by: `nobody: ${was.message}` };
  const is = after.length === 0 ? undefined : await servers.value.diagnose(after, options);
  if (is === undefined || !is.ok) return { errors: [], by: `nobody: ${is?.message ?? "no text is left"}` };
  const renames = new Map(changes.map(({ path, from = path }) => [from, path]));
  const known = await withSymbols(was?.value.value ?? [], before);
  const found = findNewErrors(known, await withSymbols(is.value.value, after), renames);
  return { errors: found.map(({ diagnostic }) => diagnostic as CodeDiagnostic), by: is.value.by };
}

/** Each with the definition that it stands in, by which it is known again when lines have shifted. */
async function withSymbols(
  diagnostics: readonly CodeDiagnostic[],
  texts: readonly Text[],
): Promise<SeenDiagnostic[]> {
  const symbols = new Map(
    await Promise.all(
      texts.map(
        async ({ path, text }) => [path, (await extractSymbols(path, text))?.definitions ?? []] as const,
      ),
    ),
  );
  return diagnostics.map((diagnostic) => {
    const { line } = diagnostic.range.start;
    const around = (symbols.get(diagnostic.path) ?? []).filter(
      ({ startLine, endLine }) => startLine <= line && line <= endLine,
    );
    const symbol = around.map(({ name }) => name).join(".");
    return symbol === "" ? { diagnostic } : { diagnostic, symbol };
  });
}
