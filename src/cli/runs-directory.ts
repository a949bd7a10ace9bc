import { runsDirectoryOf } from "../session/settings.ts";

/**
 * Returns the folder of all runs, for commands without a repository. Takes the folder from the flag, else from the
 * environment, else the default.
 */
export function runsDirectoryFromFlags(flags: { readonly runsDir?: string | undefined }): string {
  const runsDir = flags.runsDir ?? process.env.MILLWRIGHT_RUNS_DIR;
  return runsDirectoryOf(runsDir === undefined ? {} : { runsDir }, process.env);
}
