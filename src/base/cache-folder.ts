import { homedir } from "node:os";
import { join } from "node:path";

/** What can be made again is kept here: `millwright` under the user's cache. */
export function cacheFolderOf(environment: Readonly<Record<string, string | undefined>>): string {
  const cache = environment.XDG_CACHE_HOME || join(environment.HOME ?? homedir(), ".cache");
  return join(cache, "millwright");
}
