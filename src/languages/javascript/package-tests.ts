/**
 * Finds signs of a JavaScript package's tests outside its `package.json` scripts: the folders of test files, and
 * commands in build scripts.
 */

import { posix } from "node:path";
import { quoteWord } from "../../base/shell-word.ts";
import type { ProjectView } from "../contract.ts";
import type { WrittenCommand } from "../discovery/written-commands.ts";

const foreign =
  /(^|\/)(node_modules|fixtures?|__fixtures__|examples?|templates?|vendor|testdata|dist|build|coverage)(\/|$)/;

/**
 * Returns at most six glob patterns for a package's test files, relative to the package. Prefers patterns of file names
 * such as `*.test.js` to test folders. Empty if `test` itself contains test files, because mocha finds these by
 * default.
 */
export function findTestPatterns(project: ProjectView, directory: string): string[] {
  const prefix = directory === "" ? "" : `${directory}/`;
  const own = project.files
    .filter((file) => file.startsWith(prefix))
    .map((file) => file.slice(prefix.length))
    .filter((file) => !foreign.test(file));
  if (own.some((file) => /^test\/[^/]+\.[cm]?js$/.test(file))) return [];
  const named = own.flatMap((file) => {
    const ending = /[._-](?:test|spec)\.[cm]?[jt]s$/.exec(posix.basename(file))?.[0];
    const folder = posix.dirname(file);
    if (ending === undefined) return [];
    return [folder === "." ? `*${ending}` : `${folder.split("/")[0]}/**/*${ending}`];
  });
  const placed = own.flatMap((file) => {
    const folder = /^(.*?(?:^|\/)(?:__tests__|tests?|specs?))\//.exec(file)?.[1];
    return folder !== undefined && /\.[cm]?js$/.test(file) ? [`${folder}/**/*${posix.extname(file)}`] : [];
  });
  const patterns = named.length > 0 ? named : placed;
  return [...new Set(patterns)].slice(0, 6);
}

const buildScripts =
  /^(?:[Jj]akefile(?:\.js)?|[Gg]runtfile\.[cm]?[jt]s|[Gg]ulpfile\.[cm]?[jt]s|(?:scripts?|build|tools?|bin|tasks?)\/[^/]+\.[cm]?[jt]s|make\.[cm]?js)$/;
const spelled =
  /(["'`])((?:(?!\1)[^\\\n]|\\.){0,500}\b_?(?:mocha|jest|vitest)(?:\.js)?\s(?:(?!\1)[^\\\n]|\\.){0,500})\1/g;

/**
 * Finds commands in strings of the first 40 build scripts, such as `exec("mocha -u tdd test/*.js")`. Also finds the
 * commands of Grunt's plug-ins for mocha.
 */
export function listSpelledCommands(project: ProjectView): WrittenCommand[] {
  return project.files
    .filter((file) => buildScripts.test(file))
    .slice(0, 40)
    .flatMap((file) => {
      const text = (project.read(file) ?? "").slice(0, 50_000);
      const texts = [...[...text.matchAll(spelled)].map(([, , command = ""]) => command), ...readGrunt(text)];
      return texts.map((command) => ({
        directory: "",
        text: command.trim(),
        env: {},
        foundBy: file,
        trust: 0.72,
      }));
    });
}

/**
 * Reads Grunt's configuration of mocha: `mochaTest: { test: { src: ["test/*.js"], options: { timeout: 3000 } } }`. Adds
 * `--exit`, because Grunt ends the process after the last test, even with open handles.
 */
function readGrunt(text: string): string[] {
  const configured = text.matchAll(
    /\b(?:mochaTest|simplemocha|mochacli|cafemocha)\s*:\s*\{[^[\]]{0,2000}?\bsrc\s*:\s*(\[[^\]]*\]|["'][^"'\n]*["'])/g,
  );
  return [...configured].flatMap(([, list = ""]) => {
    const files = [...list.matchAll(/["']([^"'\n]+)["']/g)]
      .map(([, file = ""]) => file)
      .filter((file) => !file.startsWith("!"));
    return files.length === 0 ? [] : [`npx mocha --exit ${files.map(quoteWord).join(" ")}`];
  });
}
