/** Fetches tasks of a hub: a program of its own, so that a test can kill it. Arguments: endpoint, cache, source. */
import { fetchTasks } from "../../src/bench/hub/fetch-tasks.ts";
import { parseHubSource } from "../../src/bench/hub/hub-source.ts";

const [endpoint = "", cache = "", text = ""] = process.argv.slice(2);
const source = parseHubSource(text);
if (source !== undefined) await fetchTasks(source, cache, { endpoint, token: undefined });
