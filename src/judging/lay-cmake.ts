/** Compares the parts of a CMake file that concern tests, with the conditions around them. */

interface CMakeCommand {
  readonly name: string;
  readonly words: readonly string[];
  /** The command with its conditions, to compare it. */
  readonly text: string;
  /** The conditions and functions around the command. */
  readonly under: string;
}

/**
 * Returns `after`, if both texts treat the base's tests alike: the same tests under the same conditions, the same
 * properties, and nothing that applies only while tests are built. Returns `before` otherwise. A candidate may add tests.
 */
export function layCMake(before: string, after: string): string {
  const old = readCommands(before);
  const now = readCommands(after).map((command) => old.find((each) => isGrown(each, command)) ?? command);
  const known = new Set(old.flatMap(({ words }) => words));
  const programs = new Set(old.filter(registers).flatMap(({ words }) => words));
  const isTested = (word: string): boolean => known.has(word) && (testName.test(word) || programs.has(word));
  const isOurs = (command: CMakeCommand): boolean => ofTests(command, known, isTested);
  const textOf = (commands: readonly CMakeCommand[]): string => commands.map(({ text }) => text).join("\n");
  if (textOf(old.filter(isOurs)) !== textOf(now.filter(isOurs))) return before;
  const registered = now.filter(registers);
  const isKept = old.filter(registers).every(({ text, words }) => {
    const alike = registered.filter((each) => nameOf(each.words) === nameOf(words));
    return (
      alike.length <= old.filter((each) => registers(each) && nameOf(each.words) === nameOf(words)).length &&
      alike.some((each) => each.text === text)
    );
  });
  return isKept ? after : before;
}

/** Names of tests and source files. Another word, such as `NO_CHECKS`, may change how tests are compiled. */
const listed = /test|spec|\.(?:c|cc|cpp|cxx)$/i;

/** True if a list of at least two values only got further tests or source files. */
function isGrown(before: CMakeCommand, { name, words, under }: CMakeCommand): boolean {
  const isSame =
    name === "set" && before.name === name && before.under === under && before.words[0] === words[0];
  const added = words.filter((word) => !before.words.includes(word));
  const isLonger = before.words.length > 2 && before.words.every((word) => words.includes(word));
  return isSame && isLonger && added.every((word) => listed.test(word));
}

const opening = /^(?:if|foreach|while|function|macro|block)$/;
const closing = /^end(?:if|foreach|while|function|macro|block)$/;
/** Conditions that hold for tests, but need not hold for programs that use the code. */
const ofTesting =
  /\b(?:\w*TEST(?:S|ING)?|PROJECT_IS_TOP_LEVEL|CMAKE_PROJECT_NAME|CMAKE_SOURCE_DIR|PROJECT_SOURCE_DIR|ENV)\b/i;
const properties =
  /^(?:WILL_FAIL|PASS_REGULAR_EXPRESSION|FAIL_REGULAR_EXPRESSION|SKIP_\w+|(?:CMAKE_)?CROSSCOMPILING_EMULATOR|(?:CMAKE_)?TEST_LAUNCHER|\w+_LAUNCHER)$/;
/** Commands that only name programs, their sources and libraries. A check of the patch's text reads them. */
const naming =
  /^(?:add_executable|add_library|add_subdirectory|subdirs|target_sources|target_link_libraries|include|find_\w+|fetchcontent_\w+|message|enable_testing|add_test|\w+_discover_tests|if|else|elseif|foreach|function|macro|end\w+)$/;
const testName = /(?:^|[/_.-])(?:unit)?tests?(?:[/_.-]|$)/i;
const source = /\.(?:c|cc|cpp|cxx|h|hh|hpp)$/i;

function ofTests(
  { name, words, under }: CMakeCommand,
  known: ReadonlySet<string>,
  isTested: (word: string) => boolean,
): boolean {
  const [first = "", ...rest] = words;
  if (/^set_(?:tests_properties|property)$/.test(name) && (name !== "set_property" || first === "TEST"))
    return true;
  if (/^(?:function|macro)$/.test(name) && /^(?:add_test|\w+_discover_tests)$/i.test(first)) return true;
  if (words.some((word) => properties.test(word))) return true;
  if (naming.test(name) || (name === "set" && rest.every((word) => source.test(word)))) return false;
  // New test programs may have any properties.
  if (words.some(isTested)) return true;
  return ofTesting.test(under) && (!name.startsWith("target_") || known.has(first));
}

function registers({ name }: CMakeCommand): boolean {
  return /^(?:add_test|enable_testing|\w+_discover_tests)$/.test(name);
}

function nameOf(words: readonly string[]): string {
  return (words[0]?.toUpperCase() === "NAME" ? words[1] : words[0]) ?? "";
}

function readCommands(text: string): CMakeCommand[] {
  // A mark of a comment inside a string begins none.
  const code = text.replaceAll(
    /("(?:[^"\\]|\\[\s\S])*")|#\[(=*)\[[\s\S]*?\]\2\]|#[^\n]*/g,
    (_, string = " ") => string,
  );
  const commands: CMakeCommand[] = [];
  const around: string[] = [];
  const head = /([A-Za-z_]\w*)\s*\(/g;
  for (let found = head.exec(code); found !== null; found = head.exec(code)) {
    const end = endOf(code, head.lastIndex);
    const name = (found[1] ?? "").toLowerCase();
    const words = wordsOf(code.slice(head.lastIndex, end));
    head.lastIndex = end;
    if (closing.test(name) || /^else(?:if)?$/.test(name)) around.pop();
    const under = around.join(" & ");
    commands.push({ name, words, under, text: `${under}: ${name}(${words.join(" ")})` });
    if (opening.test(name) || /^else(?:if)?$/.test(name)) around.push(`${name} ${words.join(" ")}`);
  }
  return commands;
}

/** Returns the position of the bracket that closes the one before `start`. */
function endOf(code: string, start: number): number {
  let depth = 1;
  let inString = false;
  for (let at = start; at < code.length; at += 1) {
    const character = code[at];
    if (character === "\\") at += 1;
    else if (character === '"') inString = !inString;
    else if (!inString && character === "(") depth += 1;
    else if (!inString && character === ")" && --depth === 0) return at;
  }
  return code.length;
}

function wordsOf(text: string): string[] {
  return text
    .replaceAll('"', "")
    .split(/[\s;]+/)
    .filter((word) => word !== "");
}
