import { readFileSync } from "node:fs";
import { join } from "node:path";
import { textOf } from "../base/fields.ts";
import { packageFolder } from "../base/own-files.ts";

const manifest = readFileSync(join(packageFolder, "package.json"), "utf8");

/** The version of Millwright, from its package.json; "unknown" if that file states none. */
export const version = textOf(JSON.parse(manifest), "version") ?? "unknown";
