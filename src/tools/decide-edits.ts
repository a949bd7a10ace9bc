/**
 * Reads, matches and checks edits. Returns the changes to write, or the problems. All authors of edits (models, users)
 * must use this module.
 */
import { applyEdits } from "../edit/apply-edits.ts";
import type { EditableFiles, EditOutcome } from "../edit/contract.ts";
import { parseEdits } from "../edit/parse-edits.ts";
import type { LanguageServers } from "../lsp/language-servers.ts";
import { type ChangesChecked, checkChanges } from "./check-changes.ts";

/**
 * Reactions to new errors that a language server reports with certainty:
 * - `refuse`: refuses the edits, unless the server's answer has a caution
 * - `report`: makes the edits, and reports the errors
 * - `off`: does not check the edits
 */
export const checkKinds = ["refuse", "report", "off"] as const;
export type CheckKind = (typeof checkKinds)[number];

export interface EditRequest {
  /** The edits, in the form in which models write them. */
  readonly text: string;
  readonly files: EditableFiles;
  readonly check: CheckKind;
  /** Opens the servers. Called only if the edits fit and `check` is not `off`. `paths`: the files with a new text. */
  readonly servers: (paths: readonly string[]) => Promise<LanguageServers>;
  readonly signal: AbortSignal;
  /** False to accept edits after which fewer lines of a file parse. Default true. */
  readonly syntaxCheck?: boolean;
}

/**
 * The decision on edits. `checked` is undefined if the request has `check: "off"`, or if the edits do not fit the
 * files.
 */
export type EditDecision = EditOutcome & { readonly checked?: ChangesChecked };

export async function decideEdits(request: EditRequest): Promise<EditDecision> {
  const { edits, problems } = parseEdits(request.text);
  if (problems.length > 0) return { ok: false, problems };
  const options = request.syntaxCheck === false ? { findErrors: false as const } : {};
  const outcome = await applyEdits(request.files, edits, options);
  if (!outcome.ok || request.check === "off") return outcome;
  const { changes } = outcome;
  const paths = changes.flatMap(({ path, after }) => (after === undefined ? [] : [path]));
  const checked = await checkChanges(
    await request.servers(paths),
    { changes, files: request.files },
    request.signal,
  );
  const certain = checked.errors.filter(({ doubt }) => doubt === undefined);
  const isRefused = certain.length > 0 && request.check === "refuse" && checked.caution === undefined;
  if (!isRefused) return { ...outcome, checked };
  return { ok: false, problems: certain.map((problem) => ({ ...problem, edit: 0 })), checked };
}
