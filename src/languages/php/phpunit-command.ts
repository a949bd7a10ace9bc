/** Commands that run PHPUnit: `phpunit`, `vendor/bin/phpunit`, `php vendor/bin/phpunit`, with their options. */
import { posix } from "node:path";
import { quoteWord } from "../../base/shell-word.ts";
import { assignedBy, parseShell } from "../javascript/javascript-shell.ts";
import { enterFolder } from "../javascript/package-script-calls.ts";

export interface PhpunitCommand {
  readonly directory: string;
  readonly env: Readonly<Record<string, string>>;
  /** The program: `phpunit`, `vendor/bin/phpunit`. */
  readonly program: string;
  readonly options: readonly string[];
  /** Files and folders. */
  readonly files: readonly string[];
}

/** Options with a value in the next word. */
const valued =
  /^(?:-[cd]|--(?:configuration|bootstrap|testsuite|group|exclude-group|filter|test-suffix|include-path|order-by|random-order-seed|printer|log-junit|coverage-\w+|cache-result-file|columns|whitelist|extensions))$/;
/** Options that Millwright sets itself, or that only change the display. */
const dropped =
  /^(?:-v|--(?:verbose|debug|colors|testdox.*|no-coverage|coverage-.*|log-.*|printer|stop-on-.*|fail-on-.*|order-by|random-order.*|columns|no-interaction|no-progress|cache-result.*|do-not-cache-result|stderr))$/;

export function readPhpunit(
  text: string,
  directory = "",
  given: Readonly<Record<string, string>> = {},
): PhpunitCommand | undefined {
  const commands = parseShell(text);
  if (commands === undefined) return undefined;
  let current = directory;
  for (const command of commands) {
    const words = command.words.map((word) => word.text);
    if (words[0] === "cd") {
      current = enterFolder(current, words[1] ?? "");
      continue;
    }
    const at = words.findIndex((word) => /^(?:simple-)?phpunit(?:\.phar)?$/.test(posix.basename(word)));
    const isStart = at === 0 || (at > 0 && /^(?:php[\d.]*|composer)$/.test(posix.basename(words[0] ?? "")));
    if (!isStart) continue;
    return {
      directory: current,
      env: { ...given, ...assignedBy(command) },
      program: words[at] ?? "phpunit",
      ...splitOptions(words.slice(at + 1)),
    };
  }
  return undefined;
}

function splitOptions(words: readonly string[]): Pick<PhpunitCommand, "options" | "files"> {
  const options: string[] = [];
  const files: string[] = [];
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] ?? "";
    const [name = ""] = word.split("=");
    const value = valued.test(word) ? words[++at] : undefined;
    if (!word.startsWith("-")) files.push(word);
    else if (!dropped.test(name)) options.push(word, ...(value === undefined ? [] : [value]));
  }
  return { options, files };
}

export function formatPhpunit({ env, program, options, files }: PhpunitCommand): string {
  const pairs = Object.entries(env).map(([name, value]) => `${name}=${quoteWord(value)}`);
  return [...pairs, ...[program, ...options, ...files].map((word) => quoteWord(word))].join(" ");
}
