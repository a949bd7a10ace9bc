import type { Collection } from "../contract.ts";

/** The setting by which a manifest names test files. Cargo itself finds the files in `tests/`. */
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
