/** Keeps the arguments of a written Maven command that select tests, and adds ours. */
import type { Selection } from "../contract.ts";
import { selectClasses } from "./java-selection.ts";

const lifecycle = [
  "test",
  "prepare-package",
  "package",
  "pre-integration-test",
  "integration-test",
  "verify",
];

/** Options that take a value in the next word. */
const valued =
  /^(-f|--file|-P|--activate-profiles|-pl|--projects|-s|--settings|-gs|--global-settings|-t|--toolchains|-T|--threads|-l|--log-file|-rf|--resume-from|-D|--define)$/;
const kept =
  /^(-f|--file|-P|--activate-profiles|-pl|--projects|-am|--also-make|-t|--toolchains|-D|--define)$/;
const dropped =
  /^-D(skipTests|maven\.test\.skip|test|maven\.test\.failure\.ignore|maven\.repo\.local|surefire\.reportsDirectory|argLine)(=|$)/;

/**
 * Keeps the words that select the tests: profiles, properties, modules, and either goals of surefire or the last phase.
 * `install` and `deploy` become `verify`; without a phase from `test` on, adds `test`.
 */
export function keepMavenWords(words: readonly string[]): string[] {
  const options: string[] = [];
  const goals: string[] = [];
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] ?? "";
    const value = valued.test(word) ? words[at + 1] : undefined;
    if (value !== undefined) at += 1;
    if (!word.startsWith("-")) goals.push(word);
    else if (kept.test(word) && !dropped.test(`-D${value ?? ""}`)) {
      options.push(word, ...(value === undefined ? [] : [value]));
    } else if (/^(-D.|-P.)/.test(word) && !dropped.test(word)) options.push(word);
  }
  // Goals of plug-ins say all by themselves; a phase beside them would run everything else too.
  if (goals.some((goal) => /surefire.*:test$/.test(goal))) return [...options, ...goals];
  const reached = Math.max(
    0,
    ...goals.map((goal) => lifecycle.indexOf(/^(install|deploy)$/.test(goal) ? "verify" : goal)),
  );
  return [...options, lifecycle[reached] ?? "test"];
}

/** Checks of style, licences and formats. They run between the build and the tests, and say nothing about the tests. */
const skipped = [
  "animal.sniffer.skip",
  "checkstyle.skip",
  "cyclonedx.skip",
  "dependency-check.skip",
  "enforcer.skip",
  "fmt.skip",
  "forbiddenapis.skip",
  "gpg.skip",
  "impsort.skip",
  "jacoco.skip",
  "japicmp.skip",
  "license.skip",
  "maven.javadoc.skip",
  "maven.source.skip",
  "pmd.skip",
  "cpd.skip",
  "rat.skip",
  "revapi.skip",
  "sortpom.skip",
  "spotbugs.skip",
  "spotless.apply.skip",
  "spotless.check.skip",
];
export const skippedChecks: readonly string[] = skipped.map((name) => `-D${name}=true`);

/**
 * Options of each run. Maven works offline with the local repository that the user's builds filled, and ignores its
 * records of each artifact's origin. Tests every module, and prints whole stack traces.
 */
export const runOptions: readonly string[] = [
  "-B",
  "-o",
  "-fae",
  "-Dstyle.color=never",
  "-Daether.enhancedLocalRepository.trackingFilename=_untracked",
  "-Dmaven.test.failure.ignore=false",
  "-Dsurefire.rerunFailingTestsCount=0",
  "-DtrimStackTrace=false",
  "-Dmaven.test.redirectTestOutputToFile=true",
  ...skippedChecks,
];

/** Maximum number of characters, because Linux limits one argument to 128 KiB. */
const longestArgument = 100_000;

/**
 * Returns the options that select tests and their modules. Selects methods only within a single class: surefire before
 * 2.19 supports no more. A list of classes that is too long for an argument selects all tests.
 */
export function chooseTests(selection: Selection, directory: string, modules: readonly string[]): string[] {
  const classes = selectClasses(selection);
  if (classes === undefined) return [];
  const names = [...new Set(classes.map((each) => (each.nested ? `${each.name}*` : each.name)))];
  const [only] = classes;
  const methods = classes.length === 1 && only?.methods !== undefined ? `#${only.methods.join("+")}` : "";
  const nested = only?.nested === true;
  const single = `${names[0]}${nested ? "" : methods}`;
  const test = names.length === 1 && single.length < longestArgument ? single : names.join(",");
  const chosen = [
    "-DfailIfNoTests=false",
    "-DfailIfNoSpecifiedTests=false",
    "-Dsurefire.failIfNoSpecifiedTests=false",
  ];
  if (test.length < longestArgument) chosen.push(`-Dtest=${test}`);
  const wanted = classes.map((each) => each.module);
  if (modules.length > 1 && wanted.every((module) => module !== undefined && modules.includes(module))) {
    const folders = [...new Set(wanted)].map((module) => relativeTo(directory, module ?? ""));
    chosen.push("-pl", folders.join(","), "-am");
  }
  return chosen;
}

function relativeTo(directory: string, module: string): string {
  if (module === directory) return ".";
  return directory === "" ? module : module.slice(directory.length + 1);
}
