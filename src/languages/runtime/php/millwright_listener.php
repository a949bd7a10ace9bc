<?php
// How PHPUnit 9 loads the tests that were asked for, and tells what they did. Loaded after PHPUnit, whose classes it extends.

/** PHPUnit's only printer, too: another might write to streams that a test closes. */
final class MillwrightListener implements PHPUnit\TextUI\ResultPrinter
{
    private $report;
    private $keys;
    private $status = 'passed';
    private $failure;

    public function __construct(MillwrightReport $report, SplObjectStorage $keys)
    {
        $this->report = $report;
        $this->keys = $keys;
    }

    public function printResult(PHPUnit\Framework\TestResult $result): void
    {
    }

    public function write(string $buffer): void
    {
    }

    public function addError(PHPUnit\Framework\Test $test, Throwable $t, float $time): void
    {
        $this->fail($test, $t, $this->isInBody($test, $t) ? 'failed' : 'errored');
    }

    public function addWarning(PHPUnit\Framework\Test $test, PHPUnit\Framework\Warning $e, float $time): void
    {
        $this->fail($test, $e, 'failed');
    }

    public function addFailure(PHPUnit\Framework\Test $test, PHPUnit\Framework\AssertionFailedError $e, float $time): void
    {
        $this->fail($test, $e, 'failed');
    }

    public function addIncompleteTest(PHPUnit\Framework\Test $test, Throwable $t, float $time): void
    {
        $this->status = 'skipped';
    }

    public function addRiskyTest(PHPUnit\Framework\Test $test, Throwable $t, float $time): void
    {
    }

    public function addSkippedTest(PHPUnit\Framework\Test $test, Throwable $t, float $time): void
    {
        $this->status = 'skipped';
    }

    public function startTestSuite(PHPUnit\Framework\TestSuite $suite): void
    {
    }

    public function endTestSuite(PHPUnit\Framework\TestSuite $suite): void
    {
    }

    public function startTest(PHPUnit\Framework\Test $test): void
    {
        $this->status = 'passed';
        $this->failure = null;
        $key = $this->keyOf($test);
        if ($key !== null) {
            $this->report->testStarted($key);
        }
    }

    public function endTest(PHPUnit\Framework\Test $test, float $time): void
    {
        $key = $this->keyOf($test);
        if ($key !== null) {
            $this->report->testEnded($key, $this->status, $time, $this->failure);
        }
    }

    /** Null for a test that runs only because a requested one takes its result. */
    private function keyOf(PHPUnit\Framework\Test $test): ?array
    {
        return $this->keys->contains($test) ? $this->keys[$test] : null;
    }

    private function fail(PHPUnit\Framework\Test $test, Throwable $t, string $status): void
    {
        $this->status = $status;
        $this->failure = $this->report->describe($t);
        if (!$this->keys->contains($test)) {
            $this->report->targetFailed('', $t);
        }
    }

    private function isInBody(PHPUnit\Framework\Test $test, Throwable $t): bool
    {
        $name = $test instanceof PHPUnit\Framework\TestCase ? $test->getName(false) : null;
        $trace = method_exists($t, 'getSerializableTrace') ? $t->getSerializableTrace() : $t->getTrace();
        foreach ($trace as $call) {
            if (($call['function'] ?? '') === $name && strpos($call['class'] ?? '', 'PHPUnit\\') !== 0) {
                return true;
            }
        }
        return false;
    }
}

final class MillwrightCommand extends PHPUnit\TextUI\Command
{
    private $report;
    private $files;
    private $targets;

    public function __construct(MillwrightReport $report, array $files)
    {
        $this->report = $report;
        $this->files = $files;
        $this->targets = new SplObjectStorage();
    }

    protected function handleArguments(array $argv): void
    {
        parent::handleArguments($argv);
        $keys = new SplObjectStorage();
        $this->arguments['test'] = $this->loadTests($keys);
        $this->arguments['printer'] = new MillwrightListener($this->report, $keys);
    }

    private function loadTests(SplObjectStorage $keys): PHPUnit\Framework\TestSuite
    {
        $suites = [];
        $found = [];
        foreach ($this->files === [] ? $this->configuredFiles() : $this->files as $file) {
            $target = $this->report->relative($file) ?? $file;
            $suite = new PHPUnit\Framework\TestSuite($target);
            $this->report->loadTarget($target, static function () use ($suite, $file): void {
                if (!is_file($file)) {
                    throw new RuntimeException("there is no file $file");
                }
                $suite->addTestFile(realpath($file));
            });
            $this->choose($suite, $target, $keys, $found);
            if (count($suite->tests()) > 0) {
                $suites[] = [$target, $suite];
            }
        }
        $taken = $this->report->takeShare($found);
        $whole = new PHPUnit\Framework\TestSuite('tests');
        foreach ($suites as [$target, $suite]) {
            if ($taken === null || isset($taken[$target])) {
                $whole->addTest($suite);
            }
        }
        return $whole;
    }

    /** Keeps only the requested tests of a suite, and those whose results they take. Adds the requested ones to `$found`. */
    private function choose(PHPUnit\Framework\TestSuite $suite, string $target, SplObjectStorage $keys, array &$found): void
    {
        $chosen = $byName = [];
        foreach ($this->testsOf($suite) as $test) {
            $isCase = $test instanceof PHPUnit\Framework\TestCase;
            $key = $this->report->keyOf($target, $isCase ? get_class($test) . '::' . $test->getName() : $target);
            if ($isCase) {
                $byName[get_class($test) . '::' . $test->getName(false)][] = $test;
            }
            if ($this->report->isWanted($key)) {
                $keys[$test] = $key;
                $chosen[] = $test;
                $found[] = $key;
            }
        }
        while ($chosen !== []) {
            foreach ($this->neededBy(array_shift($chosen)) as $name) {
                foreach ($byName[$name] ?? [] as $test) {
                    if (!$keys->contains($test)) {
                        $keys[$test] = null;
                        $chosen[] = $test;
                    }
                }
            }
        }
        $this->keep($suite, $keys);
    }

    /** The names of the tests without which PHPUnit would skip this one (`@depends`). */
    private function neededBy(PHPUnit\Framework\Test $test): array
    {
        $needed = method_exists($test, 'requires') ? $test->requires() : [];
        return array_map(static function ($one): string {
            return is_object($one) ? $one->getTarget() : (string) $one;
        }, $needed);
    }

    private function testsOf(PHPUnit\Framework\TestSuite $suite): array
    {
        $found = [];
        foreach ($suite->tests() as $test) {
            if ($test instanceof PHPUnit\Framework\TestSuite) {
                $found = array_merge($found, $this->testsOf($test));
            } elseif (!($test instanceof PHPUnit\Framework\WarningTestCase) || preg_match('/^[\w\\\\]+::/', $test->getName())) {
                // Without PHPUnit's warning about a file without tests, or without the class that its name promises.
                $found[] = $test;
            }
        }
        return $found;
    }

    private function keep(PHPUnit\Framework\TestSuite $suite, SplObjectStorage $keys): void
    {
        $kept = [];
        foreach ($suite->tests() as $test) {
            $isSuite = $test instanceof PHPUnit\Framework\TestSuite;
            if ($isSuite) {
                $this->keep($test, $keys);
            }
            if ($isSuite ? count($test->tests()) > 0 : $keys->contains($test)) {
                $kept[] = $test;
            }
        }
        $suite->setTests($kept);
    }

    /** The files of the chosen suites in the configuration. */
    private function configuredFiles(): array
    {
        $files = [];
        $chosen = ($this->arguments['testsuite'] ?? '') === '' ? [] : explode(',', $this->arguments['testsuite']);
        $suites = isset($this->arguments['configurationObject']) ? $this->arguments['configurationObject']->testSuite() : [];
        foreach ($suites as $one) {
            if ($chosen !== [] && !in_array($one->name(), $chosen, true)) {
                continue;
            }
            $excluded = array_map(static function ($file): string {
                return $file->path();
            }, $one->exclude()->asArray());
            foreach ($one->directories() as $folder) {
                $more = (new SebastianBergmann\FileIterator\Facade())->getFilesAsArray($folder->path(), $folder->suffix(), $folder->prefix(), $excluded);
                $files = array_merge($files, $more);
            }
            foreach ($one->files() as $file) {
                $files[] = $file->path();
            }
        }
        return array_values(array_unique($files));
    }
}
