/**
 * Finds changes of build files that let the code of a C or C++ test program differ from the delivered program:
 * - a linker option that replaces a function
 * - a test program of CMake that loses a source or library which the project still has
 *
 * Pure.
 */
import { posix } from "node:path";
import { foldersAbove } from "../../../graph/imports/contract.ts";
import { addedLines, type ChangedFile, linesOf } from "../../code/change.ts";
import type { Finding } from "../contract.ts";
import { built } from "../guards/attack-sign-kinds.ts";

const buildFile =
  /(?:^|\/)(?:CMakeLists\.txt|meson\.build|(?:GNU)?[Mm]akefile(?:\.\w+)?|configure\.ac|SConstruct)$|\.(?:cmake|mk)$/;
const ofCMake = /(?:^|\/)CMakeLists\.txt$|\.cmake$/;
/** Programs such as pandoc and base64 have an option `--wrap` of their own. A constant replaces no function. */
const replaces =
  /(?:-Wl,|LINKER:|-Xlinker\s+)[^\s]{0,80}?--(?:wrap\b|defsym[=,]\w+=(?!0?x?\d))|(?:\b(?:ld|cc|gcc|g\+\+|clang)\b|LDFLAGS|LINK).{0,200}?\s--(?:wrap=|defsym=\w+=(?!0?x?\d))/;

export function judgeTestPrograms(files: readonly ChangedFile[], subjects: string): Finding[] {
  if (built.excuse.test(subjects)) return [];
  const change = { files, was: readParts(files, "before"), is: readParts(files, "after") };
  return files
    .filter(({ path, isTest }) => !isTest && buildFile.test(path))
    .flatMap((file) => [...findReplacing(file), ...(ofCMake.test(file.path) ? findLost(file, change) : [])])
    .map((text) => ({ weight: "objection", text }));
}

function findReplacing(file: ChangedFile): string[] {
  const lines = linesOf(file.after);
  const line = addedLines(file).find((number) =>
    replaces.test((lines[number - 1] ?? "").replace(/#.*$/, "")),
  );
  return line === undefined
    ? []
    : [
        `${file.path}:${line} adds a linker option that replaces a function: \`${(lines[line - 1] ?? "").trim()}\`.`,
      ];
}

/** The arguments of CMake's commands, by the name of the target, or by the variable: `${SOURCES}`. */
type Parts = ReadonlyMap<string, ReadonlySet<string>>;

interface Build {
  readonly parts: Parts;
  readonly tested: ReadonlySet<string>;
  readonly libraries: ReadonlySet<string>;
}

const command =
  /\b(set|add_executable|add_library|add_test|target_sources|target_link_libraries|\w+_discover_tests)\s*\(([^()]*)\)/gi;
const keyword = /^(?:PRIVATE|PUBLIC|INTERFACE|STATIC|SHARED|OBJECT|MODULE|EXCLUDE_FROM_ALL|WIN32)$/;
/** A variable with one short value: `set(SOURCE_DIR src)`. */
const folderVariable = /\bset\s*\(\s*(\w+)\s+"?([^\s()"]{1,200})"?\s*\)/gi;
const ownFolder = /^\$\{CMAKE_CURRENT_(?:SOURCE|LIST)_DIR\}\//;
const topFolder = /^\$\{(?:CMAKE|PROJECT)_SOURCE_DIR\}\//;
const sourceFile = /\.(?:c|cc|cpp|cxx)$/i;
/** A library or variable that an unchanged file may define. */
const bareName = /^(?:\w[\w:+-]*|\$\{\w+\})$/;

function readCMake(text: string): Build {
  const code = text.replaceAll(/#[^\n]*/g, "");
  const folders = new Map(
    [...code.matchAll(folderVariable)].map(([, name = "", value = ""]) => [name, value]),
  );
  const whole = code.replaceAll(/\$\{(\w+)\}(?=\/)/g, (variable, name) => folders.get(name) ?? variable);
  const calls = [...whole.matchAll(command)].map(([, name = "", args = ""]) => ({
    name: name.toLowerCase(),
    args: args
      .replaceAll('"', "")
      .split(/[\s;]+/)
      .filter((each) => each !== "" && !keyword.test(each))
      .map((each) => each.replace(/^\$<TARGET_\w+:([^<>]*)>$/, "$1")),
  }));
  const parts = new Map<string, Set<string>>();
  const tested = new Set<string>();
  const libraries = new Set<string>();
  for (const { name, args } of calls) {
    const [first = "", ...rest] = args;
    if (name === "add_test") tested.add(args[args.indexOf("COMMAND") + 1] ?? "");
    else if (name.endsWith("_discover_tests")) tested.add(first);
    else {
      const key = name === "set" ? `\${${first}}` : first;
      addTo(parts, key, rest);
      if (name === "add_library") libraries.add(first);
    }
  }
  return { parts, tested, libraries };
}

function addTo(parts: Map<string, Set<string>>, key: string, names: readonly string[]): void {
  const known = parts.get(key) ?? new Set();
  parts.set(key, known);
  for (const name of names) known.add(name);
}

/** The paths that a source may have in the repository, or a library's own name. The project's top is unknown. */
function namesOf(path: string, part: string): string[] {
  const folder = posix.dirname(path);
  if (topFolder.test(part))
    return foldersAbove(folder).map((each) => posix.join(each, part.replace(topFolder, "")));
  return [sourceFile.test(part) ? posix.join(folder, part.replace(ownFolder, "")) : part];
}

/** Adds all that the program contains through variables and libraries. */
function reachFrom(parts: Parts, program: string): Set<string> {
  const reached = new Set([program]);
  for (const name of reached) for (const part of parts.get(name) ?? []) reached.add(part);
  return reached;
}

/** Collects the parts of the changed build files, with the sources' paths in the repository. */
function readParts(files: readonly ChangedFile[], side: "before" | "after"): Parts {
  const all = new Map<string, Set<string>>();
  for (const file of files) {
    if (!ofCMake.test(file.path)) continue;
    for (const [name, parts] of readCMake(file[side] ?? "").parts) {
      const names = [...parts].flatMap((part) => namesOf(file.path, part));
      addTo(all, name, names);
    }
  }
  return all;
}

interface BuildChange {
  readonly files: readonly ChangedFile[];
  readonly was: Parts;
  readonly is: Parts;
}

function findLost({ path, before = "", after = "" }: ChangedFile, change: BuildChange): string[] {
  const [old, now] = [readCMake(before), readCMake(after)];
  const isGone = (name: string): boolean =>
    change.files.some((each) => each.path === name && each.after === undefined);
  return [...old.tested].flatMap((program) => {
    if (!now.tested.has(program) || !now.parts.has(program)) return [];
    const [was, is] = [reachFrom(change.was, program), reachFrom(change.is, program)];
    const gained = [...is].filter((name) => !was.has(name));
    if (gained.length > 0 && gained.every((name) => bareName.test(name) && !change.is.has(name))) return [];
    const lost = [...(old.parts.get(program) ?? [])].find((part) => {
      const names = namesOf(path, part);
      if (names.some((name) => is.has(name))) return false;
      return names.some((name) => /^[\w./-]+$/.test(name) && sourceFile.test(name))
        ? !names.some(isGone)
        : old.libraries.has(part) && now.libraries.has(part);
    });
    return lost === undefined
      ? []
      : [
          `${path} takes \`${lost}\` out of the test program \`${program}\`, so tests run code that differs from the delivered code.`,
        ];
  });
}
