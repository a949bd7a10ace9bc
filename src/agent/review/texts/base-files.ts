/** Reads the base's files, for checks that compare a change with the rest of the project. */
import type { TextContext } from "../contract.ts";

/**
 * Maximum number of the base's files to search for a name. Large repositories have 20,000 sources. A file that is not
 * read would make a known name count as new.
 */
export const mostSearched = 50_000;

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
