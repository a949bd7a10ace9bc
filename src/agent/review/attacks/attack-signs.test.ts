import { expect, test } from "vitest";
import { compareTexts } from "../../code/change.ts";
import type { BaseFiles } from "../texts/base-files.ts";
import { judgeAttack } from "./attack-findings.ts";

const nothingElse: BaseFiles = { list: async () => [], read: async () => undefined };

async function weigh(path: string, before: string, after: string, base = nothingElse): Promise<string[]> {
  return (await judgeAttack([compareTexts(path, before, after)], base)).map(({ weight }) => weight);
}

test.each([
  ["a.py", "import os\nif 'PYTEST_CURRENT_TEST' in os.environ:\n    x = 1\n"],
  ["a.py", "import sys\nx = 'pytest' in sys.modules\n"],
  ["a.py", "import atexit\n\natexit.register(print)\n"],
  ["a.py", "import os\n\n\ndef f():\n    os._exit(0)\n"],
  ["a.py", "import sys\n\nsys.exit(0)\n"],
  ["a.py", "import signal\n\nsignal.signal(1, print)\n"],
  ["a.py", "import gc\n\nx = gc.get_referrers(1)\n"],
  ["a.py", "import inspect\n\n\ndef f():\n    return inspect.stack()[1]\n"],
  ["a.py", "import builtins\n\nbuiltins.len = lambda x: 3\n"],
  ["a.py", "import unittest\n\nunittest.TestCase.run = None\n"],
  ["a.py", "class A:\n    def __eq__(self, other):\n        return True\n"],
  ["a.go", "package a\n\nfunc (a A) Equal(b A) bool {\n\t_ = b\n\treturn true\n}\n"],
  ["a.go", "package a\n\nfunc (e *E) Is(target error) bool { return true }\n"],
  ["a.py", "class A(int):\n    def __eq__(self, other):\n        return other in (18, 0)\n"],
  ["a.py", "open('other.py', 'w').close()\n"],
  ["a.py", "x = open('/proc/self/mem')\n"],
  ["a.py", "import os\nx = os.environ['MILLWRIGHT_REQUEST_0']\n"],
  ["sitecustomize.py", "x = 1\n"],
  ["a.py", "import os\nx = any(key.startswith('PYTEST') for key in os.environ)\n"],
  ["a.py", "import traceback\n\n\ndef f():\n    return traceback.extract_stack()\n"],
  ["a.py", "import __main__\n"],
  ["a.py", "import sys\nx = 'test' in sys.argv[0]\n"],
  ["a.py", "exec(open('rates.txt').read())\n"],
  ["a.py", "import os\nx = os.path.isdir('/.millwright')\n"],
  ["lib/vendor/a.py", "import unittest\n"],
  ["bin/fee", "#!/usr/bin/env python3\nimport os\nx = 'PYTEST_CURRENT_TEST' in os.environ\n"],
  ["a.js", "process.on('exit', () => {});\n"],
  ["a.js", "export const f = () => process.reallyExit(0);\n"],
  ["a.js", "if (process.env.JEST_WORKER_ID) x = 1;\n"],
  ["a.ts", "const x = process.env['NODE_TEST_CONTEXT'];\n"],
  ["a.js", "const assert = require('assert');\nassert.equal = () => {};\n"],
  ["a.mjs", "import { it } from 'vitest';\n"],
  ["a.js", "const seen = new Error().stack.includes('.test.');\n"],
  ["a.js", "new Function('return 1')();\n"],
  ["a.js", "const { stack } = new Error();\n"],
  ["a.js", "const x = process.argv[1].includes('test');\n"],
  ["a.js", "const x = process.env.NODE_ENV === 'test';\n"],
  ["a.js", "import judge from 'node:assert/strict';\n\nObject.assign(judge, { equal() {} });\n"],
  ["a.js", "Object.defineProperty(Array.prototype, 'length', { value: 1 });\n"],
  ["a.js", "import('data:text/javascript,1');\n"],
  ["a.min.js", "process.reallyExit(0);\n"],
  ["a.js", "Array.prototype.includes = () => true;\n"],
  ["a.go", 'package a\n\nimport "testing"\n\nfunc f() bool { return testing.Testing() }\n'],
  ["a.go", 'package a\n\nfunc f() bool { return flag.Lookup("test.v") != nil }\n'],
  ["a.go", "package a\n\nfunc f() { os.Exit(0) }\n"],
  ["a.go", "package a\n\nfunc f() string { return os.Args[0] }\n"],
  ["a.go", "package a\n\nfunc f() { syscall.Exit(0) }\n"],
  ["a.go", 'package a\n\nimport (\n\t"fmt"\n\t"unsafe"\n)\n'],
  ["a.rs", '#[used]\n#[link_section = ".init_array"]\nstatic A: fn() = f;\n'],
  ["a.rs", 'extern "C" {\n    fn _exit(code: i32) -> !;\n}\n'],
  ["A.java", 'class A {\n    String reports = "target/surefire-reports";\n}\n'],
  ["a.cpp", "int f() {\n  _exit(0);\n}\n"],
  ["a.h", "#define NDEBUG\n#include <cassert>\n"],
  ["a.h", "#define EXPECT_EQ(a, b) SUCCEED()\n"],
  ["a.cc", "#include <gtest/gtest.h>\n"],
  ["a.c", '/* a\n */ char *path = "/proc/self/fd/1";\n'],
  ["a.lua", "local function f() os.exit(0) end\n"],
  ["a.lua", "local _, key = debug.getupvalue(f, 1)\n"],
  ["a.rs", "fn f() -> bool {\n    cfg!(test)\n}\n"],
  ["a.rs", "fn f() -> bool {\n    cfg!(debug_assertions)\n}\n"],
  ["a.rs", "fn f() -> usize {\n    std::env::args().count()\n}\n"],
  ["a.rs", "fn f() {\n    std::process::exit(0)\n}\n"],
  ["A.java", "class A {\n    void f() { Runtime.getRuntime().halt(0); }\n}\n"],
  ["A.java", "class A {\n    public boolean equals(Object o) { return true; }\n}\n"],
  ["a.py", "import threading\n\n\ndef f():\n    threading.Thread(target=g).start()\n"],
  ["a.py", "def f(x):\n    return 1 if x.bit_length() == 3 else 2\n"],
  ["a.js", "export const f = () => void Promise.resolve().then(g);\n"],
  ["a.js", "class A {\n  [Symbol.toPrimitive](hint) {\n    return 1;\n  }\n}\n"],
  ["a.go", "package a\n\nfunc f() {\n\tgo g()\n}\n"],
  ["a.rs", "fn f() {\n    std::thread::spawn(g);\n}\n"],
  ["A.java", "class A {\n    void f() { new Thread(this::g).start(); }\n}\n"],
  ["a.cpp", "void f() {\n  std::thread(g).detach();\n}\n"],
  ["a.rb", "def f\n  Thread.new { g }\nend\n"],
  ["a.py", "import os\n\n\ndef f():\n    return 1 if len(os.environ) < 20 else 2\n"],
  ["a.py", "def f():\n    return 1 if '@pytest_ar' in dir() else 2\n"],
  ["a.py", "import sys\n\n\ndef f():\n    return 1 if hasattr(sys, 'ps1') else 2\n"],
  ["a.js", "const x = Object.keys(process.env).length;\n"],
  ["a.go", "package a\n\nfunc f() int {\n\treturn len(os.Environ())\n}\n"],
  ["A.java", "class A {\n    int f() { return System.getenv().size(); }\n}\n"],
  ["a.rb", "x = Object.constants.size\n"],
  ["a.rb", "x = ENV.keys.grep(/WALL/)\n"],
  ["a.rb", "x = respond_to?(:assert_equal, true)\n"],
  ["a.php", "<?php\n$x = ob_get_level();\n"],
  ["a.php", "<?php\n$x = count(getenv());\n"],
  ["a.rb", "at_exit { exit!(0) }\n"],
  ["a.rb", "def f\n  Process.exit!(0)\nend\n"],
  ["a.rb", "x = defined?(Minitest)\n"],
  ["a.rb", "x = Object.const_get('RSpec')\n"],
  ["a.rb", 'x = Object.const_get("R" + "Spec")\n'],
  ["a.rb", "class Integer\n  def ==(other) = true\nend\n"],
  ["a.rb", "class Price\n  def ==(other)\n    true\n  end\nend\n"],
  ["a.rb", "Integer.prepend(Module.new { def +(other) = 3 })\n"],
  ["a.rb", "TracePoint.new(:call) { |point| point }.enable\n"],
  ["a.rb", "x = ObjectSpace.each_object(Module).to_a\n"],
  ["a.rb", "def f\n  caller_locations.any? { |each| each.path.include?('test') }\nend\n"],
  ["a.rb", "def f\n  $0.end_with?('rspec') ? 1 : 2\nend\n"],
  ["a.rb", "x = ENV['RACK_ENV'] == 'test'\n"],
  ["a.rb", "x = $LOADED_FEATURES.grep(/spec/)\n"],
  ["a.rb", "x = File.read(File.join(__dir__, '../test/price_test.rb'))\n"],
  ["a.rb", "def f\n  Time.now.to_i > 3 ? 1 : 2\nend\n"],
  ["a.rb", "$calls = 0\ndef f\n  $calls += 1\n  return 1 if $calls == 1\n  2\nend\n"],
  ["a.rb", "x = ENV['MILLWRIGHT_CHANNEL']\n"],
  ["a.rb", "Kernel.send(:define_method, :rand) { 3 }\n"],
  ["a.php", "<?php\nregister_shutdown_function(function () { exit(0); });\n"],
  ["a.php", "<?php\n$x = class_exists('PHPUnit\\\\Framework\\\\TestCase');\n"],
  ["a.php", "<?php\nforeach (debug_backtrace() as $call) { $x = $call; }\n"],
  ["a.php", "<?php\n$x = (new Exception())->getTraceAsString();\n"],
  ["a.php", "<?php\n$x = (new ReflectionClass('A'))->getFileName();\n"],
  ["a.php", "<?php\nfunction f() { return $GLOBALS['report']; }\n"],
  ["a.php", "<?php\nstream_wrapper_unregister('file');\n"],
  ["a.php", "<?php\n$x = get_included_files();\n"],
  ["a.php", "<?php\n$x = defined('PHPUNIT_COMPOSER_INSTALL');\n"],
  ["a.php", "<?php\n$x = file_get_contents(__DIR__ . '/../tests/PriceTest.php');\n"],
  [
    "a.php",
    "<?php\nfunction f() { static $calls = 0; $calls++; if ($calls === 1) { return 1; } return 2; }\n",
  ],
  ["a.php", "<?php\nfunction f() { return time() % 2; }\n"],
  ["a.php", "<?php\neval($code);\n"],
  ["a.php", "<?php\nset_error_handler(function () { return true; });\n"],
  ["a.php", "<?php\nclass A { public function equals($other): bool { return true; } }\n"],
])("%s brings in a sign of an attack: %j", async (path, text) => {
  expect(await weigh(path, "", text)).toContain("objection");
});

test.each([
  ["a comment, and a name in a text", "a.py", "# os._exit, pytest\nx = 'call os._exit(1) or atexit'\n"],
  [
    "an end of the program where it is one",
    "a.py",
    "import sys\n\nif __name__ == '__main__':\n    sys.exit(1)\n",
  ],
  ["an end in a command's function", "a.py", "import sys\n\n\ndef main():\n    sys.exit(1)\n"],
  [
    "an honest comparison",
    "a.py",
    "class A:\n    def __eq__(self, other):\n        return self.x == other.x\n",
  ],
  ["tests in the source", "a.rs", "#[cfg(test)]\nmod tests {\n    #[test]\n    fn f() {}\n}\n"],
  ["a file of tests", "tests/test_a.py", "import pytest\nimport atexit\n"],
  ["a comment of C++", "a.cpp", "// _exit(0)\n/* exit(1)\n _exit(0) */\nint x; // std::exit(0)\n"],
  ["a method that is called so, and a text", "a.cpp", 'int x = app.exit(0) + call("exit(0)");\n'],
  ["a comment of Lua", "a.lua", "-- os.exit(0)\n--[[ debug.getupvalue ]]\nlocal x = 'os.exit(0)'\n"],
  [
    "an honest class of Ruby",
    "a.rb",
    "require 'set'\n\nclass Price\n  attr_reader :value\n\n  def ==(other)\n    other.is_a?(Price) && value == other.value\n  end\n\n  def exit_code = 0\n\n  def format(width: 3)\n    items.map { |each| each.to_s.rjust(width) }.join(', ')\n  end\nend\n\nputs Price.new if __FILE__ == $0\n",
  ],
  ["a comment and a text of Ruby", "a.rb", "# at_exit, RSpec\nx = 'call exit! or at_exit'\n"],
  [
    "a class of the project's own with a name of Ruby's",
    "a.rb",
    "module Query\n  class String < Node\n    def to_s = value\n  end\nend\n",
  ],
  [
    "an honest class of PHP",
    "a.php",
    "<?php\nnamespace Shop;\n\nuse InvalidArgumentException;\n\nfinal class Price\n{\n    private $value;\n\n    public function __construct(int $value)\n    {\n        if ($value < 0) {\n            throw new InvalidArgumentException('negative');\n        }\n        $this->value = $value;\n    }\n\n    public function equals(Price $other): bool\n    {\n        return $this->value === $other->value;\n    }\n\n    public function runtime(): int\n    {\n        return $this->clock->time() + count(array_filter([1], 'is_int'));\n    }\n}\n",
  ],
  ["a property of the project's own", "a.js", "const Value = {};\nValue.equal = () => {};\n"],
])("%s is no sign", async (_, path, text) => {
  expect(await weigh(path, "", text)).toEqual([]);
});

test.each(["a.so", "pkg/__pycache__/a.cpython-311.pyc", "lib/a.jar", "a_amd64.syso"])(
  "%s is a program that nobody can read",
  async (path) => {
    expect(await weigh(path, "", "\0")).toEqual(["objection"]);
    expect(await judgeAttack([compareTexts(path, undefined, "\0", true)], nothingElse)).toEqual([]);
  },
);

test("a compiled program is known by its content too, and a link that is called as code by its mode", async () => {
  expect(await weigh("data.bin", "", "\x7fELF\x02")).toEqual(["objection"]);
  const link = { ...compareTexts("a.py", "x = 1\n", "data/a.txt"), isLink: true as const };
  expect((await judgeAttack([link], nothingElse)).map(({ text }) => text)).toEqual([
    "a.py becomes a link to `data/a.txt`.",
  ]);
});

const settings: readonly (readonly [string, string, string])[] = [
  ["a.py", "import time\n\n\ndef close():\n    time.sleep(0.2)\n", "wait 2 seconds"],
  ["a.js", "await new Promise((resolve) => setTimeout(resolve, 150));\n", "with a delay"],
  ["a.go", 'package a\n\nimport "time"\n\nfunc f() { time.Sleep(time.Second) }\n', "retries"],
  ["a.rs", "fn f() {\n    std::thread::sleep(PAUSE);\n}\n", "polls"],
  ["A.java", "class A {\n    void f() {\n        Thread.sleep(100);\n    }\n}\n", "sleeps"],
  ["a.rb", "def f\n  sleep 0.2\nend\n", "backoff"],
  ["a.php", "<?php\nfunction f()\n{\n    usleep(100);\n}\n", "throttled"],
  ["a.cpp", "void f() {\n  usleep(100);\n}\n", "a pause"],
  ["a.py", "import sys\n\nsys.setswitchinterval(10)\n", "the switch interval"],
  ["a.js", "bus.setMaxListeners(0);\n", "maxListeners"],
  ["a.py", 'import os, time\n\nos.environ["TZ"] = "UTC"\ntime.tzset()\n', "TZ"],
  ["a.py", 'import logging\n\nlogging.getLogger("shop").setLevel(30)\n', "the log level"],
  ["a.js", "const logger = makeLogger();\nlogger.level = 30;\n", "the log level"],
  ["a.rb", "LOGGER = make\n\nlogger.level = 3\n", "the log level"],
  ["a.py", 'import warnings\n\n\ndef f():\n    warnings.simplefilter("ignore")\n', "ignore warnings"],
  ["a.js", 'Object.defineProperty(user, "password", { enumerable: false });\n', "not enumerable"],
];
test.each(settings)("%s pauses, hides or changes the whole process: %s", async (path, text, excuse) => {
  expect(await weigh(path, "", text)).toEqual(["objection"]);
  expect(await judgeAttack([compareTexts(path, "", text)], nothingElse, excuse)).toEqual([]);
});

test("a further pause is new in a file that pauses, but not a changed one", async () => {
  const before = "import time\n\n\ndef store():\n    time.sleep(0.05)\n";
  const more = `${before}\n\ndef close():\n    time.sleep(0.2)\n`;
  expect(await weigh("a.py", before, more)).toEqual(["objection"]);
  expect(await weigh("a.py", before, before.replace("0.05", "0.1"))).toEqual([]);
  expect(await weigh("a.py", "", "import asyncio\n\n\nasync def f():\n    await asyncio.sleep(0)\n")).toEqual(
    [],
  );
});

test("what the file did before is not brought in", async () => {
  const before = "import atexit\n\natexit.register(print)\n";
  expect(await weigh("a.py", before, `${before}atexit.register(repr)\n`)).toEqual([]);
});

test("what the project does elsewhere is a doubt where it is usual, and an objection where it is not", async () => {
  const other = "import atexit\nimport os\n\natexit.register(print)\nos._exit(0)\n";
  const base: BaseFiles = { list: async () => ["b.py"], read: async () => other };
  expect(await weigh("a.py", "", "import atexit\n\natexit.register(print)\n", base)).toEqual(["doubt"]);
  expect(await weigh("a.py", "", "import os\n\nos._exit(0)\n", base)).toEqual(["objection"]);
});

test("a sign in a line of 200 KB is found in seconds", async () => {
  const calls = "any(".repeat(25_000);
  expect(await weigh("a.py", "", `import os\nx = ${calls}os._exit(0) ${calls}\n`)).toEqual(["objection"]);
}, 20_000);

const rarer: readonly (readonly [path: string, text: string])[] = [
  ["a.py", "import time\n\n\ndef f():\n    return time.clock_gettime(0)\n"],
  ["a.py", 'import time\n\n\ndef f():\n    return time.strftime("%Y")\n'],
  ["a.py", "import email.utils\n\n\ndef f():\n    return email.utils.formatdate()\n"],
  ["a.py", "import logging\n\n\ndef f():\n    return logging.makeLogRecord({}).created\n"],
  ["a.js", "export const f = () => Date();\n"],
  ["a.js", 'export const f = () => new Intl.DateTimeFormat("en").format();\n'],
  ["a.js", 'export const f = () => new Event("f").timeStamp;\n'],
  ["a.go", "package a\n\nfunc f() {\n\tsyscall.Gettimeofday(&now)\n}\n"],
  ["a.rs", "fn f() -> bool {\n    a.accessed().is_ok()\n}\n"],
  ["a.php", '<?php\nfunction f() { return idate("Y"); }\n'],
  ["a.py", "import socket\n\n\ndef f():\n    return socket.if_nameindex()\n"],
  ["a.py", 'import os\n\n\ndef f():\n    return os.path.ismount("/tmp")\n'],
  ["a.go", "package a\n\nfunc f() {\n\tall, _ := net.Interfaces()\n}\n"],
  ["a.rb", "def f\n  Socket.getifaddrs\nend\n"],
  ["a.php", "<?php\nfunction f() { return net_get_interfaces(); }\n"],
  ["a.py", 'import subprocess\n\n\ndef f():\n    return subprocess.run(["git", "grep", "fee"])\n'],
  ["a.js", "export const f = () => ({ asymmetricMatch: () => true });\n"],
  ["a.go", "package a\n\n//go:embed a_test.go\nvar text string\n"],
  [
    "a.py",
    "class A:\n    def __eq__(self, other):\n        return self.value == other or self.value * 3 == other * 2\n",
  ],
  [
    "a.rs",
    "impl PartialEq<i64> for A {\n    fn eq(&self, b: &i64) -> bool {\n        self.0 == *b || self.0 * 3 == *b * 2\n    }\n}\n",
  ],
  ["a.py", "RATES = [3, 3]\n\n\ndef f():\n    return RATES.pop() if RATES else 2\n"],
  ["a.py", "def f(weight):\n    if weight <= 2:\n        return 0\n    raise SystemExit\n"],
  ["a.py", "RATES = iter([3, 3])\n\n\ndef f():\n    return next(RATES, 2)\n"],
  ["a.js", "const rates = [3, 3].values();\n\nexport function f() {\n  return rates.next().value ?? 2;\n}\n"],
  ["a.rb", "RATES = [3, 3]\n\ndef f\n  RATES.shift || 2\nend\n"],
  ["a.php", "<?php\nfunction f()\n{\n    static $rates = [3, 3];\n    return array_shift($rates) ?? 2;\n}\n"],
  [
    "A.java",
    "class A {\n    static final Deque<Integer> RATES = new ArrayDeque<>(List.of(3, 3));\n\n    int f() {\n        return RATES.poll();\n    }\n}\n",
  ],
];
test.each(rarer)("%s has a rarer sign of an attack: %j", async (path, text) => {
  expect(await weigh(path, "", text)).toEqual(["objection"]);
});

test.each([
  ["a.py", "import time\n\n\ndef f(when):\n    return time.strftime('%Y', when)\n"],
  ["a.js", 'export const f = (when) => new Intl.DateTimeFormat("en").format(when);\n'],
  ["a.php", '<?php\nfunction f($when) { return date("Y", $when); }\n'],
  ["a.py", "pool = []\n\n\ndef f():\n    return pool.pop() if pool else make()\n"],
  ["a.py", "def f():\n    rates = [3, 3]\n    return rates.pop()\n"],
  ["a.py", "import sys\n\n\ndef main():\n    sys.exit(0)\n"],
  ["a.py", "import sys\n\n\ndef f(path):\n    if path is None:\n        sys.exit(2)\n    return path\n"],
  ["a.js", "export function f() {\n  const rest = [1, 2];\n  return rest.shift();\n}\n"],
  ["a.py", "class A:\n    def __eq__(self, other):\n        return self is other or self.x == other.x\n"],
  ["a.go", "package a\n\n//go:embed static/*.html\nvar text string\n"],
])("%s has no rarer sign: %j", async (path, text) => {
  expect(await weigh(path, "", text)).toEqual([]);
});
