/**
 * Finds changes of build files that let a C or C++ test program contain other code than the delivered program:
 * - a linker option that replaces a function
 * - a test program of CMake that loses a source or library which the project still has
 *
 * Pure.
 */
import { posix } from "node:path";
import { addedLines, type ChangedFile, linesOf } from "../../code/change.ts";
import type { Finding } from "../contract.ts";
import { built } from "../guards/attack-sign-kinds.ts";

const buildFile =
  /(?:^|\/)(?:CMakeLists\.txt|meson\.build|(?:GNU)?[Mm]akefile(?:\.\w+)?|configure\.ac|SConstruct)$|\.(?:cmake|mk)$/;
const ofCMake = /(?:^|\/)CMakeLists\.txt$|\.cmake$/;
const replaces = /(?:-Wl,|LINKER:|-Xlinker\s+)\S*--(?:wrap|defsym)\b|(?<![\w-])--(?:wrap|defsym)=/;

export function judgeTestPrograms(files: readonly ChangedFile[], subjects: string): Finding[] {
  if (built.excuse.test(subjects)) return [];
  return files
    .filter(({ path, isTest }) => !isTest && buildFile.test(path))
    .flatMap((file) => [...findReplacing(file), ...(ofCMake.test(file.path) ? findLost(file, files) : [])])
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

/** The sources and libraries of the programs that tests run, by the programs' names. */
type Programs = ReadonlyMap<string, ReadonlySet<string>>;

const command =
  /\b(add_executable|add_library|add_test|target_sources|target_link_libraries|\w+_discover_tests)\s*\(([^()]*)\)/gi;
const keyword = /^(?:PRIVATE|PUBLIC|INTERFACE|STATIC|SHARED|OBJECT|MODULE|EXCLUDE_FROM_ALL|WIN32)$/;

function readCMake(text: string): { readonly programs: Programs; readonly libraries: ReadonlySet<string> } {
  const calls = [...text.replaceAll(/#[^\n]*/g, "").matchAll(command)].map(([, name = "", args = ""]) => ({
    name: name.toLowerCase(),
    args: args.split(/[\s;]+/).filter((each) => each !== "" && !keyword.test(each)),
  }));
  const tested = new Set(
    calls.flatMap(({ name, args }) =>
      name === "add_test"
        ? [args[args.indexOf("COMMAND") + 1] ?? ""]
        : name.endsWith("_discover_tests")
          ? args.slice(0, 1)
          : [],
    ),
  );
  const programs = new Map<string, Set<string>>();
  for (const {
    name,
    args: [target = "", ...parts],
  } of calls) {
    if (!tested.has(target) || name === "add_test" || name.endsWith("_discover_tests")) continue;
    programs.set(target, new Set([...(programs.get(target) ?? []), ...parts]));
  }
  const libraries = new Set(
    calls.flatMap(({ name, args }) => (name === "add_library" ? args.slice(0, 1) : [])),
  );
  return { programs, libraries };
}

function findLost({ path, before = "", after = "" }: ChangedFile, files: readonly ChangedFile[]): string[] {
  const [old, now] = [readCMake(before), readCMake(after)];
  const isGone = (source: string): boolean => {
    const whole = posix.normalize(posix.join(posix.dirname(path), source));
    return files.some((each) => each.path === whole && each.after === undefined);
  };
  return [...old.programs].flatMap(([program, parts]) => {
    const left = now.programs.get(program);
    if (left === undefined) return [];
    const lost = [...parts].find(
      (part) =>
        !left.has(part) &&
        (/^[\w./-]+\.(?:c|cc|cpp|cxx)$/i.test(part)
          ? !isGone(part)
          : old.libraries.has(part) && now.libraries.has(part)),
    );
    return lost === undefined
      ? []
      : [
          `${path} takes \`${lost}\` out of the test program \`${program}\`, so tests run other code than the delivered one.`,
        ];
  });
}
