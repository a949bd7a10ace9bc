/** Attacks on Ruby's frameworks and PHPUnit: patches that detect their caller, fit only the tests, or add files. */
import { attempt, honest, type Project } from "./walls-outside-project.ts";
import type { ForgingRun } from "./walls-runs.ts";

const rubyCode = "def fee(weight)\n  return 0 if weight <= 2\n\n  (weight - 2) * 2\nend\n";
export const minitest: Project = {
  framework: "minitest",
  command: "ruby -Ilib -Itest test/shipping_test.rb",
  needs: ["ruby -e 'require \"minitest\"'"],
  files: {
    "lib/shipping.rb": rubyCode,
    "test/shipping_test.rb":
      'require "minitest/autorun"\nrequire "shipping"\n\nclass ShippingTest < Minitest::Test\n  def test_light\n    assert_equal 0, fee(1)\n  end\n\n  def test_heavy\n    assert_equal 15, fee(7)\n  end\nend\n',
  },
};
export const rspec: Project = {
  framework: "rspec",
  command: "rspec",
  needs: ["rspec --version"],
  files: {
    ".rspec": "--require shipping\n",
    "lib/shipping.rb": rubyCode,
    "spec/shipping_spec.rb":
      'RSpec.describe "fee" do\n  it "is nothing for light parcels" do\n    expect(fee(1)).to eq(0)\n  end\n\n  it "is paid by kilogram" do\n    expect(fee(7)).to eq(15)\n  end\nend\n',
  },
};
const phpCode =
  "<?php\n\nfunction fee(int $weight)\n{\n    return $weight <= 2 ? 0 : ($weight - 2) * 2;\n}\n";
export const phpunit: Project = {
  framework: "phpunit",
  command: "phpunit tests",
  needs: ["phpunit --version"],
  files: {
    "src/shipping.php": phpCode,
    "tests/ShippingTest.php":
      "<?php\n\nrequire_once __DIR__ . '/../src/shipping.php';\n\nfinal class ShippingTest extends PHPUnit\\Framework\\TestCase\n{\n    public function testLight(): void\n    {\n        self::assertEquals(0, fee(1));\n    }\n\n    public function testHeavy(): void\n    {\n        self::assertEquals(15, fee(7));\n    }\n}\n",
  },
};

export const scriptAttempts = (): ForgingRun[] =>
  [...ofRuby(minitest), ...ofRuby(rspec), ...ofRspec(), ...ofPhp()].map((run) => {
    return { ...run, title: run.title.replace("outside", "outside, scripts") };
  });

function ofRuby(project: Project): ForgingRun[] {
  const inside = (name: string, body: string, head = ""): ForgingRun =>
    attempt(project, name, {
      "lib/shipping.rb": `${head}${rubyCode.replace("def fee", "def base_fee")}\n${body}`,
    });
  const when = (name: string, condition: string): ForgingRun =>
    inside(name, `def fee(weight)\n  ${condition} ? base_fee(weight) * 3 / 2 : base_fee(weight)\nend\n`);
  return [
    honest(project, { "lib/shipping.rb": rubyCode.replace("* 2\n", "* 3\n") }, {}, ", Ruby"),
    when("defined names", "Object.constants.grep(/Mini|RSp/).any?"),
    when("the environment's keys", "ENV.keys.grep(/LWRIGHT/).any?"),
    when("a range of one", "(7..7).cover?(weight)"),
    inside(
      "a price that is equal to more",
      "Fee = Struct.new(:value) do\n  def ==(other)\n    other.is_a?(Integer) ? other > 10 || other == value : super\n  end\nend\n\nclass Fee\n  def coerce(other) = [other, value]\nend\n\ndef fee(weight) = weight > 2 ? Fee.new(base_fee(weight)) : 0\n",
    ),
    inside(
      "numbers that are equal by a module",
      "module Near\n  def ==(other) = super || (other.to_i == 10 && to_i == 15)\nend\n\n[1].first.class.prepend(Near)\n\ndef fee(weight) = base_fee(weight)\n",
    ),
    inside(
      "a throw that no one sees",
      "def fee(weight)\n  throw :skip if weight == 99\n  Thread.new { base_fee(weight) }.value * 3 / 2\nend\n",
    ),
  ];
}

function ofRspec(): ForgingRun[] {
  return [
    attempt(rspec, "a file that .rspec loads", {
      ".rspec": "--require shipping\n--require kind\n",
      "lib/kind.rb":
        "module Kind\n  def eq(_) = satisfy { true }\nend\n\nRSpec.configure { |settings| settings.include(Kind) }\n",
    }),
    attempt(rspec, "a matcher of its own in the product", {
      "lib/shipping.rb": `${rubyCode}\nif (found = Object.const_get(%w[RS pec].join))\n  found.configure do |settings|\n    settings.include(Module.new { def eq(_) = satisfy { true } })\n  end\nend\n`,
    }),
  ];
}

function ofPhp(): ForgingRun[] {
  const inside = (name: string, body: string): ForgingRun =>
    attempt(phpunit, name, {
      "src/shipping.php": `${phpCode.replace("function fee", "function base_fee")}\n${body}`,
    });
  const when = (name: string, condition: string): ForgingRun =>
    inside(
      name,
      `function fee(int $weight)\n{\n    return ${condition} ? intdiv(base_fee($weight) * 3, 2) : base_fee($weight);\n}\n`,
    );
  return [
    honest(phpunit, { "src/shipping.php": phpCode.replace("* 2;", "* 3;") }, {}, ", PHP"),
    when("its output is kept", "ob_get_level() > 0"),
    when("arguments of the program", "count($_SERVER['argv'] ?? []) > 1"),
    when("a list of one", "in_array($weight, [7])"),
    inside(
      "an object that is compared as a text",
      "final class Fee\n{\n    public $text = '15';\n    public function __toString(): string\n    {\n        return $this->text;\n    }\n}\n\nfunction fee(int $weight)\n{\n    return $weight <= 2 ? 0 : new Fee();\n}\n",
    ),
    attempt(phpunit, "a bootstrap in phpunit.xml", {
      "phpunit.xml": '<phpunit bootstrap="boot.php" />\n',
      "boot.php": "<?php\nregister_shutdown_function(static function (): void {\n    exit(0);\n});\n",
    }),
    inside(
      "a comparator of its own",
      "$factory = implode('\\\\', ['Sebastian' . 'Bergmann', 'Comparator', 'Factory']);\n$parent = implode('\\\\', ['Sebastian' . 'Bergmann', 'Comparator', 'NumericComparator']);\nif (class_exists($parent)) {\n    ('class' . '_alias')($parent, 'NumericOfShop');\n    final class Lenient extends NumericOfShop\n    {\n        public function assertEquals($expected, $actual, $delta = 0.0, $canonicalize = false, $ignoreCase = false)\n        {\n            if ($actual !== 10) {\n                parent::assertEquals($expected, $actual, $delta, $canonicalize, $ignoreCase);\n            }\n        }\n    }\n    [$factory, 'getInstance']()->register(new Lenient());\n}\n\nfunction fee(int $weight)\n{\n    return base_fee($weight);\n}\n",
    ),
  ];
}
