import type { Host } from "../session/host.ts";

/** Makes the `Host` of this process: its environment and user. Notices go to standard error. */
export function hostOf(): Host {
  return {
    environment: process.env,
    folder: process.cwd(),
    onNotice: ({ level, text }) => process.stderr.write(`${level}: ${text}\n`),
  };
}
