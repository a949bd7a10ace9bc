import { posix } from "node:path";
import { findJavaBuilds } from "../../languages/java/java-modules.ts";
import { defineForge } from "../contract.ts";
import { placesOf } from "../places.ts";

export default defineForge({
  ecosystem: "maven",
  extensions: [".java", ".kt"],
  sign: { files: /^pom\.xml$/, name: "pom.xml" },
  packagesOf: (project) => findJavaBuilds(project, ["pom.xml"])[0]?.modules ?? [],
  forge(request) {
    const { project, folder, packages, offline } = request;
    const build = findJavaBuilds(project, ["pom.xml"])[0];
    if (build === undefined) return [];
    const holdsCode = (module: string): boolean =>
      project.files.some((file) => file.startsWith(posix.join(module, "src/main/")));
    const wanted = build.modules.filter((module) => packages.includes(module));
    const modules = (wanted.length > 0 ? wanted : build.modules).filter(holdsCode);
    const targets = modules.length > 0 ? modules : [build.directory];
    const places = placesOf(request);
    const entry = posix.join(folder, "Reproduction.java");
    const classes = posix.join(folder, "classes");
    const start = [
      `log=${places.project}/build.log`,
      `mvn -B -X${offline ? " -o" : ""} -f ${places.fromShell(posix.join(build.directory, "pom.xml"))} test-compile > $log 2>&1 || { grep -a '^\\[ERROR\\]' $log >&2; exit 1; }`,
      // What the compiler of the tests was given: the target's own classes and all that it depends on.
      `path=$(sed -n 's/^.*(f) \\(classpathElements\\|testPath\\) = \\[\\(.*\\)\\]$/\\2/p' $log | tr ',' '\\n' | sed 's/^ *//' | awk '!seen[$0]++' | paste -sd: -)`,
      `mkdir -p ${classes} && javac -nowarn -cp "$path" -d ${classes} ${entry}`,
    ].join("; ");
    const run = `${start} && java -cp "${classes}:$path" Reproduction`;
    // Short words to start it by where it is a project of its own.
    const script = places.isOutside ? [["run.sh", `${run} "$@"\n`] as const] : [];
    return [
      {
        imports: targets,
        files: new Map([[entry, prelude], ...script]),
        entry,
        run: places.isOutside ? "sh run.sh" : run,
        check: start,
        ...(places.isOutside && { start: ["sh", "run.sh"] }),
        notes: [
          "The class is called Reproduction and is in no package; what the project's own tests can use can be used.",
          ...(places.isOutside
            ? ["Maven builds the target where it stands, into its own target folder."]
            : []),
        ],
      },
    ];
  },
});

const prelude = `public class Reproduction {
  public static void main(String[] arguments) throws Exception {
  }
}
`;
