import type { Host } from "../session/host.ts";

/** This process and its user; notices go to standard error. */
export function hostOf(): Host {
  return {
    environment: process.env,
    folder: process.cwd(),
    onNotice: ({ level, text }) => process.stderr.write(`${level}: ${text}\n`),
  };
}
