/** Answers a server's requests to Millwright. Refuses to edit files and to show anything to the user. */

import {
  ApplyWorkspaceEditRequest,
  ConfigurationRequest,
  DiagnosticRefreshRequest,
  type ProtocolConnection,
  RegistrationRequest,
  ShowDocumentRequest,
  ShowMessageRequest,
  UnregistrationRequest,
  WorkDoneProgressCreateRequest,
  WorkspaceFoldersRequest,
} from "vscode-languageserver-protocol/node";
import { fieldOf } from "../base/fields.ts";

export interface ServerRequestsOptions {
  readonly protocol: ProtocolConnection;
  readonly settings: Readonly<Record<string, unknown>>;
  readonly root: { readonly uri: string; readonly name: string };
  /** Receives each method that the server registers after its start. */
  readonly onRegistered: (method: string) => void;
}

export function answerServerRequests({
  protocol,
  settings,
  root,
  onRegistered,
}: ServerRequestsOptions): void {
  protocol.onRequest(ConfigurationRequest.type, ({ items }) =>
    items.map(({ section }) => settingOf(settings, section)),
  );
  protocol.onRequest(RegistrationRequest.type, ({ registrations }) => {
    for (const { method } of registrations) onRegistered(method);
  });
  protocol.onRequest(UnregistrationRequest.type, () => {});
  protocol.onRequest(ApplyWorkspaceEditRequest.type, () => ({
    applied: false,
    failureReason: "only the caller applies edits",
  }));
  protocol.onRequest(ShowMessageRequest.type, () => null);
  protocol.onRequest(ShowDocumentRequest.type, () => ({ success: false }));
  protocol.onRequest(WorkDoneProgressCreateRequest.type, () => {});
  protocol.onRequest(WorkspaceFoldersRequest.type, () => [root]);
  protocol.onRequest(DiagnosticRefreshRequest.type, () => {});
  for (const kind of ["semanticTokens", "inlayHint", "codeLens", "inlineValue", "foldingRange"]) {
    protocol.onRequest(`workspace/${kind}/refresh`, () => null);
  }
}

/**
 * Returns a setting. `a.b` is the field `b` of `a`, unless `a.b` itself exists. An unset value is null, which means the
 * server's own default.
 */
function settingOf(settings: Readonly<Record<string, unknown>>, section: string | undefined): unknown {
  if (section === undefined || section === "") return settings;
  if (section in settings) return settings[section];
  let value: unknown = settings;
  for (const name of section.split(".")) {
    value = fieldOf(value, name);
  }
  return value ?? null;
}
