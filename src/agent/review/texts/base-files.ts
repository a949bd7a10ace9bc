/** Reads the base's files, for checks that compare a change with the rest of the project. */
import type { TextContext } from "../contract.ts";

export interface BaseFiles {
  readonly list: () => Promise<readonly string[]>;
  readonly read: (path: string) => Promise<string | undefined>;
}

export function baseFiles({ trees, base }: TextContext["workspace"]): BaseFiles {
  return {
    list: async () => (await trees.list(base)).map(({ path }) => path),
    read: async (path) => (await trees.read(base, path))?.toString("utf8"),
  };
}
