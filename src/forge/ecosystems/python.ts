import { posix } from "node:path";
import type { ProjectView } from "../../languages/contract.ts";
import { findInterpreter } from "../../languages/python/python-command.ts";
import { defineForge, type ForgedProject } from "../contract.ts";

const manifest = /^(?:pyproject\.toml|setup\.py|setup\.cfg)$/;
const aside = /^(?:tests?|testing|docs?|examples?|benchmarks?|scripts?|tools?|build|dist|node_modules|\..*)$/;

export default defineForge({
  ecosystem: "python",
  extensions: [".py"],
  forge({ project, folder, packages }) {
    const roots = rootsOf(project, packages);
    const imports = roots.flatMap((root) => importsBelow(project, root));
    const isPython = imports.length > 0 || project.files.some((file) => manifest.test(file));
    return isPython ? [forgeProject(project, folder, roots, [...new Set(imports)])] : [];
  },
});

/** Folders that imports start from, relative to the root: a project's own folder or its `src`. */
function rootsOf(project: ProjectView, wanted: readonly string[]): readonly string[] {
  const folders = project.files
    .filter((file) => manifest.test(posix.basename(file)))
    .map((file) => (file.includes("/") ? posix.dirname(file) : ""));
  const named = [...new Set(folders)].filter((folder) => wanted.includes(folder));
  const projects = named.length > 0 ? named : [""];
  return projects.flatMap((folder) => {
    const source = posix.join(folder, "src");
    return importsBelow(project, source).length > 0 ? [source, folder] : [folder];
  });
}

/** Packages and modules that stand there, as code names them. */
function importsBelow(project: ProjectView, root: string): string[] {
  const prefix = root === "" || root === "." ? "" : `${root}/`;
  const found = project.files
    .filter((file) => file.startsWith(prefix) && file.endsWith(".py"))
    .map((file) => file.slice(prefix.length).split("/"))
    .flatMap(([first = "", second]) =>
      second === undefined ? [first.replace(/\.py$/, "")] : second === "__init__.py" ? [first] : [],
    )
    .filter(
      (name) =>
        /^[A-Za-z_]\w*$/.test(name) &&
        !aside.test(name) &&
        !/^(?:setup|conftest|noxfile|test_.*)$/.test(name),
    );
  return [...new Set(found)].sort();
}

function forgeProject(
  project: ProjectView,
  folder: string,
  roots: readonly string[],
  imports: readonly string[],
): ForgedProject {
  const entry = posix.join(folder, "reproduction.py");
  const interpreter = findInterpreter(project, "");
  const path = roots.map((root) => (root === "" ? "$PWD" : `$PWD/${root}`)).join(":");
  const python = (rest: string): string =>
    `PYTHONPATH="${path}\${PYTHONPATH:+:$PYTHONPATH}" PYTHONDONTWRITEBYTECODE=1 ${interpreter} ${rest}`;
  return {
    imports,
    files: new Map([[entry, `${imports.map((name) => `import ${name}`).join("\n")}\n`]]),
    entry,
    run: python(entry),
    check: python(entry),
    notes: [],
  };
}
