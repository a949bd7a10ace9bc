/** Shared parts of Ruby's test frameworks: detection, commands, and the start of our reporter. */

import { posix } from "node:path";
import picomatch from "picomatch";
import { once } from "../../base/once.ts";
import type {
  Invocation,
  InvocationRequest,
  PlaceCanary,
  PlaceExamples,
  ProjectView,
  TestCommand,
  TestFramework,
} from "../contract.ts";
import { listWrittenCommands } from "../discovery/written-commands.ts";
import { forkedBatch } from "../forked-batch.ts";
import { withoutOptions } from "../option-words.ts";
import { parseReportLines } from "../report-lines.ts";
import { encodeSelection, encodeShare } from "../selection-parts.ts";
import { listHelpersOfScripts, readRakeTasks } from "./rakefile.ts";
import { formatRubyCommand, type RubyCommand, readRubyCommand } from "./ruby-command.ts";
import { rubyJudging } from "./ruby-judging.ts";

export type RubyRunner = "minitest" | "rspec" | "test-unit";

interface RubyFramework {
  readonly name: RubyRunner;
  readonly description: string;
  readonly canary: PlaceCanary;
  readonly examples: PlaceExamples;
}

const foreign = /(?:^|\/)(?:vendor|node_modules|\.bundle|gems)\//;
const named =
  /(?:^|\/)(?:test|tests|spec|specs)\/(?:.*\/)?(?:test_\w+|tc_\w+|[\w-]+_(?:test|tests|spec))\.rb$|(?:^|\/)[\w-]+_(?:spec|test)\.rb$|(?:^|\/)test\.rb$/;

function testFilesOf(project: ProjectView): string[] {
  return project.files.filter((file) => named.test(file) && !foreign.test(file));
}

interface ProjectTests {
  readonly of: ReadonlyMap<RubyRunner, readonly string[]>;
  /** The runner of a file, read from its text or from the helper that it loads. */
  readonly runnerOf: (file: string) => RubyRunner | undefined;
}

const readTests = once((project: ProjectView): ProjectTests => {
  const helpers = project.files.filter((file) =>
    /(?:^|\/)(?:test|spec|tests)\/(?:\w*helper|\w*setup|all|common)\.rb$/.test(file),
  );
  const shared = helpers.map((file) => project.read(file) ?? "").join("\n");
  const runnerOf = (file: string): RubyRunner | undefined =>
    tellRunner(file, project.read(file) ?? "", shared);
  const found = new Map<RubyRunner, string[]>();
  for (const file of testFilesOf(project)) {
    const runner = runnerOf(file);
    if (runner !== undefined) found.set(runner, [...(found.get(runner) ?? []), file]);
  }
  return { of: found, runnerOf };
});

const usesMinitest = /\bmini_?test\b|ActiveSupport::TestCase/i;
const usesTestUnit = /Test::Unit|test[/-]unit/;

function tellRunner(file: string, text: string, shared: string): RubyRunner | undefined {
  if (/Minitest::|MiniTest::|["']minitest\//.test(text)) return "minitest";
  if (usesTestUnit.test(text))
    return usesMinitest.test(shared) && !usesTestUnit.test(shared) ? "minitest" : "test-unit";
  const isSpec = file.endsWith("_spec.rb");
  if (isSpec && !usesMinitest.test(shared))
    return /\b(?:describe|context|it|specify|feature)\b/.test(text) ? "rspec" : undefined;
  if (usesMinitest.test(text) || usesMinitest.test(shared)) return "minitest";
  return usesTestUnit.test(shared) ? "test-unit" : undefined;
}

function relativeTo(directory: string, file: string): string {
  return posix.relative(`/${directory}`, `/${file}`);
}

/**
 * The files of a command, relative to the repository's root: those that it names, those of its task, or all of the
 * framework.
 */
function filesOf(runner: RubyRunner, read: RubyCommand, project: ProjectView): string[] {
  const own = readTests(project).of.get(runner) ?? [];
  const below = own.filter((file) => !relativeTo(read.directory, file).startsWith("../"));
  if (read.files.length > 0) return project.files.filter(matching(read.files, read.directory));
  if (read.tool !== "rake") return below;
  const tasks = readRakeTasks(project, read.directory).filter((task) => task.runner === "test");
  const task = tasks.find((one) => one.name === read.task) ?? tasks[0];
  if (task === undefined || task.patterns.length === 0) return below;
  const matches = matching(task.patterns, read.directory);
  const leaves = matching(task.excluded, read.directory);
  const found = project.files.filter((file) => file.endsWith(".rb") && matches(file) && !leaves(file));
  return found.length > 0 ? found : below;
}

function matching(patterns: readonly string[], directory: string): (file: string) => boolean {
  const globs = patterns.map((pattern) => posix.join(directory, pattern).replace(/\/$/, ""));
  const matches = picomatch(
    globs.flatMap((glob) => (/\.rb$|[*]/.test(glob) ? [glob] : [glob, `${glob}/**/*.rb`])),
  );
  return (file) => globs.length > 0 && matches(file);
}

function isOwn(runner: RubyRunner, read: RubyCommand, project: ProjectView): boolean {
  if (read.tool === "rspec") return runner === "rspec";
  if (read.tool === "rails") return runner === "minitest";
  if (read.tool === "rake") {
    const tasks = readRakeTasks(project, read.directory);
    const task =
      tasks.find((one) => one.name === read.task) ?? (read.task === "default" ? tasks[0] : undefined);
    if (task?.runner === "rspec") return runner === "rspec";
    if (!/^(?:test|spec|default|check)\b/.test(read.task) && task === undefined) return false;
  }
  const asked = filesOf(runner, read, project).map(readTests(project).runnerOf);
  const mine = asked.filter((one) => one === runner).length;
  return mine > 0 && mine >= asked.filter((one) => one !== undefined).length - mine;
}

/** True if the repository has signs of installed gems: a lock file, or Bundler's own folders. */
function bundles(project: ProjectView): boolean {
  return ["Gemfile.lock", "gems.locked", ".bundle/config", "vendor/bundle"].some((path) =>
    project.exists(path),
  );
}

function detect(runner: RubyRunner, project: ProjectView): TestCommand[] {
  const files = readTests(project).of.get(runner) ?? [];
  if (files.length === 0) return [];
  const found: TestCommand[] = [];
  for (const { text, directory, env, foundBy, trust } of listWrittenCommands(project)) {
    const read = readRubyCommand(text, directory, env);
    if (read === undefined || !isOwn(runner, read, project)) continue;
    const kept = Object.entries(read.env).filter(
      ([name, value]) => /^(?:RAILS_|RACK_|RUBY)/.test(name) && !/[$`]/.test(value),
    );
    // Options that a CI system hands over are not ours to guess.
    if (read.files.some((file) => /[$`]/.test(file))) continue;
    found.push(...makeCommands(runner, { ...read, env: Object.fromEntries(kept) }, project, foundBy, trust));
  }
  found.push(...makeCommands(runner, usualCommand(runner, files, project), project, files[0] ?? "", 0.8));
  const seen = new Set<string>();
  return found
    .sort((a, b) => b.likelihood - a.likelihood)
    .filter((one) => !seen.has(one.command) && seen.add(one.command));
}

/** The command with Bundler and without Bundler, likelier first, because gems may be installed either way. */
function makeCommands(
  framework: RubyRunner,
  read: RubyCommand,
  project: ProjectView,
  foundBy: string,
  likelihood: number,
): TestCommand[] {
  const command = (bundled: boolean, likely: number): TestCommand => ({
    framework,
    directory: read.directory,
    command: formatRubyCommand({ ...read, bundled }),
    foundBy,
    likelihood: likely,
  });
  const first = bundles(project);
  const other = first || read.bundled || project.exists("Gemfile");
  return [command(first, likelihood), ...(other ? [command(!first, likelihood - 0.02)] : [])];
}

function usualCommand(runner: RubyRunner, files: readonly string[], project: ProjectView): RubyCommand {
  const none = {
    directory: "",
    env: {},
    bundled: false,
    task: "",
    libs: [],
    requires: [],
    options: [],
    files: [],
  };
  const standard = files.some((file) => file.startsWith("spec/"));
  const folders = [...new Set(files.map((file) => file.split("/")[0] ?? ""))];
  if (runner === "rspec") return { ...none, tool: "rspec", files: standard ? [] : folders };
  const tasks = readRakeTasks(project, "").filter((task) => task.runner === "test");
  const task = tasks.find(({ name }) => name === "test") ?? tasks[0];
  if (task !== undefined) return { ...none, tool: "rake", task: task.name };
  const script = 'ARGV.each { |file| require "./#{file}" }';
  const libs = ["lib", ...folders.filter((folder) => !folder.endsWith(".rb"))];
  if (files.length === 1) return { ...none, tool: "ruby", libs, files };
  return { ...none, tool: "ruby", libs, script, files: folders.map((folder) => `${folder}/**/*.rb`) };
}

/** Options by which RSpec chooses examples. Chosen ones take their place. */
const choosing = /^(?:-[eEt]|--(?:example|example-matches|tag))$/;

function invoke(runner: RubyRunner, request: InvocationRequest): Invocation {
  const { paths, command, selection, project } = request;
  const given = readRubyCommand(command.command, command.directory);
  const read = given ?? usualCommand(runner, [], project);
  const targets =
    selection.kind === "all"
      ? undefined
      : [...new Set(selection.kind === "files" ? selection.files : selection.tests.map((key) => key.target))];
  const options = selection.kind === "tests" ? withoutOptions(read.options, choosing) : read.options;
  const rspec = read.tool === "rake" ? [] : [...options, ...(targets === undefined ? read.files : [])];
  const tests = targets ?? (runner === "rspec" ? [] : filesOf(runner, read, project));
  const files = [...loadedBefore(runner, read, project), ...tests].map((file) =>
    relativeTo(command.directory, file),
  );
  return {
    run: [
      ...(read.bundled ? ["bundle", "exec"] : []),
      "ruby",
      ...libsOf(read, project).map((lib) => `-I${lib}`),
      ...read.requires.map((name) => `-r${name}`),
      `${paths.runtime}/ruby/millwright_${runner.replace("-", "_")}.rb`,
      ...(runner === "rspec" ? rspec : []),
      ...files,
    ],
    env: {
      ...read.env,
      MILLWRIGHT_ROOT: paths.root,
      MILLWRIGHT_CHANNEL: paths.channel,
      MILLWRIGHT_TEST_SECONDS: String(request.testTimeoutMs / 1000),
      MILLWRIGHT_COVERAGE: request.coverage ? "1" : "0",
      MILLWRIGHT_STOP: request.stopAtFirstFailure ? "1" : "0",
      MILLWRIGHT_VARIED: request.varied === true ? "1" : "0",
      ...encodeSelection(selection),
      ...encodeShare(request.share),
    },
  };
}

/** Files without tests that Rake's scripts load before the test files. */
function loadedBefore(runner: RubyRunner, read: RubyCommand, project: ProjectView): string[] {
  if (runner === "rspec" || read.tool !== "rake") return [];
  return listHelpersOfScripts(project, read.directory).filter((file) => !named.test(file));
}

/** Folders on the search path: those of the command, those of its Rake task, and those that every test runner adds. */
function libsOf(read: RubyCommand, project: ProjectView): string[] {
  const tasks = read.tool === "rake" ? readRakeTasks(project, read.directory) : [];
  const ofTask = (tasks.find((task) => task.name === read.task) ?? tasks[0])?.libs ?? [];
  const usual = ["lib", "test"].filter((folder) =>
    project.files.some((file) => file.startsWith(posix.join(read.directory, folder, "/"))),
  );
  return [...new Set([...read.libs, ...ofTask, ...usual])];
}

export function rubyFramework({ name, description, canary, examples }: RubyFramework): TestFramework {
  return {
    name,
    language: "ruby",
    description,
    coverage: "tracer",
    divides: true,
    judging: rubyJudging,
    detect: (project) => detect(name, project),
    recognise(command, project) {
      const read = readRubyCommand(command);
      if (read === undefined || !isOwn(name, read, project)) return undefined;
      return {
        framework: name,
        directory: read.directory,
        command: formatRubyCommand(read),
        foundBy: "--test-command",
        likelihood: 1,
      };
    },
    canary,
    examples,
    varies: "in another random order",
    invoke: (request) => invoke(name, request),
    parse: parseReportLines,
    batch: forkedBatch((request) => invoke(name, request)),
  };
}
