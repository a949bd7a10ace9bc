import { homedir } from "node:os";
import { join } from "node:path";

/** Returns Millwright's folder for data that it can create again: `millwright` in the user's cache folder. */
export function cacheFolderOf(environment: Readonly<Record<string, string | undefined>>): string {
  const cache = environment.XDG_CACHE_HOME || join(environment.HOME ?? homedir(), ".cache");
  return join(cache, "millwright");
}
