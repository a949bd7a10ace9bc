/** Maps tools' messages about missing parts to remedies. If several messages match, the first in the list counts. */
import { posix } from "node:path";
import type { Language, MissingPart, MissingSign, ProjectView, TestCommand } from "../contract.ts";
import { languages as known } from "../languages.generated.ts";

/** The plug-ins of pytest, by the options that need them. */
const pytestPlugins: Readonly<Record<string, string>> = {
  "--cov": "pytest-cov",
  "-n": "pytest-xdist",
  "--numprocesses": "pytest-xdist",
  "--timeout": "pytest-timeout",
  "--asyncio-mode": "pytest-asyncio",
  "--mypy": "pytest-mypy",
  "--benchmark-skip": "pytest-benchmark",
  "--benchmark-disable": "pytest-benchmark",
  "--randomly-seed": "pytest-randomly",
  "--reruns": "pytest-rerunfailures",
  "--mpl": "pytest-mpl",
};

const online = "with network access";

const languages: readonly Language[] = known;

export const missingSigns: readonly MissingSign[] = [
  {
    pattern: /No module named ["']?([\w.]+)["']?/,
    explain: ([, name = ""], project, command) => {
      const [module = ""] = name.split(".");
      const isOwn = project.files.some(
        (file) => file === `${module}.py` || file.endsWith(`/${module}.py`) || file.includes(`${module}/`),
      );
      if (isOwn && !/^(?:pytest|unittest)$/.test(module)) return installItself(module, project, command);
      return {
        what: `the Python module ${module} is not installed`,
        remedy: `run \`${installModules(project, command, module)}\``,
      };
    },
  },
  {
    pattern: /Cannot find (?:module|package) ["']([^."'/][^"']*)["']/,
    explain: ([, name = ""], project, command) => ({
      what: `the package ${name} is not installed`,
      remedy: installPackages(project, command.directory),
    }),
  },
  {
    pattern: /pytest: error: unrecognized arguments: (--?[\w-]+)/,
    explain: ([, option = ""], project, command) => {
      const plugin = pytestPlugins[option] ?? `a pytest plug-in that defines ${option}`;
      const known = pytestPlugins[option] !== undefined;
      const remedy = known ? `run \`${installModules(project, command, plugin)}\`` : "install it";
      return { what: `${plugin} is not installed`, remedy };
    },
  },
  {
    pattern: /Unknown file extension ["']?\.(?:ts|mts|cts)["']?/,
    explain: () => ({
      what: "this Node does not run TypeScript, but the project's tests need that",
      remedy: "install Node 22.18 or later, or the version of Node that the project names",
    }),
  },
  {
    pattern: /Detected Maven Version: (\S+) is not in the allowed range (\S+?)\.?\s/,
    explain: ([, found = "", wanted = ""]) => ({
      what: `Maven ${found} is outside the versions that the project allows (${wanted})`,
      remedy: "install a version of Maven that the project allows",
    }),
  },
  {
    pattern: /(?:error: release version|invalid target release:) (\d+)/,
    explain: ([, version = ""]) => ({
      what: `the Java compiler does not support Java ${version}`,
      remedy: `install a JDK that supports Java ${version}, or set JAVA_HOME to the folder of such a JDK`,
    }),
  },
  {
    pattern:
      /Cannot access \S+ \([^)]*\) in offline mode|Could not resolve dependencies for project|Non-resolvable parent POM|Plugin \S+ or one of its dependencies could not be resolved/,
    explain: () => ({
      what: "artifacts of Maven are not in the local repository",
      remedy: `run \`mvn test\` or \`./mvnw test\` once ${online}`,
    }),
  },
  {
    pattern:
      /No cached version of \S+ available for offline mode|Could not resolve all (?:files|dependencies|artifacts)|Could not (?:install Gradle|download) .*gradle-[\d.]+/,
    explain: () => ({
      what: "Gradle or the project's dependencies are not in Gradle's cache",
      remedy: `run \`./gradlew testClasses\`, or \`gradle testClasses\` if there is no wrapper, once ${online}`,
    }),
  },
  {
    pattern: /go\.mod requires go >= (\S+) \(running go ([\w.]+)/,
    explain: ([, wanted = "", found = ""]) => ({
      what: `the project requires Go ${wanted}, but Go ${found} is installed`,
      remedy: `install Go ${wanted} or later`,
    }),
  },
  {
    pattern:
      /missing go\.sum entry|no required module provides package|cannot find module providing|dial tcp: lookup|module lookup disabled/,
    explain: () => ({
      what: "modules of go.mod are not in the module cache",
      remedy: `run \`go mod download\` ${online}`,
    }),
  },
  {
    pattern: /rustc (\S+) is not supported by|requires rustc (\S+)/,
    explain: ([, found, wanted]) => ({
      what: `the Rust compiler is too old${wanted ? `: the project requires ${wanted}` : found ? ` (${found})` : ""}`,
      remedy: "run `rustup update`",
    }),
  },
  {
    pattern:
      /failed to (?:download|fetch|load source for dependency) |failed to get `[^`]+` as a dependency|attempting to make an HTTP request, but --offline|Could not resolve host|Couldn't resolve host/,
    explain: () => ({
      what: "crates of Cargo.toml are not in the local registry",
      remedy: `run \`cargo fetch\` ${online}`,
    }),
  },
  {
    pattern: /Could NOT find (\w+)|Could not find a package configuration file provided by "(\w+)"/,
    explain: ([, one, other]) => ({
      what: `CMake does not find ${one ?? other}`,
      remedy: "install it with its development files",
    }),
  },
  {
    pattern: /No CMAKE_\w+_COMPILER could be found/,
    explain: () => ({ what: "there is no C or C++ compiler", remedy: "install gcc or clang" }),
  },
  ...languages.flatMap(({ missing = [] }) => missing),
];

/**
 * Returns the command that installs the missing packages of a `package.json`, chosen by its lock file, as a remedy:
 * "run `npm ci` in FOLDER".
 */
export function installPackages(project: ProjectView, directory: string): string {
  const has = (name: string): boolean =>
    project.files.includes(posix.join(directory, name)) || project.files.includes(name);
  const install = has("pnpm-lock.yaml")
    ? "pnpm install"
    : has("yarn.lock")
      ? "yarn install"
      : has("bun.lockb") || has("bun.lock")
        ? "bun install"
        : has("package-lock.json") || has("npm-shrinkwrap.json")
          ? "npm ci"
          : "npm install";
  return `run \`${install}\`${directory === "" ? "" : ` in ${directory}`}`;
}

function pythonOf(project: ProjectView, command: TestCommand): string | undefined {
  const named = /(?:^|\s)(\S+\/python[\d.]*)(?:\s|$)/.exec(command.command)?.[1];
  return named ?? [".venv", "venv"].map((name) => `${name}/bin/python`).find((path) => project.exists(path));
}

function installModules(project: ProjectView, command: TestCommand, module: string): string {
  const python = pythonOf(project, command);
  const requirements = project.files.find((file) =>
    /^(?:requirements[/-]|tests?\/)?(?:requirements-)?(?:dev|test|tests|testing|requirements)(?:[-_.]?requirements)?\.txt$/.test(
      file,
    ),
  );
  const isPackage = project.files.some((file) => file === "pyproject.toml" || file === "setup.py");
  const what = [
    ...(isPackage ? ["-e ."] : []),
    ...(requirements ? [`-r ${requirements}`] : []),
    ...(requirements && module !== "pytest" ? [] : [module]),
  ].join(" ");
  return python === undefined
    ? `python3 -m venv .venv && .venv/bin/python -m pip install ${what}`
    : `${python} -m pip install ${what}`;
}

function installItself(module: string, project: ProjectView, command: TestCommand): MissingPart | undefined {
  const isPackage = project.files.some((file) => file === "pyproject.toml" || file === "setup.py");
  if (!isPackage) return undefined;
  const python = pythonOf(project, command);
  const install =
    python === undefined
      ? "python3 -m venv .venv && .venv/bin/python -m pip install -e ."
      : `${python} -m pip install -e .`;
  return {
    what: `the project's own module ${module}, or a compiled part of it, is not installed`,
    remedy: `run \`${install}\``,
  };
}
