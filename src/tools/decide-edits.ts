/** Edits read, matched and checked: what is to be written, or why nothing is. The one way in for every author of edits. */
import { applyEdits } from "../edit/apply-edits.ts";
import type { EditableFiles, EditOutcome } from "../edit/contract.ts";
import { parseEdits } from "../edit/parse-edits.ts";
import type { LanguageServers } from "../lsp/language-servers.ts";
import { type ChangesChecked, checkChanges } from "./check-changes.ts";

/** When a language server sees new errors that nothing makes doubtful: nothing is changed; it is changed and said; or nobody looks. */
export const checkKinds = ["refuse", "report", "off"] as const;
export type CheckKind = (typeof checkKinds)[number];

export interface EditRequest {
  /** As models write edits. */
  readonly text: string;
  readonly files: EditableFiles;
  readonly check: CheckKind;
  /** Asked only where the edits fit; `paths` are the files that get a new text. */
  readonly servers: (paths: readonly string[]) => Promise<LanguageServers>;
  readonly signal: AbortSignal;
  /** False: more of a file may not parse afterwards. Default true. */
  readonly syntaxCheck?: boolean;
}

/** `checked` is undefined where nobody was to look, or the edits do not fit. */
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
