import { readFileSync } from "node:fs";
import { z } from "zod";

const manifest = z.object({ version: z.string() });

/** Millwright's version, from its package.json (two folders up from here, in a checkout and in the package). */
export const version = manifest.parse(
  JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8")),
).version;
