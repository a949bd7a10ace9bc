import { posix } from "node:path";
import type { ProjectView } from "../../languages/contract.ts";
import { findInterpreter } from "../../languages/python/python-command.ts";
import { defineForge, type ForgedProject, type ForgeRequest } from "../contract.ts";
import { placesOf } from "../places.ts";

const manifest = /^(?:pyproject\.toml|setup\.py|setup\.cfg)$/;
const aside = /^(?:tests?|testing|docs?|examples?|benchmarks?|scripts?|tools?|build|dist|node_modules|\..*)$/;

export default defineForge({
  ecosystem: "python",
  extensions: [".py"],
  sign: { files: /\.py$/, name: "Python package" },
  packagesOf: foldersOf,
  forge(request) {
    const { project, packages } = request;
    const roots = rootsOf(project, packages);
    const imports = roots.flatMap((root) => importsBelow(project, root));
    const isPython = imports.length > 0 || project.files.some((file) => manifest.test(file));
    return isPython ? [forgeProject(request, roots, [...new Set(imports)])] : [];
  },
});

/** Returns the folders for the search path of imports, relative to the root: a project's own folder or its `src`. */
function rootsOf(project: ProjectView, wanted: readonly string[]): readonly string[] {
  const named = foldersOf(project).filter((folder) => wanted.includes(folder));
  const projects = named.length > 0 ? named : [""];
  return projects.flatMap((folder) => {
    const source = posix.join(folder, "src");
    return importsBelow(project, source).length > 0 ? [source, folder] : [folder];
  });
}

function foldersOf({ files }: ProjectView): string[] {
  const folders = files
    .filter((file) => manifest.test(posix.basename(file)))
    .map((file) => (file.includes("/") ? posix.dirname(file) : ""));
  return [...new Set(folders)];
}

/** Returns the packages and modules below a folder, as code names them. */
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
  request: ForgeRequest,
  roots: readonly string[],
  imports: readonly string[],
): ForgedProject {
  const { isOutside, fromProject, fromShell } = placesOf(request);
  const entry = posix.join(request.folder, "reproduction.py");
  const interpreter = findInterpreter(request.project, "");
  const prelude = `${imports.map((name) => `import ${name}`).join("\n")}\n`;
  if (isOutside) {
    const isOwn = interpreter.includes("/");
    const run = `${isOwn ? fromShell(interpreter) : interpreter} ${entry}`;
    return {
      imports,
      files: new Map([[entry, `${searchOf(roots.map(fromProject))}${prelude}`]]),
      entry,
      run,
      check: run,
      start: [isOwn ? fromProject(interpreter) : interpreter, entry],
      notes: ["The first lines of reproduction.py set the search path of imports: keep them."],
    };
  }
  const path = roots.map((root) => (root === "" ? "$PWD" : `$PWD/${root}`)).join(":");
  const run = `PYTHONPATH="${path}\${PYTHONPATH:+:$PYTHONPATH}" PYTHONDONTWRITEBYTECODE=1 ${interpreter} ${entry}`;
  return { imports, files: new Map([[entry, prelude]]), entry, run, check: run, notes: [] };
}

/**
 * Makes the code that sets the search path. The program itself contains it, so it runs unchanged, and nothing is
 * written to the target's folders.
 */
function searchOf(folders: readonly string[]): string {
  return `import sys\nsys.dont_write_bytecode = True\nsys.path[:0] = ${JSON.stringify(folders)}\n`;
}
