import { defineOutline } from "../outline.ts";
import { firstBranches, withoutMacros } from "../symbols/preprocessor.ts";
import {
  cFamilyDefinitions,
  cFamilyReferences,
  cNames,
  cParameter,
  cWords,
  isCFamilyTest,
  readInclude,
} from "./c-family.ts";

/**
 * The outline of C. C has its own grammar, because C++'s does not parse C's old-style definitions, and reserves
 * `class`, `new` and `template`.
 */
export default defineOutline({
  language: "c",
  extensions: [".c", ".h"],
  grammar: "tree-sitter-c/tree-sitter-c.wasm",
  words: cWords,
  names: cNames,
  query: `${cFamilyDefinitions(false)}${cFamilyReferences}`,
  builtin: new Set(["NULL", "size_t", "true", "false"]),
  isPublic: ({ header }) => !/^\s*(?:\w+\s+)*?static\b/.test(header.split("(", 1)[0] ?? ""),
  isTest: isCFamilyTest,
  isConstant: ({ header }) => /\bconst\b/.test(header.split("=", 1)[0] ?? ""),
  parameter: cParameter,
  imports: readInclude,
  readings: [withoutMacros, (text) => firstBranches(withoutMacros(text))],
});
