import { readFileSync } from "node:fs";

const manifest = readFileSync(new URL("../../package.json", import.meta.url), "utf8");

/** Millwright's version, from its package.json (two folders up from here, in a checkout and in the package). */
export const { version } = JSON.parse(manifest) as { readonly version: string };
