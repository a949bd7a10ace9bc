/** A program whose git waits for a pipe for ever: the test kills it. Arguments: the git folder, the pipe, `run` or `start`. */
import { runGit, startGit } from "../../src/workspace/git.ts";

const [gitDirectory = "", pipe = "", how] = process.argv.slice(2);
const request = { gitDirectory, arguments: ["hash-object", "--", pipe] };
console.log("started");
if (how === "run") await runGit(request);
else startGit(request);
