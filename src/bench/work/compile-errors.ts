/** Counts Rust's compile errors during a run, by code, as Rust-SWE-bench does (its Table 4). */
import { z } from "zod";
import type { Said } from "./test-steps.ts";

const countsSchema = z.record(z.string(), z.int());
export const compileErrorsSchema = z.object({
  /** Numbers of errors by code, such as E0599, while a reproduction was written or ran. `other`: at other times. */
  reproduction: countsSchema,
  other: countsSchema,
});
export type CompileErrors = z.infer<typeof compileErrorsSchema>;

/**
 * Counts the compile errors in outputs; undefined if there are none. If several tests fail because of the same build,
 * counts the build's errors once.
 */
export function compileErrorsOf(said: readonly Said[]): CompileErrors | undefined {
  const isReproducing = ({ isReproduction, runsOwnFile }: Said): boolean => isReproduction || runsOwnFile;
  const count = (inReproduction: boolean): Record<string, number> =>
    countEach(said.filter((each) => isReproducing(each) === inReproduction).flatMap(codesOf));
  const found = { reproduction: count(true), other: count(false) };
  const isEmpty = Object.values(found).every((codes) => Object.keys(codes).length === 0);
  return isEmpty ? undefined : found;
}

function codesOf({ texts }: Said): string[] {
  return texts.flatMap((text) => [...text.matchAll(/^error\[(E\d{4})\]/gm)].map(([, code = ""]) => code));
}

function countEach(names: readonly string[]): Record<string, number> {
  return Object.fromEntries([...Map.groupBy(names, (name) => name)].map(([name, own]) => [name, own.length]));
}

/** Rust-SWE-bench's two groups of compile errors, by code. */
export const errorGroups: Readonly<Record<string, ReadonlySet<string>>> = {
  "structure of the repository": new Set(["E0433", "E0432", "E0425", "E0412", "E0405"]),
  "types and traits": new Set(["E0599", "E0308", "E0277", "E0407"]),
};
