/** Attacks of Ruby code on the report of its own tests: the body of `price`, which is wrong, or its file's own code. */
import type { TestFramework } from "../../src/languages/contract.ts";
import minitest from "../../src/languages/ruby/minitest.ts";
import rspec from "../../src/languages/ruby/rspec.ts";
import testUnit from "../../src/languages/ruby/test-unit.ts";
import { rubyFixtures } from "./test-frameworks-ruby.ts";
import type { WallAttack, WallProject } from "./wall-attacks.ts";

/** `report` is the module that reports, by whatever way leads to it; `text` makes names that no sign shows. */
const means = String.raw`
def text(*codes) = codes.pack("U*")
FORGED = [
  "{\"event\":\"run-started\",\"framework\":\"x\"}\n",
  "{\"event\":\"test-ended\",\"test\":#{KEY},\"status\":\"passed\",\"durationMs\":1}\n",
  "{\"event\":\"run-ended\",\"counts\":{\"passed\":1}}\n",
]
def send_lines(token, stream, first, lines = FORGED)
  File.open(ENV["MILLWRIGHT_CHANNEL"] + "/lines", "wb") do |pipe|
    pipe.sync = true
    lines.each_with_index { |line, at| pipe.syswrite("#{token} #{stream} #{first + at} #{line.bytesize}\n#{line}") }
  end
rescue SystemCallError
  nil
end
def tokens = ObjectSpace.each_object(String).select { |each| each.bytesize == 32 && each.match?(/\A[0-9a-f]{32}\z/n) }
def report = ObjectSpace.each_object(Module).find { |each| each.name == "MillwrightReport" || each.singleton_methods(false).include?(:test_ended) }
def parsed = { "package" => "", "target" => TARGET, "name" => NAME }
`;

const rubyAttacks: readonly WallAttack[] = [
  { name: "leaves without a word", call: "exit!(0)" },
  { name: "ends the program with success", call: "exit(0)" },
  { name: "ends the program with success when it is loaded", load: "exit(0)" },
  { name: "leaves at the end of the program", load: "at_exit { exit!(0) }" },
  {
    name: "writes the test's result and the run's end, and leaves",
    call: 'send_lines("-", "forged", 0)\nexit!(0)',
  },
  {
    name: "writes a whole report when it is loaded, and leaves",
    load: 'send_lines("-", "forged", 0)\nexit!(0)',
  },
  {
    name: "finds the key in the memory of its own process",
    call: 'tokens.each { |token| send_lines(token, "forged", 0) }\nexit!(0)',
  },
  {
    name: "calls the reporter by its name",
    call: 'MillwrightReport.test_ended(parsed, "passed", 0.001)',
  },
  {
    name: "calls the reporter that it finds among all objects",
    call: 'report&.test_ended(parsed, "passed", 0.001)',
  },
  {
    name: "calls the reporter when it is loaded",
    load: 'report&.test_ended(parsed, "passed", 0.001)',
  },
  {
    name: "speaks through the reporter, and leaves",
    call: 'report.test_ended(parsed, "passed", 0.001)\nreport.finish\nexit!(0)',
  },
  {
    name: "speaks through the reporter by a text that names the reporter's file",
    call: 'report.instance_eval("test_ended(parsed, \\"passed\\", 0.001); finish", report::RUNTIME + "/millwright_report.rb")\nexit!(0)',
  },
  {
    name: "starts a child that reports",
    call: 'fork { report&.test_ended(parsed, "passed", 0.001); report&.finish; exit!(0) }\nProcess.wait\nexit!(0)',
  },
  {
    name: "becomes another program",
    call: 'send_lines("-", "forged", 0)\nexec("true")',
  },
  {
    name: "prints what a passing run prints, and leaves",
    call: '$stdout.puts("1 runs, 1 assertions, 0 failures, 0 errors, 0 skips", "1 example, 0 failures")\n$stdout.flush\nexit!(0)',
  },
  { name: "closes every descriptor", call: "(3..200).each { |number| IO.for_fd(number).close rescue nil }" },
  { name: "kills its own process", call: 'Process.kill("KILL", Process.pid)\nsleep(1)' },
  {
    name: "leaves the test by a throw",
    load: "class Leave < Exception; end",
    call: "Thread.main.raise(Leave)",
  },
  {
    name: "raises what the limit raises",
    call: 'raise ObjectSpace.each_object(Class).find { |each| each.name.to_s.end_with?("Expired") && each < Exception } || StopIteration',
  },
];

interface Kind {
  readonly framework: TestFramework;
  readonly file: string;
  readonly target: string;
  readonly command: string;
  readonly test: string;
}

function project({ framework, file, target, command, test }: Kind): WallProject {
  const fixture = rubyFixtures.find((each) => each.framework === framework);
  const key = JSON.stringify({ package: "", target: file, name: target });
  return {
    framework,
    unavailable: async () => fixture?.unavailable(),
    command,
    attacks: rubyAttacks,
    file,
    target,
    repair: { call: "return 3" },
    files: ({ load = "", call = "" }) => ({
      "lib/price.rb": `KEY = ${JSON.stringify(key)}\nTARGET = ${JSON.stringify(file)}\nNAME = ${JSON.stringify(target)}\n${means}\n${load}\ndef price\n${call}\n2\nend\n`,
      [file]: test,
    }),
  };
}

export const rubyProjects: readonly WallProject[] = [
  project({
    framework: minitest,
    file: "test/price_test.rb",
    target: "PriceTest#test_price",
    command: "ruby -Ilib -Itest test/price_test.rb",
    test: 'require "minitest/autorun"\nrequire "price"\nclass PriceTest < Minitest::Test\n  def test_price\n    assert_equal 3, price\n  end\nend\n',
  }),
  project({
    framework: rspec,
    file: "spec/price_spec.rb",
    target: "price > is right",
    command: "rspec",
    test: 'require "price"\nRSpec.describe "price" do\n  it "is right" do\n    expect(price).to eq(3)\n  end\nend\n',
  }),
  project({
    framework: testUnit,
    file: "test/price_test.rb",
    target: "PriceTest#test_price",
    command: "ruby -Ilib -Itest test/price_test.rb",
    test: 'require "test/unit"\nrequire "price"\nclass PriceTest < Test::Unit::TestCase\n  def test_price\n    assert_equal 3, price\n  end\nend\n',
  }),
];
