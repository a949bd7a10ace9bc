import { posix } from "node:path";
import { quoteWord } from "../../base/shell-word.ts";
import { findJavaBuilds } from "../../languages/java/java-modules.ts";
import { defineForge, type ForgedProject, type ForgeRequest } from "../contract.ts";
import { placesOf } from "../places.ts";

export default defineForge({
  ecosystem: "maven",
  extensions: [".java", ".kt"],
  sign: { files: /^pom\.xml$/, name: "pom.xml" },
  packagesOf: (project) => findJavaBuilds(project, ["pom.xml"])[0]?.modules ?? [],
  forge(request) {
    const { project, packages } = request;
    const build = findJavaBuilds(project, ["pom.xml"])[0];
    if (build === undefined) return [];
    const holdsCode = (module: string): boolean =>
      project.files.some((file) => file.startsWith(posix.join(module, "src/main/")));
    const wanted = build.modules.filter((module) => packages.includes(module));
    const modules = (wanted.length > 0 ? wanted : build.modules).filter(holdsCode);
    if (modules.length === 0) return [forgeProject(request, build.directory, [build.directory], [])];
    if (wanted.length > 0) return [forgeProject(request, build.directory, modules, modules)];
    const all = forgeProject(request, build.directory, modules, []);
    // A missing dependency of one module must not make all others unusable.
    const alone = modules.length === 1 ? [] : byCode(modules, project.files).slice(0, mostAlone);
    return [all, ...alone.map((module) => forgeProject(request, build.directory, [module], [module]))];
  },
});

/** Maximum number of modules that Millwright tries alone if they do not build together. */
const mostAlone = 2;

function byCode(modules: readonly string[], files: readonly string[]): string[] {
  const sizeOf = (module: string): number =>
    files.filter((file) => file.startsWith(posix.join(module, "src/main/"))).length;
  return [...modules].sort((a, b) => sizeOf(b) - sizeOf(a));
}

/** Makes a project. `built`: the modules to build, with their dependencies; empty means all. */
function forgeProject(
  request: ForgeRequest,
  directory: string,
  targets: readonly string[],
  built: readonly string[],
): ForgedProject {
  const { folder, offline } = request;
  const places = placesOf(request);
  const entry = posix.join(folder, "Reproduction.java");
  const classes = posix.join(folder, "classes");
  const chosen = built.map((module) => posix.relative(directory, module) || ".");
  const only = chosen.length === 0 ? "" : ` -pl ${quoteWord(chosen.join(","))} -am`;
  const start = [
    `log=${places.project}/build.log`,
    `mvn -B -X${offline ? " -o" : ""} -f ${places.fromShell(posix.join(directory, "pom.xml"))}${only} test-compile > $log 2>&1 || { grep -a '^\\[ERROR\\]' $log >&2; exit 1; }`,
    // The class path of the test compiler: the target's own classes and all its dependencies.
    `path=$(sed -n 's/^.*(f) \\(classpathElements\\|testPath\\) = \\[\\(.*\\)\\]$/\\2/p' $log | tr ',' '\\n' | sed 's/^ *//' | awk '!seen[$0]++' | paste -sd: -)`,
    `mkdir -p ${classes} && javac -nowarn -cp "$path" -d ${classes} ${entry}`,
  ].join("; ");
  const run = `${start} && java -cp "${classes}:$path" Reproduction`;
  // A short command that starts it, for a separate project.
  const script = places.isOutside ? [["run.sh", `${run} "$@"\n`] as const] : [];
  return {
    imports: targets,
    files: new Map([[entry, prelude], ...script]),
    entry,
    run: places.isOutside ? "sh run.sh" : run,
    check: start,
    ...(places.isOutside && { start: ["sh", "run.sh"] }),
    notes: [
      "The class is called Reproduction and is in no package. It can use everything that the project's own tests can use.",
      ...(places.isOutside
        ? ["Maven builds the target in its own folder, and writes the results to the folder `target` there."]
        : []),
    ],
  };
}

const prelude = `public class Reproduction {
  public static void main(String[] arguments) throws Exception {
  }
}
`;
