<?php
// Sends a line of JSON for each event of a run of tests, as src/languages/report-lines.ts reads them. Also knows which tests were asked
// for, ends a test that takes too long, and notes the lines that run, with pcov or Xdebug. PHP 7.3 and later.

/** A limit of ours: an Error, so that no `catch (Exception)` of a test takes it for one of its own. */
final class MillwrightExpired extends Error
{
}

final class MillwrightReport
{
    /** Tests that are looked at one by one: a suite of thousands does not pay for thousands of looks. */
    private const MOST_LOOKS = 30;

    private $root;
    private $runtime;
    private $limit;
    private $send;
    private $owner;
    private $counts = [];
    private $ended = [];
    private $seen = [];
    private $targets;
    private $names;
    private $broken = false;
    private $driver;
    private $current;
    /** @var MillwrightGuard|null */
    public $guard;

    /** `$file`: the report of a candidate in a batch. It needs no key, since a batch only screens. */
    public function __construct(string $framework, ?string $file = null)
    {
        $this->owner = getmypid();
        $this->send = $file === null ? self::openChannel($framework) : self::openFile($file);
        $this->root = realpath(getenv('MILLWRIGHT_ROOT'));
        $this->runtime = __DIR__;
        $this->limit = (float) getenv('MILLWRIGHT_TEST_SECONDS');
        $this->readSelection();
        $this->openCoverage();
        $this->write('run-started', ['framework' => $framework]);
    }

    private static function openFile(string $path): callable
    {
        $file = fopen($path, 'ab');
        stream_set_write_buffer($file, 0);
        $owner = getmypid();
        return static function (string $text) use ($file, $owner): void {
            if (getmypid() === $owner) {
                fwrite($file, $text);
            }
        };
    }

    private static function openChannel(string $framework): callable
    {
        $channel = getenv('MILLWRIGHT_CHANNEL');
        // The run's key is taken here, before anything of the repository is loaded: it can be taken once.
        // Each frame (src/languages/report-frames.ts) is one write of at most 4,096 bytes.
        $file = fopen($channel . '/key', 'rb');
        $key = fread($file, 32);
        fclose($file);
        $pipe = fopen($channel . '/lines', 'ab');
        stream_set_write_buffer($pipe, 0);
        $frames = 0;
        $owner = getmypid();
        return static function (string $text) use ($key, $pipe, $framework, $owner, &$frames): void {
            if (getmypid() !== $owner) {
                return;
            }
            foreach (str_split($text, 3968) as $part) {
                fwrite($pipe, sprintf("%s %s %d %d\n%s", $key, $framework, $frames++, strlen($part), $part));
            }
        };
    }

    /** Our own files alone may report: the report of a run in which others did is invalid. */
    private function guardCaller(): void
    {
        $file = debug_backtrace(DEBUG_BACKTRACE_IGNORE_ARGS, 2)[1]['file'] ?? '';
        if (dirname($file) !== $this->runtime || substr($file, -4) !== '.php') {
            ($this->send)("a call from $file\n");
        }
    }

    private function look(): void
    {
        $changes = $this->guard === null ? [] : $this->guard->look([$this, 'relative']);
        foreach (array_chunk($changes, 500) as $some) {
            $this->write('framework-changed', ['changes' => $some]);
        }
    }

    public function write(string $event, array $fields): void
    {
        $this->guardCaller();
        $flags = JSON_UNESCAPED_SLASHES | JSON_UNESCAPED_UNICODE | JSON_INVALID_UTF8_SUBSTITUTE;
        ($this->send)(json_encode(['event' => $event] + $fields, $flags) . "\n");
    }

    public function relative(string $path): ?string
    {
        $real = realpath($path) ?: $path;
        return strncmp($real, $this->root . '/', strlen($this->root) + 1) === 0 ? substr($real, strlen($this->root) + 1) : null;
    }

    /** Names of one target are told apart by their order. */
    public function keyOf(string $target, string $name): array
    {
        $count = $this->seen[$target . "\t" . $name] = ($this->seen[$target . "\t" . $name] ?? 0) + 1;
        return ['package' => '', 'target' => $target, 'name' => $count === 1 ? $name : "$name #$count"];
    }

    public function isWanted(array $key): bool
    {
        return $this->targets === null || isset($this->targets[$key['target']])
            || isset($this->names[$key['target'] . "\t" . $key['name']]);
    }

    /**
     * Takes this process's part of the files, if several processes run the selected tests, and reports its tests. The parts keep
     * the files' order and take about the same time. Returns the targets of this part; null without a share.
     */
    public function takeShare(array $keys): ?array
    {
        $share = $this->readLines('SHARE');
        if ($share === null) {
            $this->found(array_merge($this->asked(), $keys), []);
            return null;
        }
        [$index, $of] = array_map('intval', explode("\t", array_shift($share)));
        $weights = $times = $taken = [];
        foreach ($share as $line) {
            [$target, $ms] = explode("\t", $line, 2);
            $times[$target] = (float) $ms;
        }
        foreach ($keys as $key) {
            $weights[$key['target']] = ($weights[$key['target']] ?? $times[$key['target']] ?? 0) + 1;
        }
        $whole = array_sum($weights);
        $before = 0;
        foreach ($weights as $target => $weight) {
            if ((int) (($before + $weight / 2) * $of / $whole) === $index) {
                $taken[$target] = true;
            }
            $before += $weight;
        }
        $own = array_values(array_filter($keys, static function (array $key) use ($taken): bool {
            return isset($taken[$key['target']]);
        }));
        $this->found($own, ['of' => count($keys)]);
        return $taken;
    }

    private function found(array $keys, array $of): void
    {
        // A share without tests also reports the number of all tests.
        foreach ($keys === [] && $of !== [] ? [[]] : array_chunk($keys, 200) as $some) {
            $this->write('tests-found', ['tests' => $some] + $of);
        }
    }

    /** A file is loaded by itself: where it cannot be, the others run. */
    public function loadTarget(string $target, callable $load): void
    {
        $this->look();
        try {
            $load();
        } catch (Throwable $error) {
            $this->targetFailed($target, $error);
        }
        $this->flushCoverage(['test' => null, 'target' => $target]);
    }

    public function targetFailed(string $target, Throwable $error): void
    {
        $this->broken = true;
        $this->write('target-failed', ['package' => '', 'target' => $target, 'failure' => $this->describe($error)]);
    }

    public function testStarted(array $key): void
    {
        $this->flushCoverage(['test' => null, 'target' => $key['target']]);
        $this->write('test-started', ['test' => $key]);
        if ($this->limit > 0 && function_exists('pcntl_alarm')) {
            $limit = $this->limit;
            pcntl_async_signals(true);
            pcntl_signal(SIGALRM, static function () use ($limit): void {
                throw new MillwrightExpired('the test did not end within ' . round($limit * 1000) . ' ms');
            });
            pcntl_alarm((int) max(1, ceil($limit)));
        }
    }

    public function testEnded(array $key, string $status, float $seconds, ?array $failure): void
    {
        $this->guardCaller();
        if (function_exists('pcntl_alarm')) {
            pcntl_alarm(0);
        }
        $id = $key['target'] . "\t" . $key['name'];
        // The host takes another result of the same test for a forged one.
        if (($this->ended[$id] ?? null) === $status) {
            return;
        }
        $this->ended[$id] = $status;
        if (count($this->ended) <= self::MOST_LOOKS) {
            $this->look();
        }
        $this->flushCoverage(['test' => $key]);
        $this->counts[$status] = ($this->counts[$status] ?? 0) + 1;
        $fields = ['test' => $key, 'status' => $status, 'durationMs' => round($seconds * 1000, 3)];
        $this->write('test-ended', $failure === null ? $fields : $fields + ['failure' => $failure]);
    }

    /** The exit code that belongs to what was reported. */
    public function finish(): int
    {
        $this->guardCaller();
        $this->look();
        $this->flushCoverage(['test' => null, 'target' => '']);
        $this->write('run-ended', ['counts' => (object) $this->counts]);
        return $this->broken || isset($this->counts['failed']) || isset($this->counts['errored']) ? 1 : 0;
    }

    public function describe(Throwable $error): array
    {
        // What a framework puts around an error of the code under test.
        $kind = method_exists($error, 'getClassName') ? $error->getClassName() : get_class($error);
        $isExpired = $kind === MillwrightExpired::class;
        $message = $error->getMessage();
        $more = method_exists($error, 'getComparisonFailure') && $error->getComparisonFailure() !== null
            ? $error->getComparisonFailure()->getDiff() : '';
        $frames = [];
        $from = ['file' => $error->getFile(), 'line' => $error->getLine()];
        foreach (array_merge([$from], self::traceOf($error)) as $at => $call) {
            $inside = self::traceOf($error)[$at]['function'] ?? null;
            $frame = $this->frame($call, $inside);
            if ($frame !== null) {
                array_unshift($frames, $frame);
            }
        }
        return [
            'type' => $isExpired ? 'TimeoutError' : $kind,
            'message' => mb_substr($message . $more, 0, 4000),
            'frames' => $frames,
            'text' => mb_substr("$kind: $message$more\n" . $error->getTraceAsString(), 0, 4000),
        ];
    }

    private static function traceOf(Throwable $error): array
    {
        return method_exists($error, 'getSerializableTrace') ? $error->getSerializableTrace() : $error->getTrace();
    }

    private function frame(array $call, ?string $inside): ?array
    {
        $file = $call['file'] ?? '';
        $line = $call['line'] ?? 0;
        if ($line < 1 || strncmp($file, $this->runtime, strlen($this->runtime)) === 0) {
            return null;
        }
        $own = $this->relative($file);
        if (preg_match('~(?:^|/)(?:PHPUnit|vendor/phpunit|vendor/bin)/~', $own ?? $file)) {
            return null;
        }
        $frame = ['file' => $own ?? $file, 'line' => $line];
        return $inside === null || strpos($inside, '{closure') !== false ? $frame : $frame + ['function' => $inside];
    }

    private function readSelection(): void
    {
        $lines = $this->readLines('SELECTION');
        if ($lines === null) {
            return;
        }
        $this->targets = $this->names = [];
        foreach ($lines as $line) {
            [$target, $name] = explode("\t", $line, 2) + [1 => null];
            if ($name !== null) {
                $this->names["$target\t$name"] = ['package' => '', 'target' => $target, 'name' => $name];
            } elseif ($target !== '') {
                $this->targets[$target] = true;
            }
        }
    }

    private function readLines(string $name): ?array
    {
        $packed = '';
        for ($part = 0; ($text = getenv("MILLWRIGHT_{$name}_$part")) !== false; $part++) {
            $packed .= $text;
            putenv("MILLWRIGHT_{$name}_$part");
            unset($_ENV["MILLWRIGHT_{$name}_$part"], $_SERVER["MILLWRIGHT_{$name}_$part"]);
        }
        return $packed === '' ? null : explode("\n", rtrim(gzdecode(base64_decode($packed)), "\n"));
    }

    /** The tests that were asked for by their names: one that is not there is not run. */
    private function asked(): array
    {
        return array_values($this->names ?? []);
    }

    private function openCoverage(): void
    {
        if (getenv('MILLWRIGHT_COVERAGE') !== '1') {
            return;
        }
        if (function_exists('pcov\start')) {
            $this->driver = 'pcov';
            \pcov\start();
        } elseif (function_exists('xdebug_start_code_coverage')) {
            $this->driver = 'xdebug';
            xdebug_start_code_coverage();
        } else {
            fwrite(STDERR, "no coverage: this PHP has neither pcov nor Xdebug\n");
        }
    }

    private function takeLines(): array
    {
        if ($this->driver === 'pcov') {
            \pcov\stop();
            $files = array_filter(\pcov\waiting() ?: [], function (string $file): bool {
                return $this->relative($file) !== null;
            });
            $lines = $files === [] ? [] : \pcov\collect(\pcov\inclusive, array_values($files));
            \pcov\clear();
            \pcov\start();
            return $lines;
        }
        $lines = xdebug_get_code_coverage();
        xdebug_stop_code_coverage(true);
        xdebug_start_code_coverage();
        return $lines;
    }

    private function flushCoverage(array $head): void
    {
        if ($this->driver === null || getmypid() !== $this->owner) {
            return;
        }
        $all = [];
        foreach ($this->takeLines() as $path => $lines) {
            $own = $this->relative($path);
            $ran = array_keys(array_filter($lines, static function (int $count): bool {
                return $count > 0;
            }));
            if ($own !== null && $ran !== []) {
                sort($ran);
                $all[$own] = implode(',', $ran);
            }
        }
        if ($all !== []) {
            $this->write('coverage', $head + ['lines' => $all]);
        }
    }
}
