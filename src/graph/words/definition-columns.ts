/**
 * The form in which a thread passes definitions to the main thread: numbers in one array, and texts in one string.
 * Transferring objects would take longer than finding the definitions.
 */
import type { Definition } from "../../domain/code-symbols.ts";
import type { Identified } from "../store/identify.ts";
import { definitionKindOf, flagsOfDefinition, kindNumbers } from "../store/schema.ts";

export interface DefinitionColumns {
  readonly numbers: Int32Array;
  /** The texts, separated by `betweenTexts`. */
  readonly texts: string;
}

/** A definition read from the columns. */
export interface ColumnDefinition extends Identified {
  readonly kindNumber: number;
  readonly startLine: number;
  readonly endLine: number;
  readonly line: number;
  readonly column: number;
  /** A sum of `entityFlags`, without the flags that follow from the definition's file. */
  readonly flags: number;
  readonly signature: string;
}

/** A separator that no name or signature contains. */
const betweenTexts = "\0";
const numbersOfOne = 7;
const textsOfOne = 3;

export interface ColumnsBuilder {
  add(definitions: readonly Definition[]): void;
  /** Returns all added definitions and starts anew. */
  take(): DefinitionColumns;
}

export function createColumns(): ColumnsBuilder {
  let numbers: number[] = [];
  let texts: string[] = [];
  return {
    add(definitions) {
      for (const one of definitions) {
        numbers.push(one.container, kindNumbers.get(one.kind) ?? 0, one.startLine, one.endLine);
        numbers.push(one.at.line, one.at.column, flagsOfDefinition(one, 0));
        texts.push(one.name, one.owner ?? "", one.signature);
      }
    },
    take() {
      const columns = { numbers: Int32Array.from(numbers), texts: texts.join(betweenTexts) };
      [numbers, texts] = [[], []];
      return columns;
    },
  };
}

/**
 * Returns a function that reads the definitions file by file. Each call returns the next `count` definitions, in the
 * order in which they were added.
 */
export function openColumns(columns: DefinitionColumns): (count: number) => ColumnDefinition[] {
  const texts = columns.texts.split(betweenTexts);
  let row = 0;
  return (count) => Array.from({ length: count }, () => readDefinition(columns.numbers, texts, row++));
}

function readDefinition(numbers: Int32Array, texts: readonly string[], row: number): ColumnDefinition {
  const [at, text] = [row * numbersOfOne, row * textsOfOne];
  const number = (offset: number): number => numbers[at + offset] ?? 0;
  const owner = texts[text + 1] ?? "";
  const one = {
    container: number(0),
    kindNumber: number(1),
    kind: definitionKindOf(number(1)),
    startLine: number(2),
    endLine: number(3),
    line: number(4),
    column: number(5),
    flags: number(6),
    name: texts[text] ?? "",
    signature: texts[text + 2] ?? "",
  };
  return owner === "" ? one : { ...one, owner };
}
