import type { Collection } from "../contract.ts";

/** Files of tests that Cargo is told of; those below `tests/` it finds by itself. */
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
