import { readFileSync } from "node:fs";
import { join } from "node:path";
import { textOf } from "../base/fields.ts";
import { packageFolder } from "../base/own-files.ts";

const manifest = readFileSync(join(packageFolder, "package.json"), "utf8");

/** Millwright's version, from its package.json; "unknown" if this file contains no version. */
export const version = textOf(JSON.parse(manifest), "version") ?? "unknown";
