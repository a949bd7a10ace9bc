/** Defines what the rules of a package format say about a tree: which files and packages a published package lacks. */

/** The files of a base or of a patched base. */
export interface Tree {
  readonly has: (path: string) => boolean;
  readonly list: () => readonly string[];
  readonly read: (path: string) => Promise<string | undefined>;
}

/** Something that a published file uses and that the published package does not have. */
export interface Lack {
  /** A file by its path, or a package by its name. */
  readonly needed: string;
  /** The reason, as the continuation of "FILE uses `NEEDED`, which". */
  readonly because: string;
}

export interface PackageFormat {
  /** Sources that the format publishes. */
  readonly sources: RegExp;
  /** Files that decide what is published. */
  readonly manifests: RegExp;
  /** The parts of a manifest that decide it; a new version changes none of them. */
  readonly readRules: (path: string, text: string) => string;
  /** Empty for a file that is not published, or whose package's contents are unknown. */
  readonly listLacks: (path: string, tree: Tree) => Promise<readonly Lack[]>;
}
