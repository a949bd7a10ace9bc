/** The settings that tell JavaScript's runners which files are tests. */
import type { Collection } from "../contract.ts";

export const jestCollects: Collection = {
  usual: ["**/__tests__/**/*.{js,jsx,ts,tsx,mjs,cjs}", "**/*.{spec,test}.{js,jsx,ts,tsx,mjs,cjs}"],
  configured: ["jest.config.*", "package.json"].flatMap((file) => [
    { file: `**/${file}`, setting: /\btestMatch["']?\s*:\s*\[([^\]]*)\]/, as: "paths" as const },
    {
      file: `**/${file}`,
      setting: /\btestRegex["']?\s*:\s*(\[[^\]]*\]|"[^"\n]*"|'[^'\n]*')/,
      as: "regexes" as const,
    },
  ]),
};

export const vitestCollects: Collection = {
  usual: ["**/*.{test,spec}.{js,jsx,ts,tsx,mjs,cjs,mts,cts}"],
  configured: [
    {
      file: "**/{vitest,vite}.config.*",
      setting: /(?<!\b(?:coverage|typecheck|benchmark)\s*:\s*\{[^}]*)\binclude\s*:\s*\[([^\]]*)\]/,
      as: "paths",
    },
  ],
};

export const mochaCollects: Collection = {
  usual: ["test/*.{js,cjs,mjs}"],
  configured: [
    {
      file: "**/{.mocharc.*,package.json}",
      setting: /["']?\bspec["']?\s*:\s*(\[[^\]]*\]|"[^"\n]*"|'[^'\n]*'|[^\s"'[{][^\n]*|(?:\n\s*-[^\n]+)+)/,
      as: "paths",
    },
  ],
};

export const avaCollects: Collection = {
  usual: [],
  configured: [{ file: "**/ava.config.*", setting: /\bfiles\s*:\s*\[([^\]]*)\]/, as: "paths" }],
};
