import type { ClientCapabilities } from "vscode-languageserver-protocol/node";

const everySymbolKind = Array.from({ length: 26 }, (_, index) => index + 1) as never[];

/**
 * The protocol's capabilities that Millwright supports. Positions count UTF-16 code units, which every server supports.
 */
export const clientCapabilities: ClientCapabilities = {
  general: { positionEncodings: ["utf-16"] },
  workspace: {
    configuration: true,
    workspaceFolders: true,
    applyEdit: false,
    didChangeConfiguration: { dynamicRegistration: false },
    didChangeWatchedFiles: { dynamicRegistration: true },
    symbol: { symbolKind: { valueSet: everySymbolKind } },
    workspaceEdit: { documentChanges: true },
    diagnostics: { refreshSupport: true },
  },
  textDocument: {
    synchronization: { didSave: true },
    definition: { linkSupport: true },
    references: {},
    hover: { contentFormat: ["markdown", "plaintext"] },
    documentSymbol: {
      hierarchicalDocumentSymbolSupport: true,
      symbolKind: { valueSet: everySymbolKind },
    },
    callHierarchy: { dynamicRegistration: true },
    typeHierarchy: {},
    rename: { prepareSupport: true },
    publishDiagnostics: { versionSupport: true, codeDescriptionSupport: false },
    diagnostic: { dynamicRegistration: true, relatedDocumentSupport: false },
  },
  window: { workDoneProgress: true },
};
