import type { Collection } from "../contract.ts";

/** Test files that the manifest names; Cargo finds those below `tests/` itself. */
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
