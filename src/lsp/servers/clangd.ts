import { defineLanguageServer } from "../language-server.ts";

const clangArguments = ["--background-index", "--clang-tidy=false", "--log=error", "--limit-references=5000"];

export default defineLanguageServer({
  name: "clangd",
  title: "clangd (C and C++)",
  languageIds: {
    ".c": "c",
    ".h": "cpp",
    ".cc": "cpp",
    ".cpp": "cpp",
    ".cxx": "cpp",
    ".hh": "cpp",
    ".hpp": "cpp",
    ".hxx": "cpp",
  },
  programs: ["clangd", "clangd-22", "clangd-21", "clangd-20", "clangd-19", "clangd-18"].map((program) => ({
    program,
    arguments: clangArguments,
    version: [program, "--version"],
  })),
  remedy:
    "Debian: run `apt install clangd-19`. clangd reads compile_commands.json (CMake: -DCMAKE_EXPORT_COMPILE_COMMANDS=ON); without this file it knows only open files.",
  readiness: "progress",
});
