import { defineLanguageServer } from "../language-server.ts";

/**
 * Settings for diagnostics: gopls publishes nothing for a file without problems, and answers requests only with this
 * setting.
 */
const settings = { pullDiagnostics: true };

export default defineLanguageServer({
  name: "gopls",
  title: "gopls (Go)",
  languageIds: { ".go": "go" },
  programs: [{ program: "gopls", arguments: [], version: ["gopls", "version"] }],
  remedy: "Run `GOBIN=~/.local/share/millwright/servers/bin go install golang.org/x/tools/gopls@latest`.",
  // Sandboxes show the user's own cache read-only, and packages do not load with it.
  env: { GOCACHE: "{scratch}/go-build" },
  readiness: "at-once",
  explain: (refusal) =>
    refusal.includes("no package metadata")
      ? "the module did not load: download its dependencies with `go mod download`, because the sandbox has no network"
      : undefined,
  rootFiles: ["go.work", "go.mod"],
  initializationOptions: settings,
  settings: () => ({ gopls: settings }),
});
