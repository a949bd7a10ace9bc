/** The base's files, for checks that need to know what the project does elsewhere. */
import type { Workspace } from "../../workspace/contract.ts";

export interface BaseFiles {
  readonly list: () => Promise<readonly string[]>;
  readonly read: (path: string) => Promise<string | undefined>;
}

export function baseFiles({ trees, base }: Pick<Workspace, "trees" | "base">): BaseFiles {
  return {
    list: async () => (await trees.list(base)).map(({ path }) => path),
    read: async (path) => (await trees.read(base, path))?.toString("utf8"),
  };
}
