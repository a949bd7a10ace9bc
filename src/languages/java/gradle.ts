import { quoteWord } from "../../base/shell-word.ts";
import {
  defineTestFramework,
  type Invocation,
  type InvocationRequest,
  type ProjectView,
  type TestCommand,
} from "../contract.ts";
import { javaCanary } from "./java-canary.ts";
import { findWrittenBuilds, formatBuildCommand, readBuildCommand } from "./java-command.ts";
import { javaJudging } from "./java-judging.ts";
import { findJavaBuilds } from "./java-modules.ts";
import { parseBuildReport } from "./java-report.ts";
import { encodeBuildRequest } from "./java-request.ts";
import { selectClasses } from "./java-selection.ts";

const programs = /^gradlew?$/;
const descriptions = ["build.gradle", "build.gradle.kts", "settings.gradle", "settings.gradle.kts"];

function detect(project: ProjectView): TestCommand[] {
  const commands = findJavaBuilds(project, descriptions).flatMap((build, at) => {
    const wrapper = [build.directory, "gradlew"].filter((part) => part !== "").join("/");
    // A repository with Maven's description too is built by that one, which needs no daemon.
    const hasPom = project.files.includes(wrapper.replace(/gradlew$/, "pom.xml"));
    const likelihood = (build.hasTests ? 0.88 : 0.3) - at / 20 - (hasPom ? 0.2 : 0);
    const starts = project.files.includes(wrapper) ? ["sh ./gradlew test", "gradle test"] : ["gradle test"];
    return starts.map((command, place) =>
      makeCommand(build.directory, command, build.description, likelihood - place / 10),
    );
  });
  for (const { command, foundBy } of findWrittenBuilds(project, programs)) {
    const tasks = keepTasks(command.words);
    if (tasks.some((task) => /(^|:)test$/.test(task))) {
      commands.push(
        makeCommand(command.directory, formatBuildCommand({ ...command, words: tasks }), foundBy, 0.6),
      );
    }
  }
  const seen = new Set<string>();
  return commands.filter(({ directory, command }) => {
    const id = `${directory}\n${command}`;
    return !seen.has(id) && seen.add(id);
  });
}

/** Options that take a value in the next word. */
const valued =
  /^(-x|--exclude-task|-p|--project-dir|-b|--build-file|-c|--settings-file|-I|--init-script|--tests|--max-workers)$/;

/** Keeps tasks and properties. `check` and `build` also run the tests, and do more. */
function keepTasks(words: readonly string[]): string[] {
  const kept = words.filter(
    (word, at) => (!word.startsWith("-") && !valued.test(words[at - 1] ?? "")) || /^-P./.test(word),
  );
  const tasks = kept
    .map((word) => word.replace(/(^|:)(check|build)$/, "$1test"))
    .filter((word) => word !== "clean");
  return tasks.some((word) => !word.startsWith("-")) ? [...new Set(tasks)] : [...tasks, "test"];
}

function makeCommand(directory: string, command: string, foundBy: string, likelihood: number): TestCommand {
  return { framework: "gradle", directory, command, foundBy, likelihood };
}

/** Places `--tests` after its task. Selects a parameterised method with all its values. */
function chooseTests(request: InvocationRequest): string[] {
  const classes = selectClasses(request.selection);
  return (classes ?? []).flatMap(({ name, nested, methods }) => {
    if (nested || methods === undefined) return ["--tests", nested ? `${name}*` : name];
    return methods.flatMap((method) => ["--tests", `${name}.${method}*`]);
  });
}

/** Linux limits one argument to 128 KiB, and the whole script is one argument. */
const longestChoice = 100_000;

function invoke(request: InvocationRequest): Invocation {
  const { command, paths, project } = request;
  const build = findJavaBuilds(project, descriptions).find((each) => each.directory === command.directory);
  const options = [
    "--offline",
    "--continue",
    "--no-daemon",
    "--console=plain",
    "--no-build-cache",
    "--rerun-tasks",
  ];
  if (request.stopAtFirstFailure) options.push("-Dorg.gradle.test.failFast=true");
  const tests = chooseTests(request).map(quoteWord).join(" ");
  const chosen = tests.length < longestChoice ? tests : "";
  const init = `-I "$0/java/millwright-init.gradle"`;
  const script = `exec sh "$0/java/run-build.sh" "$1" "$0" ${command.command} ${chosen} ${init} ${options.join(" ")}`;
  return {
    run: ["/bin/sh", "-c", script, paths.runtime, paths.report],
    env: encodeBuildRequest(request, build?.modules ?? [command.directory]),
    programs: ["java"],
  };
}

export default defineTestFramework({
  name: "gradle",
  language: "java",
  description: "Gradle's test task, offline; checked only against sample reports, never run",
  coverage: "none",
  canary: javaCanary,
  judging: javaJudging,
  detect,
  recognise(command) {
    const found = readBuildCommand(command, programs);
    if (found === undefined) return undefined;
    const text = formatBuildCommand({ ...found, words: keepTasks(found.words) });
    return makeCommand(found.directory, text, "--test-command", 1);
  },
  invoke,
  parse: parseBuildReport,
});
