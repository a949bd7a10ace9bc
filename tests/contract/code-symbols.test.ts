/** What every language's outline promises, on the same program in each. */
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Definition, FileSymbols, Reference } from "../../src/domain/code-symbols.ts";
import { extractSymbols } from "../../src/syntax/symbols/extract-symbols.ts";
import { type CodeSymbolsFixture, codeSymbolsFixtures } from "./code-symbols.ts";

const repositories = join(import.meta.dirname, "../fixtures/repos");

async function read(fixture: CodeSymbolsFixture, file: string): Promise<FileSymbols> {
  const path = join(repositories, `graph-${fixture.name}`, file);
  const symbols = await extractSymbols(file, readFileSync(path, "utf8"));
  if (symbols === undefined) throw new Error(`no outline reads ${path}`);
  return symbols;
}

/** The definition with its place in the list; of a type's members where one is named. */
function find(symbols: FileSymbols, name: string, type?: string): { one: Definition; at: number } {
  const at = symbols.definitions.findIndex(
    (one) =>
      one.name === name &&
      (type === undefined || one.owner === type || symbols.definitions[one.container]?.name === type),
  );
  const one = symbols.definitions[at];
  if (one === undefined)
    throw new Error(`${name} of ${type} is not among ${symbols.definitions.map((other) => other.name)}`);
  return { one, at };
}

/** The references of a kind and name inside a definition, or in what is nested there. */
function uses(symbols: FileSymbols, within: number, kind: Reference["kind"], name: string): Reference[] {
  const inside = (index: number): boolean =>
    index === within || (index >= 0 && inside(symbols.definitions[index]?.container ?? -1));
  return symbols.references.filter((one) => one.kind === kind && one.name === name && inside(one.within));
}

describe.each(codeSymbolsFixtures)("$name", (fixture) => {
  test("its files are read without errors, in its language", async () => {
    const root = join(repositories, `graph-${fixture.name}`);
    const files = globSync("**/*.*", { cwd: root }).filter(
      (file) => !/\.(?:md|rst|json|toml|mod)$/.test(file),
    );
    expect(files.length).toBeGreaterThanOrEqual(4);
    for (const file of files) {
      const symbols = await read(fixture, file);
      expect([file, symbols.language, symbols.syntaxErrors, symbols.skipped]).toEqual([
        file,
        fixture.language,
        0,
        undefined,
      ]);
    }
  });

  test("types, their fields and their documentation", async () => {
    const parcel = find(await read(fixture, fixture.parcel.file), fixture.parcel.name).one;
    expect(parcel).toMatchObject({ kind: fixture.parcel.kind, container: -1, isPublic: true });
    expect(parcel.documentation).toContain("arcel that somebody sends.");
    const express = find(await read(fixture, fixture.express.file), fixture.express.name).one;
    expect(express).toMatchObject({ kind: fixture.express.kind, isPublic: true });
    expect(express.documentation).toContain("arcel that arrives tomorrow.");
    const { weight } = fixture;
    expect(find(await read(fixture, weight.file), weight.name, weight.type).one.kind).toBe("field");
  });

  test("methods, with their type, signature and number of parameters", async () => {
    for (const place of [fixture.base, fixture.price, fixture.override]) {
      const { one } = find(await read(fixture, place.file), place.name, place.type);
      expect(one.kind).toBe(place.type === undefined ? "function" : "method");
      expect(one.signature).toContain(place.name);
      expect(one.signature).not.toContain("{");
      expect(one.arity).toBe(place.type === undefined ? 1 : 0);
    }
  });

  test("functions, constants and enumerations of another file", async () => {
    const symbols = await read(fixture, fixture.surcharge.file);
    const surcharge = find(symbols, fixture.surcharge.name).one;
    expect(["function", "method"]).toContain(surcharge.kind);
    expect(surcharge).toMatchObject({ arity: 1 });
    expect(surcharge.isDeclaration).toBeUndefined();
    expect(surcharge.documentation).toContain("hat express costs on top.");
    expect(surcharge.endLine).toBeGreaterThan(surcharge.startLine);
    const limits = await read(fixture, fixture.limit.file);
    expect(find(limits, fixture.limit.name).one.kind).toBe("constant");
    const sizes = await read(fixture, fixture.size.file);
    expect(find(sizes, fixture.size.name).one.kind).toBe(fixture.size.kind);
    expect(find(sizes, "SMALL").one.kind).toBe(fixture.size.member);
  });

  test("local variables and parameters are neither definitions nor references", async () => {
    for (const place of [fixture.override, fixture.surcharge, fixture.test]) {
      const symbols = await read(fixture, place.file);
      const locals = symbols.definitions.filter((one) => ["extra", "parcel", "express"].includes(one.name));
      expect(locals).toEqual([]);
      const plain = symbols.references.filter((one) => one.receiver === undefined && one.kind === "name");
      expect(plain.map((one) => one.name)).not.toEqual(expect.arrayContaining(["extra"]));
      expect(plain.map((one) => one.name)).not.toEqual(expect.arrayContaining(["parcel"]));
    }
    const { definitions, references } = await read(fixture, fixture.surcharge.file);
    expect(definitions.map((one) => one.name)).not.toContain("weight");
    expect(references.map((one) => one.name)).not.toContain("weight");
  });

  test("calls, with their receiver, arguments and the function around them", async () => {
    const { base, price, override, surcharge, receivers } = fixture;
    const parcels = await read(fixture, price.file);
    const own = uses(parcels, find(parcels, price.name, price.type).at, "call", base.name);
    expect(own.map((call) => [call.receiver])).toEqual([[receivers.own]]);
    const symbols = await read(fixture, override.file);
    const { at } = find(symbols, override.name, override.type);
    const [call, ...more] = uses(symbols, at, "call", surcharge.name);
    expect(more).toEqual([]);
    expect(call).toMatchObject({ arity: 1 });
    expect(call?.receiver).toBe(receivers.surcharge);
    if (receivers.overridden !== undefined)
      expect(uses(symbols, at, "call", price.name)[0]?.receiver).toBe(receivers.overridden);
  });

  test("other uses of a name", async () => {
    const symbols = await read(fixture, fixture.surcharge.file);
    const { at } = find(symbols, fixture.surcharge.name);
    expect(uses(symbols, at, "name", fixture.limit.name)).toHaveLength(1);
  });

  test("inheritance", async () => {
    const { inherits, express } = fixture;
    if (inherits === undefined) return;
    const symbols = await read(fixture, inherits.file);
    const { at } = find(symbols, express.name);
    const found = symbols.references.filter((one) => one.kind === inherits.kind);
    expect(found.map((one) => [one.name, one.within])).toEqual([[inherits.name, at]]);
  });

  test("imports", async () => {
    const { file, source, name } = fixture.import;
    const found = (await read(fixture, file)).imports.filter((one) => one.source === source);
    expect(found.map((one) => one.name)).toEqual([name]);
  });

  test("tests, and what they call", async () => {
    const symbols = await read(fixture, fixture.test.file);
    const { one, at } = find(symbols, fixture.test.name);
    expect(one.isTest).toBe(true);
    expect(symbols.definitions.filter((other) => other.isTest)).toEqual([one]);
    expect(uses(symbols, at, "call", fixture.override.name).length).toBeGreaterThan(0);
  });

  test("documents, and what they name", async () => {
    const symbols = await read(fixture, "README.md");
    expect(symbols.language).toBe("markdown");
    expect(symbols.definitions.map((one) => [one.kind, one.name, one.container])).toEqual([
      ["section", "Parcels", -1],
      ["section", "Pricing", 0],
      ["section", "Sizes", 0],
    ]);
    expect(uses(symbols, 1, "name", fixture.surcharge.name)).toHaveLength(1);
    expect(uses(symbols, 2, "name", fixture.limit.name)).toHaveLength(1);
  });
});
