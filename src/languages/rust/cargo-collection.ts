import type { Collection } from "../contract.ts";

/** Test files that the manifest names. Cargo itself finds the files in `tests/`. */
export const cargoCollects: Collection = {
  usual: [],
  configured: [
    {
      file: "**/Cargo.toml",
      setting: /\[\[(?:test|bench)\]\](?:(?!\n\s*\[)[\s\S])*?^path\s*=\s*("[^"\n]*")/m,
      as: "paths",
    },
  ],
};
