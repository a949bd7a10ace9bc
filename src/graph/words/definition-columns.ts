/**
 * Definitions on their way from the thread that found them to the rows that they become: numbers in one array and texts in one
 * string, for objects cost more to hand over than to find.
 */
import type { Definition } from "../../domain/code-symbols.ts";
import { identifyDefinitions } from "../store/identify.ts";
import { flagsOfDefinition, kindNumbers } from "../store/schema.ts";

export interface DefinitionColumns {
  /** Of each definition: container in its file or -1, kind, start line, end line, line, column, flags. */
  readonly numbers: Int32Array;
  /** Of each definition: name, qualified name, disambiguator, signature; `betweenTexts` between all. */
  readonly texts: string;
}

export const numbersOfOne = 7;
export const textsOfOne = 4;
/** No name or signature has it. */
const betweenTexts = "\0";

export interface ColumnsBuilder {
  add(language: string, definitions: readonly Definition[]): void;
  /** All that were added; it begins anew. */
  take(): DefinitionColumns;
}

export function createColumns(): ColumnsBuilder {
  let [numbers, texts] = [[] as number[], [] as string[]];
  return {
    add(language, definitions) {
      const identities = identifyDefinitions(language, definitions);
      for (const [index, one] of definitions.entries()) {
        const { qualified = one.name, disambiguator = "" } = identities[index] ?? {};
        numbers.push(one.container, kindNumbers.get(one.kind) ?? 0, one.startLine, one.endLine);
        numbers.push(one.at.line, one.at.column, flagsOfDefinition(one, 0));
        texts.push(one.name, qualified, disambiguator, one.signature);
      }
    },
    take() {
      const columns = { numbers: Int32Array.from(numbers), texts: texts.join(betweenTexts) };
      [numbers, texts] = [[], []];
      return columns;
    },
  };
}

export function splitTexts({ texts }: DefinitionColumns): readonly string[] {
  return texts.split(betweenTexts);
}
