import { textOf } from "../../base/fields.ts";
import { defineLanguageServer } from "../language-server.ts";

export default defineLanguageServer({
  name: "pyright",
  title: "Pyright (Python)",
  languageIds: { ".py": "python", ".pyi": "python" },
  programs: [
    // The server itself has no --version; the checker of the same package has one.
    { program: "basedpyright-langserver", arguments: ["--stdio"], version: ["basedpyright", "--version"] },
    { program: "pyright-langserver", arguments: ["--stdio"], version: ["pyright", "--version"] },
  ],
  remedy:
    "Run `npm install --prefix ~/.local/share/millwright/servers pyright`, or `pip install basedpyright` in the project's environment.",
  // Until the project's files are listed, questions about uses are answered from open files only.
  readiness: {
    notification: "window/logMessage",
    isReady: (parameters) =>
      /^(?:Found \d+ source files?|No source files found)/.test(textOf(parameters, "message") ?? ""),
  },
  settings({ root, exists }) {
    const own = [".venv", "venv", "env"].find((folder) => exists(`${folder}/bin/python`));
    const interpreter = own === undefined ? {} : { pythonPath: `${root}/${own}/bin/python` };
    return {
      python: { ...interpreter, analysis: { autoSearchPaths: true, diagnosticMode: "openFilesOnly" } },
    };
  },
});
