import { expect, test } from "vitest";
import type { Definition, FileSymbols, Import, Reference } from "../../src/domain/code-symbols.ts";
import { extractSymbols } from "../../src/syntax/symbols/extract-symbols.ts";
import { outlineRows } from "./outline-rows.ts";

function writeDefinition(one: Definition, all: readonly Definition[]): string {
  const path = [one.name];
  for (let around = all[one.container]; around !== undefined; around = all[around.container])
    path.unshift(around.name);
  if (one.container === -1 && one.owner !== undefined) path.unshift(one.owner);
  return `${one.kind} ${path.join(".")}${one.isPublic ? "*" : ""}${one.isTest ? "!" : ""}`;
}

function writeReference({ kind, receiver, name, arity, receiverType }: Reference): string {
  const before = receiver === undefined ? "" : `${receiver}.`;
  const after = receiverType === undefined ? "" : `{${receiverType}}`;
  return `${kind} ${before}${name}${arity === undefined ? "" : `/${arity}`}${after}`;
}

function writeImport({ source, name = "", alias = "", exported }: Import): string {
  return `${source}:${name} as ${alias}${exported ? "*" : ""}`;
}

test.each(outlineRows)("$file: $says", async ({ file, text, definitions, references, imports }) => {
  const found = await extractSymbols(file, `${text.replaceAll("⏎", "\n")}\n`);
  const symbols = found as FileSymbols;
  expect(symbols.definitions.map((one) => writeDefinition(one, symbols.definitions))).toEqual(
    expect.arrayContaining([...(definitions ?? [])]),
  );
  expect(symbols.references.map(writeReference)).toEqual(expect.arrayContaining([...(references ?? [])]));
  if (imports !== undefined) expect(symbols.imports.map(writeImport)).toEqual(imports);
});
