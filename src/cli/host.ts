import type { Host } from "../session/host.ts";

/**
 * Makes the `Host` of this process, with its environment variables and working folder. Notices go to standard error.
 */
export function hostOf(): Host {
  return {
    environment: process.env,
    folder: process.cwd(),
    onNotice: ({ level, text }) => process.stderr.write(`${level}: ${text}\n`),
  };
}
