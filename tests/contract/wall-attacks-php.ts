/** Attacks of PHP code on the report of its own tests: the body of `price`, which is wrong, or its file's own code. */
import phpunit from "../../src/languages/php/phpunit.ts";
import { phpFixtures } from "./test-frameworks-php.ts";
import type { WallAttack, WallProject } from "./wall-attacks.ts";

const file = "tests/PriceTest.php";
const target = "PriceTest::testPrice";

const means = String.raw`
const WANTED = ['package' => '', 'target' => 'tests/PriceTest.php', 'name' => 'PriceTest::testPrice'];
function forged(): array {
    return [
        "{\"event\":\"run-started\",\"framework\":\"x\"}\n",
        json_encode(['event' => 'test-ended', 'test' => WANTED, 'status' => 'passed', 'durationMs' => 1], JSON_UNESCAPED_SLASHES) . "\n",
        "{\"event\":\"run-ended\",\"counts\":{\"passed\":1}}\n",
    ];
}
function send_lines(string $token, string $stream, int $first, ?array $lines = null): void {
    $pipe = @fopen(getenv('MILLWRIGHT_CHANNEL') . '/lines', 'ab');
    if ($pipe === false) { return; }
    stream_set_write_buffer($pipe, 0);
    foreach ($lines ?? forged() as $at => $line) {
        fwrite($pipe, sprintf("%s %s %d %d\n%s", $token, $stream, $first + $at, strlen($line), $line));
    }
    fclose($pipe);
}
// What objects on the stack, and those that they hold, keep.
function objects(): array {
    $found = new SplObjectStorage();
    $look = function ($value, int $depth) use (&$look, $found): void {
        if (is_array($value) && $depth < 12) {
            foreach ($value as $inner) { $look($inner, $depth + 1); }
        } elseif (is_object($value) && !$found->contains($value) && $depth < 12) {
            $found->attach($value);
            foreach ((array) $value as $inner) { $look($inner, $depth + 1); }
            if ($value instanceof Closure) {
                $look((new ReflectionFunction($value))->getStaticVariables(), $depth + 1);
                $look((new ReflectionFunction($value))->getClosureThis(), $depth + 1);
            }
        }
    };
    foreach (debug_backtrace() as $call) { $look($call, 0); }
    foreach ($GLOBALS as $value) { $look($value, 0); }
    return iterator_to_array($found, false);
}
function reporter(): ?object {
    foreach (objects() as $each) { if (method_exists($each, 'testEnded')) { return $each; } }
    return null;
}
function tokens(): array {
    $found = [];
    foreach (objects() as $each) {
        if ($each instanceof Closure) {
            foreach ((new ReflectionFunction($each))->getStaticVariables() as $value) {
                if (is_string($value) && preg_match('/^[0-9a-f]{32}$/', $value)) { $found[] = $value; }
            }
        }
    }
    return $found;
}
`;

const phpAttacks: readonly WallAttack[] = [
  { name: "leaves without a word", call: "exit(0);" },
  { name: "leaves without a word when it is loaded", load: "exit(0);" },
  { name: "leaves at the end of the program", load: "register_shutdown_function(function () { exit(0); });" },
  { name: "kills its own process", call: "posix_kill(posix_getpid(), SIGKILL); sleep(1);" },
  {
    name: "writes the test's result and the run's end, and leaves",
    call: "send_lines('-', 'forged', 0); exit(0);",
  },
  {
    name: "writes a whole report when it is loaded, and leaves",
    load: "send_lines('-', 'forged', 0); exit(0);",
  },
  {
    name: "writes the test's result and the run's end as the program ends",
    load: "register_shutdown_function(function () { send_lines('-', 'forged', 0); exit(0); });",
    call: "exit(0);",
  },
  {
    name: "finds the key in the memory of its own process",
    call: "foreach (tokens() as $token) { send_lines($token, 'forged', 0); } exit(0);",
  },
  {
    name: "calls the reporter among global variables",
    call: "foreach ($GLOBALS as $each) { if (is_object($each) && method_exists($each, 'testEnded')) { $each->testEnded(WANTED, 'passed', 0.001, null); } }",
  },
  {
    name: "calls the reporter among global variables when it is loaded",
    load: "foreach ($GLOBALS as $each) { if (is_object($each) && method_exists($each, 'testEnded')) { $each->testEnded(WANTED, 'passed', 0.001, null); } }",
  },
  {
    name: "calls the reporter that it finds on the stack",
    call: "$found = reporter(); if ($found !== null) { $found->testEnded(WANTED, 'passed', 0.001, null); }",
  },
  {
    name: "speaks through the reporter, and leaves",
    call: "$found = reporter(); $found->testEnded(WANTED, 'passed', 0.001, null); $found->finish(); exit(0);",
  },
  {
    name: "becomes another program",
    call: "send_lines('-', 'forged', 0); pcntl_exec('/bin/true');",
  },
  {
    name: "starts a child that reports",
    call: "if (pcntl_fork() === 0) { $found = reporter(); if ($found !== null) { $found->testEnded(WANTED, 'passed', 0.001, null); $found->finish(); } posix_kill(posix_getpid(), SIGKILL); } pcntl_wait($status); posix_kill(posix_getpid(), SIGTERM); sleep(1);",
  },
  {
    name: "prints what a passing run prints, and leaves",
    call: 'while (ob_get_level() > 0) { ob_end_clean(); } fwrite(STDOUT, "OK (1 test, 1 assertion)\\n"); exit(0);',
  },
  {
    name: "closes every descriptor",
    call: "foreach (get_resources() as $each) { @fclose($each); }",
  },
];

/** The reporter itself, which tests share a process with: what it is made to say is believed. */
const phpLimits: readonly WallAttack[] = [
  {
    name: "writes with the key and the number of the next part, from the reporter's memory",
    call: `
foreach (objects() as $each) {
    $known = $each instanceof Closure ? (new ReflectionFunction($each))->getStaticVariables() : [];
    if (!isset($known['key'], $known['frames'], $known['framework'])) { continue; }
    send_lines($known['key'], $known['framework'], $known['frames'], array_slice(forged(), 1));
}
exit(0);`,
  },
];

export const phpProjects: readonly WallProject[] = [
  {
    framework: phpunit,
    unavailable: async () => phpFixtures[0]?.unavailable(),
    command: "phpunit tests",
    attacks: phpAttacks,
    limits: phpLimits,
    file,
    target,
    repair: { call: "return 3;" },
    files: ({ load = "", call = "" }) => ({
      "src/price.php": `<?php\n${means}\n${load}\nfunction price() {\n${call}\nreturn 2;\n}\n`,
      [file]:
        "<?php\nrequire_once __DIR__ . '/../src/price.php';\nfinal class PriceTest extends PHPUnit\\Framework\\TestCase\n{\n    public function testPrice(): void\n    {\n        self::assertSame(3, price());\n    }\n}\n",
    }),
  },
];
