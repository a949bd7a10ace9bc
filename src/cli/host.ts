import type { Host } from "../session/host.ts";

/** The host of this process and its user. Notices go to standard error. */
export function hostOf(): Host {
  return {
    environment: process.env,
    folder: process.cwd(),
    onNotice: ({ level, text }) => process.stderr.write(`${level}: ${text}\n`),
  };
}
