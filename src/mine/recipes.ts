/** Recipes for the environment of a commit, from the project's own files. Mining uses the first recipe that works. */

import { isRecord } from "../base/fields.ts";
import type { ProjectView } from "../languages/contract.ts";
import { familyOf } from "../languages/source-files.ts";

export interface Recipe {
  /** The recipe's name, for people. */
  readonly name: string;
  /** A shell script that runs in the root with network access; absent: only the machine's own toolchain. */
  readonly setup?: string;
  /** The test command; absent: Millwright searches for it. */
  readonly testCommand?: string;
  /**
   * True if the tests may run an installed copy instead of the checkout. If the fix then has no effect, Millwright
   * tries the next recipe.
   */
  readonly mayRunCopy?: true;
}

/**
 * Lists recipes for an environment. The machine's own toolchain comes first if the project declares no packages.
 * Otherwise it comes last, because other machines may lack this machine's packages. `date`: time of the change, ISO
 * 8601.
 */
export function listRecipes(project: ProjectView, language: string, date: string): readonly Recipe[] {
  const family = familyOf(language);
  const own = recipesOf[family]?.(project, date.slice(0, 10)) ?? [];
  const plain: Recipe = {
    name: "the machine's own toolchain",
    ...(family === "python" ? { mayRunCopy: true } : {}),
  };
  return declaresPackages[family]?.(project) === true ? [...own, plain] : [plain, ...own];
}

/** True if the project's files name packages that its code or its tests need. */
const declaresPackages: Readonly<Record<string, (project: ProjectView) => boolean>> = {
  python: (project) =>
    packageDeclares(project) ||
    requirementsOf(project).length > 0 ||
    [...listExtras(project), ...listGroups(project)].length > 0 ||
    [...listToxPackages(project), ...listPoetryPackages(project)].length > 0,
  javascript: (project) => hasText(project, "package.json", /"(?:devD|d)ependencies"\s*:\s*\{\s*"/),
  rust: (project) =>
    project.files
      .filter((path) => /(?:^|\/)Cargo\.toml$/.test(path)) // members of a workspace declare their own
      .some((path) => hasText(project, path, /^\s*\[.*\b(?:dev-|build-)?dependencies\b/m)),
  go: (project) => hasText(project, "go.mod", /^require\b/m),
  java: () => true,
};

function hasText(project: ProjectView, path: string, pattern: RegExp): boolean {
  return pattern.test(project.read(path) ?? "");
}

type Recipes = (project: ProjectView, date: string) => readonly Recipe[];

const recipesOf: Readonly<Record<string, Recipes>> = {
  python: pythonRecipes,
  javascript: javascriptRecipes,
  rust: rustRecipes,
  go: goRecipes,
  java: javaRecipes,
};

/** Sets the version for packages that compute it from git tags, because a single commit has no tags. */
const versions =
  'V=$MILLWRIGHT_VERSION; [ -n "$V" ] || V=0.0.1; export SETUPTOOLS_SCM_PRETEND_VERSION=$V PBR_VERSION=$V';

const testNames = /^(?:tests?|testing|dev|develop(?:ment)?)$/i;
const testRequirements =
  /^(?:requirements[-_/.])?(?:tests?|dev|develop|testing)(?:[-_]requirements)?(?:\.(?:txt|in))$|^(?:tests?|requirements)\/requirements?(?:[-_](?:tests?|dev))?\.txt$|^requirements[-_](?:tests?|dev)\.txt$/;

/** Finds uv: the machine's own, or one outside of the environment, because uv is larger than most environments. */
const findUv =
  "if uv --version >/dev/null 2>&1; then UV=uv; else T=$(mktemp -d) && python3 -m venv $T && $T/bin/pip install -q uv && UV=$T/bin/uv; fi";
/**
 * Makes uv trust the machine's certificates, as pip does. uv's own list lacks the certificates of a company's proxy.
 */
const trustMachine = "export UV_NATIVE_TLS=true UV_SYSTEM_CERTS=true";

/**
 * The date until which setuptools may be released. An editable install with uv needs setuptools 64, which is younger
 * than many changes. Version 68.0 still runs with Python 3.7.
 */
const enoughSetuptools = "2023-06-30";
const newerSetuptools = ` --exclude-newer-package setuptools=${enoughSetuptools}T23:59:59Z`;

/** Release dates of Python's versions, from Python's release schedules. */
const pythonReleases: readonly (readonly [version: string, day: string])[] = [
  ["3.6", "2016-12-23"],
  ["3.7", "2018-06-27"],
  ["3.8", "2019-10-14"],
  ["3.9", "2020-10-05"],
  ["3.10", "2021-10-04"],
  ["3.11", "2022-10-24"],
  ["3.12", "2023-10-02"],
  ["3.13", "2024-10-07"],
  ["3.14", "2025-10-07"],
];

/** Returns shell text that sets `P` to this version of Python. It fails if the machine lacks the version, or if this is the usual version, which an earlier recipe tried. */
function findPython(version: string): string {
  const candidates = `python${version} "\${PYENV_ROOT:-$HOME/.pyenv}"/versions/${version}.*/bin/python${version}`;
  return [
    `case "$(python3 --version)" in *" ${version}."*) echo "the usual Python is ${version}, too" >&2; exit 1;; esac`,
    `for P in ${candidates} none; do "$P" -c "" 2>/dev/null && break; done`,
    `if [ "$P" = none ]; then echo "this machine has no Python ${version}" >&2; exit 1; fi`,
  ].join("; ");
}

function pythonRecipes(project: ProjectView, date: string): Recipe[] {
  const isPackage = ["pyproject.toml", "setup.py", "setup.cfg"].some((path) => project.files.includes(path));
  const files = requirementsOf(project);
  const extras = listExtras(project);
  const groups = listGroups(project);
  const own = isPackage ? [`-e '.${extras.length === 0 ? "" : `[${extras.join(",")}]`}'`] : [];
  const named = new Set([...listToxPackages(project), ...listPoetryPackages(project)]);
  named.delete("pytest");
  const wanted = [
    ...own,
    "pytest",
    ...files.map((path) => `-r '${path}'`),
    ...[...named].map((each) => `'${each}'`),
  ].join(" ");
  const grouped = groups.map((group) => ` --group ${group}`).join("");
  const make = "python3 -m venv .venv";
  const until = `--exclude-newer ${date}T23:59:59Z${date < enoughSetuptools ? newerSetuptools : ""}`;
  const asOf = (python: string): string =>
    `${trustMachine} && ${findUv} && $UV venv -q --seed --python ${python} ${until} .venv && ${versions} && $UV pip install -q --python .venv/bin/python ${until} ${wanted}${grouped}`;
  const current = pythonReleases.findLast(([, day]) => day <= date)?.[0];
  return [
    { name: `a virtual environment with packages as of ${date}`, setup: asOf("python3") },
    ...(current === undefined
      ? []
      : [
          {
            name: `a virtual environment with Python ${current} and packages as of ${date}`,
            setup: `${findPython(current)}; ${asOf('"$P"')}`,
          },
        ]),
    {
      name: "a virtual environment with packages as of today",
      setup: `${make} && .venv/bin/pip install -q -U pip && ${versions} && .venv/bin/pip install -q ${wanted}${grouped}`,
    },
    {
      name: "a virtual environment with only the package and pytest",
      setup: `${make} && ${versions} && .venv/bin/pip install -q ${[...(isPackage ? ["-e ."] : []), "pytest"].join(" ")}`,
    },
  ];
}

function packageDeclares(project: ProjectView): boolean {
  return (
    hasText(project, "pyproject.toml", /^dependencies\s*=\s*\[\s*[^\s\]]|^\[tool\.poetry\.dependencies\]/m) ||
    hasText(project, "setup.cfg", /^install_requires\s*=\s*\S/m) ||
    hasText(project, "setup.py", /\binstall_requires\s*=/)
  );
}

/** Returns the files of requirements for tests. Adds `requirements.txt` if no package declares what the code needs. */
function requirementsOf(project: ProjectView): string[] {
  const wanted = project.files.filter((path) => testRequirements.test(path));
  const plain = "requirements.txt";
  return !packageDeclares(project) && project.files.includes(plain) ? [plain, ...wanted] : wanted;
}

/** Returns the extras that concern tests, from `[project.optional-dependencies]` or `[options.extras_require]`. */
function listExtras(project: ProjectView): string[] {
  const named = [
    ...keysBelow(project.read("pyproject.toml") ?? "", "project.optional-dependencies"),
    ...keysBelow(project.read("setup.cfg") ?? "", "options.extras_require"),
  ];
  return [...new Set(named)].filter((name) => testNames.test(name));
}

function listGroups(project: ProjectView): string[] {
  return keysBelow(project.read("pyproject.toml") ?? "", "dependency-groups").filter((name) =>
    testNames.test(name),
  );
}

/** Returns the packages that tox installs in each environment. Omits those with conditions or variables. */
function listToxPackages(project: ProjectView): string[] {
  const text = linesBelow(project.read("tox.ini") ?? "", "testenv").join("\n");
  const [, packages = ""] = /^deps\s*=(.*(?:\n(?:[ \t].*)?)*)/m.exec(text) ?? [];
  const lines = packages.split("\n").map((line) => line.replace(/\s+#.*$/, "").trim());
  return lines.filter((line) => /^[A-Za-z][\w.-]*(?:\[[\w,-]+\])?\s*(?:[<>=!~][\w.,<>=!~* ]*)?$/.test(line));
}

/** Returns the names of the packages in Poetry's groups for tests. Their versions are those of the change's date. */
function listPoetryPackages(project: ProjectView): string[] {
  const text = project.read("pyproject.toml") ?? "";
  const groups = [...text.matchAll(/^\[tool\.poetry\.group\.([\w-]+)\.dependencies\]/gm)].map(
    ([, name = ""]) => name,
  );
  const wanted = groups.filter((name) => testNames.test(name));
  const sections = [
    "tool.poetry.dev-dependencies",
    ...wanted.map((name) => `tool.poetry.group.${name}.dependencies`),
  ];
  return sections.flatMap((section) => keysBelow(text, section)).filter((name) => name !== "python");
}

function keysBelow(text: string, section: string): string[] {
  return linesBelow(text, section).flatMap((line) => /^"?([A-Za-z][\w.-]*)"?\s*=/.exec(line)?.[1] ?? []);
}

/** Returns the lines between the section's head and the next section; empty without the section. */
function linesBelow(text: string, section: string): string[] {
  const lines = text.split("\n");
  const start = lines.findIndex((line) => line.trim() === `[${section}]`);
  if (start === -1) return [];
  const end = lines.findIndex((line, at) => at > start && /^\[/.test(line));
  return lines.slice(start + 1, end === -1 ? lines.length : end);
}

function javascriptRecipes(project: ProjectView, date: string): Recipe[] {
  const manifest = readManifest(project);
  if (manifest === undefined) return [];
  const has = (path: string): boolean => project.files.includes(path);
  const quiet = "--ignore-scripts --no-audit --no-fund --loglevel=error";
  const locked: Recipe[] = [];
  if (has("package-lock.json") || has("npm-shrinkwrap.json"))
    locked.push({ name: "the packages of npm's lock file", setup: `npm ci ${quiet}` });
  if (has("pnpm-lock.yaml"))
    locked.push({
      name: "the packages of pnpm's lock file",
      setup: `npx --yes pnpm@${pnpmVersion(project)} install --frozen-lockfile --ignore-scripts --reporter=silent`,
    });
  if (has("yarn.lock"))
    locked.push({
      name: "the packages of yarn's lock file",
      setup: "npx --yes yarn@1 install --frozen-lockfile --ignore-scripts --silent",
    });
  const install = `npm install ${quiet} --no-package-lock --legacy-peer-deps`;
  return [
    ...locked,
    { name: `packages as of ${date}`, setup: `${install} --before=${date}T23:59:59Z` },
    { name: "packages as of today", setup: install },
  ];
}

function readManifest(project: ProjectView): unknown {
  try {
    const manifest: unknown = JSON.parse(project.read("package.json") ?? "");
    return isRecord(manifest) ? manifest : undefined;
  } catch {
    return undefined;
  }
}

/** Returns the version of pnpm that fits the lock file's format: 9 from format 9, 8 from format 6, otherwise 7. */
function pnpmVersion(project: ProjectView): string {
  const format = /^lockfileVersion:\s*['"]?(\d+)/m.exec(project.read("pnpm-lock.yaml") ?? "")?.[1] ?? "9";
  return Number(format) >= 9 ? "9" : Number(format) >= 6 ? "8" : "7";
}

function rustRecipes(project: ProjectView): Recipe[] {
  const manifest = project.read("Cargo.toml");
  if (manifest === undefined) return [];
  const all = /^\[workspace\]/m.test(manifest) ? " --workspace" : "";
  const setup = "export CARGO_HOME=$PWD/.cargo-home; cargo fetch";
  const test = `CARGO_HOME=.cargo-home cargo test --offline${all}`;
  return [
    { name: "crates fetched", setup, testCommand: test },
    {
      name: "crates fetched, lints capped",
      setup,
      testCommand: `RUSTFLAGS='--cap-lints warn' ${test}`,
    },
  ];
}

/**
 * Lists recipes that store modules in `vendor`, which go uses by default. The home's own caches are read-only in a
 * sandbox.
 */
function goRecipes(project: ProjectView): Recipe[] {
  if (!project.files.includes("go.mod")) return [];
  const folder = `C=$(mktemp -d) && trap 'rm -rf "$C"' EXIT`;
  const caches = 'export GOMODCACHE="$C/modules" GOCACHE="$C/build" GOFLAGS=-modcacherw';
  return [{ name: "modules vendored", setup: `${folder} && ${caches} && go mod vendor` }];
}

function javaRecipes(project: ProjectView): Recipe[] {
  if (!project.files.includes("pom.xml")) return [];
  const local = "-Dmaven.repo.local=.maven-repository";
  return [
    {
      name: "artifacts fetched",
      setup: `mvn -q -B ${local} -DskipTests test-compile surefire:help dependency:go-offline`,
      testCommand: `mvn -o -q ${local} test`,
    },
  ];
}
