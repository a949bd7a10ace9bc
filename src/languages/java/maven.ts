import { quoteWord } from "../../base/shell-word.ts";
import {
  type BatchRequest,
  defineTestFramework,
  type Invocation,
  type InvocationRequest,
  type ProjectView,
  type TestCommand,
} from "../contract.ts";
import { encodeBatch, firstOfEach, parseJavaBatch } from "./java-batch.ts";
import { javaCanary } from "./java-canary.ts";
import { findWrittenBuilds, formatBuildCommand, readBuildCommand } from "./java-command.ts";
import { javaJudging } from "./java-judging.ts";
import { findJavaBuilds, type JavaBuild } from "./java-modules.ts";
import { parseBuildReport } from "./java-report.ts";
import { encodeBuildRequest } from "./java-request.ts";
import { chooseTests, keepMavenWords, runOptions } from "./maven-arguments.ts";

const programs = /^(mvnw?|mvnd)$/;

function detect(project: ProjectView): TestCommand[] {
  const builds = findJavaBuilds(project, ["pom.xml"]);
  const commands = builds.flatMap((build, at) => describeBuild(project, build, at));
  for (const [at, { command, foundBy }] of findWrittenBuilds(project, programs).entries()) {
    const build = builds.find((each) => each.directory === command.directory);
    if (build === undefined) continue;
    const text = formatBuildCommand({ ...command, program: "mvn", words: keepMavenWords(command.words) });
    // A build up to `verify` runs more than tests; it is for projects whose modules need each other packed.
    commands.push(makeCommand(build.directory, text, foundBy, 0.6 - at / 100));
  }
  const seen = new Set<string>();
  return commands.filter(({ directory, command }) => {
    const id = `${directory}\n${command}`;
    return !seen.has(id) && seen.add(id);
  });
}

/** Prefers the installed Maven, because a wrapper may have to be downloaded. */
function describeBuild(project: ProjectView, build: JavaBuild, at: number): TestCommand[] {
  const likelihood = (build.hasTests ? 0.9 : 0.3) - at / 20;
  const wrapper = [build.directory, "mvnw"].filter((part) => part !== "").join("/");
  const found = [makeCommand(build.directory, "mvn test", build.description, likelihood)];
  if (project.files.includes(wrapper)) {
    found.push(makeCommand(build.directory, "sh ./mvnw test", wrapper, likelihood - 0.1));
  }
  // Nothing but the tests and what they need: for a build with a plug-in that this Maven or machine does not have.
  const goals = `resources:resources compiler:compile resources:testResources compiler:testCompile surefire:test`;
  found.push(makeCommand(build.directory, `mvn ${goals}`, build.description, likelihood - 0.2));
  return found;
}

function makeCommand(directory: string, command: string, foundBy: string, likelihood: number): TestCommand {
  return { framework: "maven", directory, command, foundBy, likelihood };
}

function recognise(command: string): TestCommand | undefined {
  const found = readBuildCommand(command, programs);
  if (found === undefined) return undefined;
  const text = formatBuildCommand({ ...found, words: keepMavenWords(found.words) });
  return makeCommand(found.directory, text, "--test-command", 1);
}

type BuildStart = Pick<InvocationRequest, "command" | "paths" | "project" | "selection">;

/**
 * Makes the JVM compile Maven's code quickly instead of well, because Maven runs for seconds. Does not affect the
 * tests' own processes.
 */
const quickStart = `MAVEN_OPTS="-XX:TieredStopAtLevel=1\${MAVEN_OPTS:+ $MAVEN_OPTS}"; export MAVEN_OPTS`;

/** Starts our script, which runs the command with our options. */
function startBuild(request: BuildStart, script: string, more: readonly string[]): BuildInvocation {
  const { command, paths, project, selection } = request;
  const build = findJavaBuilds(project, ["pom.xml"]).find((each) => each.directory === command.directory);
  const modules = build?.modules ?? [command.directory];
  const chosen = chooseTests(selection, command.directory, modules);
  const words = [...runOptions, ...chosen, ...more];
  const options = words.map(quoteWord).join(" ");
  const text = `${quickStart}; exec sh "$0/java/${script}" "$1" "$0" ${startOf(command.command)} ${options}`;
  return { run: ["/bin/sh", "-c", text, paths.runtime, paths.report], modules };
}

interface BuildInvocation {
  readonly run: readonly string[];
  readonly modules: readonly string[];
}

/**
 * surefire reorders classes; JUnit 5.4 and later reorders methods too, and reads its parameters from the JVM's
 * properties.
 */
const shuffled = [
  "-Dsurefire.runOrder=reversealphabetical",
  "-Djunit.jupiter.testmethod.order.default=org.junit.jupiter.api.MethodOrderer$Random",
  "-Djunit.jupiter.testclass.order.default=org.junit.jupiter.api.ClassOrderer$Random",
  "-Djunit.jupiter.execution.order.random.seed=4711",
];

function invoke(request: InvocationRequest): Invocation {
  const more = [
    ...(request.stopAtFirstFailure ? ["-Dsurefire.skipAfterFailureCount=1"] : []),
    ...(request.varied === true ? shuffled : []),
  ];
  const script = request.coverage ? "run-batch.sh" : "run-build.sh";
  const { run, modules } = startBuild(request, script, more);
  const env = encodeBuildRequest(request, modules);
  return { run, env: request.coverage ? { ...env, MILLWRIGHT_COVERAGE: "1" } : env, programs: ["java"] };
}

function invokeBatch(request: BatchRequest): Invocation {
  const selection = { kind: "tests" as const, tests: firstOfEach(request.tests) };
  const { run, modules } = startBuild({ ...request, selection }, "run-batch.sh", []);
  const batch = encodeBatch(request);
  const env = encodeBuildRequest({ ...request, selection }, modules);
  return { run, env: batch === undefined ? env : { ...env, MILLWRIGHT_BATCH: batch }, programs: ["java"] };
}

/** The command as an argument of another command: `env` sets its variables. */
function startOf(command: string): string {
  return /^\s*[A-Za-z_]\w*=/.test(command) ? `env ${command}` : command;
}

export default defineTestFramework({
  name: "maven",
  language: "java",
  description: "Maven with surefire: JUnit 3 to 6, TestNG; offline, from ~/.m2/repository",
  coverage: "counters",
  judging: javaJudging,
  builds: true,
  varies: "in another order",
  canary: javaCanary,
  detect,
  recognise: (command) => recognise(command),
  invoke,
  parse: parseBuildReport,
  batch: { kind: "schema", size: 60, keepsBuild: true, invoke: invokeBatch, parse: parseJavaBatch },
});
