import { defineLanguageServer } from "../language-server.ts";

export default defineLanguageServer({
  name: "lua",
  title: "a language server for Lua",
  languageIds: { ".lua": "lua" },
  programs: [
    {
      program: "lua-language-server",
      arguments: ["--logpath={scratch}/lua-log", "--metapath={scratch}/lua-meta"],
      version: ["lua-language-server", "--version"],
    },
    { program: "emmylua_ls", arguments: [], version: ["emmylua_ls", "--version"] },
  ],
  remedy:
    "Install lua-language-server with your package manager, or cargo install --root ~/.local/share/millwright/servers emmylua_ls.",
  readiness: "progress",
  // emmylua_ls names every use a call, the definition itself too, and leaves out calls at the top of a file.
  lacks: ["callHierarchyProvider"],
  // lua-language-server publishes only what has changed.
  silentAfterMs: 3000,
});
