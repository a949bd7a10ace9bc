import { defineLanguageServer } from "../language-server.ts";

export default defineLanguageServer({
  name: "lua",
  title: "lua-language-server or emmylua_ls (Lua)",
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
    "Install lua-language-server with your package manager, or run `cargo install --root ~/.local/share/millwright/servers emmylua_ls`.",
  readiness: "progress",
  // emmylua_ls reports every use as a call, even the definition itself, and omits calls at the top level of a file.
  lacks: ["callHierarchyProvider"],
  // lua-language-server publishes only changes.
  silentAfterMs: 3000,
});
