/** The commands that a repository's documents tell people to type. */
import { posix } from "node:path";
import type { Language, ProjectView } from "../contract.ts";
import { languages } from "../languages.generated.ts";
import type { WrittenScript } from "./written-script.ts";

const documents =
  /^(?:(?:docs?|\.github)\/)?(?:CONTRIBUTING|README|HACKING|DEVELOPMENT|DEVELOPING|DEVELOPERS?|TESTING|BUILDING|CLAUDE|AGENTS)(?:\.(?:md|markdown|rst|txt|adoc))?$|^(?:tests?|src)\/README\.(?:md|rst)$|^docs?\/(?:contributing|development|testing|hacking)(?:\/index)?\.(?:md|rst|txt)$/i;
/** The languages, whose `runners` help to recognise commands about tests. Documents contain much other code. */
const known: readonly Language[] = languages;
const words = ["test", "tests", "check", "spec", ...known.flatMap(({ runners = [] }) => runners)];
const about = new RegExp(`\\b(?:${words.join("|")})\\b|^\\s*\\./gradlew|\\bmvn\\b`, "i");
const mostLines = 40;

/**
 * Lists code lines about tests from the repository's documents, at most 40 per document. Each line is a separate
 * script. Lines of code blocks come before code within sentences.
 */
export function listDocumentedScripts(project: ProjectView): WrittenScript[] {
  return project.files
    .filter((file) => documents.test(file))
    .flatMap((file) => {
      const isGuide = !/readme/i.test(posix.basename(file));
      return listCode(project.read(file) ?? "", file)
        .filter((line) => about.test(line) && line.length < 300)
        .slice(0, mostLines)
        .map((text) => ({ directory: "", text, env: {}, foundBy: file, trust: isGuide ? 0.7 : 0.65 }));
    });
}

/** Lists the lines of code blocks, then pieces of code within sentences. Removes shell prompts. */
function listCode(text: string, file: string): string[] {
  const blocks: string[] = [];
  const spans: string[] = [];
  let fenced = false;
  for (const line of text.split(/\r?\n/)) {
    if (/^\s*(?:```|~~~|----$)/.test(line)) fenced = !fenced;
    else if (
      fenced ||
      /^(?: {4}|\t)\s*[$>%\w./]/.test(line) ||
      (file.endsWith(".rst") && /^ {2,}[$\w./]/.test(line))
    )
      blocks.push(line);
    else if (/^\s*[$%] \S/.test(line)) blocks.push(line);
    else
      for (const [, ticks = "", code = ""] of line.matchAll(/(`{1,2})([^`]+)\1/g))
        if (ticks !== "") spans.push(code);
  }
  return [...blocks, ...spans]
    .map((line) => line.trim().replace(/^(?:\([\w.-]+\)\s*)?[$>%#]\s+/, ""))
    .filter((line) => line !== "");
}
