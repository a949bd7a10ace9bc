/** Groups the selected tests of a Java build by class, with their methods, for build tools that select methods too. */
import type { Selection } from "../contract.ts";

export interface SelectedClass {
  /** The module's folder relative to the repository; undefined if unknown. */
  readonly module: string | undefined;
  /** The whole name without nested classes: `org.example.ShelfTest`. */
  readonly name: string;
  /** True if selected tests are in nested classes. */
  readonly nested: boolean;
  /** Names of methods; undefined for all. */
  readonly methods: readonly string[] | undefined;
}

/** Returns the classes of a selection; undefined if the selection has all tests. */
export function selectClasses(selection: Selection): readonly SelectedClass[] | undefined {
  if (selection.kind === "all") return undefined;
  if (selection.kind === "files") {
    const names = [...new Set(selection.files.map(classOfFile))];
    return names.map((name) => ({
      module: undefined,
      name: outermost(name),
      nested: name.includes("$"),
      methods: undefined,
    }));
  }
  const classes = new Map<string, SelectedClass>();
  for (const { package: module, target, name } of selection.tests) {
    const id = `${module}\n${outermost(target)}`;
    const known = classes.get(id);
    const method = methodOf(name);
    const before = known === undefined ? [] : known.methods;
    const methods =
      method === undefined || before === undefined ? undefined : [...new Set([...before, method])];
    const nested = (known?.nested ?? false) || target.includes("$");
    classes.set(id, { module, name: outermost(target), nested, methods });
  }
  return [...classes.values()];
}

function outermost(name: string): string {
  return name.split("$")[0] ?? name;
}

/** The class of a test file by the layout that Maven and Gradle share; a class's name stays as it is. */
function classOfFile(file: string): string {
  if (!file.endsWith(".java")) return file;
  const path = file.replace(/\.java$/, "").replace(/^.*?(?:^|\/)(?:src\/)?tests?\/(?:java\/)?/, "");
  return path.replaceAll("/", ".");
}

/** The method of a test's name (`adds[1]`, `adds(int, int)[2]`); undefined if a display name hides it. */
function methodOf(name: string): string | undefined {
  return /^([A-Za-z_$][\w$]*)(?=$|[[({])/.exec(name)?.[1];
}
