import { expect, test } from "vitest";
import { listHelpersOfScripts } from "./rakefile.ts";

function helpersOf(rakefile: string, script: string): string[] {
  const texts: Record<string, string> = {
    Rakefile: rakefile,
    "test/run.rb": script,
    "test/helper.rb": "",
    "lib/a.rb": "",
  };
  return listHelpersOfScripts(
    { files: Object.keys(texts), read: (path) => texts[path], exists: (path) => path in texts },
    "",
  );
}

const script =
  'require "test-unit"\nrequire_relative "helper"\nexit(Test::Unit::AutoRunner.run(true, "test"))\n';

test.each([
  ["a script", 'task :test do\n  ruby("test/run.rb")\nend\n', script],
  ["a script with options", 'task :test do\n  ruby "-Ilib", "test/run.rb"\nend\n', script],
  ["a name with its ending", "task(:test) { ruby 'test/run.rb' }\n", "require_relative 'helper.rb'\n"],
])("a task's helper is loaded before the tests: %s", (_, rakefile, text) => {
  expect(helpersOf(rakefile, text)).toEqual(["test/helper.rb"]);
});

test.each([
  ["no script", "Rake::TestTask.new\n", script],
  ["a comment", '# ruby "test/run.rb"\n', script],
  ["no helper", 'ruby "test/run.rb"\n', 'require "helper"\n# require_relative "helper"\n'],
  ["an unknown file", 'ruby "test/run.rb"\n', 'require_relative "missing"\n'],
])("nothing else is loaded: %s", (_, rakefile, text) => {
  expect(helpersOf(rakefile, text)).toEqual([]);
});
