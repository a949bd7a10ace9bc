<?php
// Runs PHPUnit 9 with the given arguments, those behind `--` being files of tests; what they do is reported by
// millwright_report.php.
require_once __DIR__ . '/millwright_report.php';
require_once __DIR__ . '/millwright_guard.php';

(static function (array $arguments): void {
    $loadPhpunit = static function (): MillwrightGuard {
        foreach ([getcwd() . '/vendor/autoload.php', getenv('MILLWRIGHT_ROOT') . '/vendor/autoload.php', 'PHPUnit/Autoload.php', 'PHPUnit/autoload.php'] as $file) {
            if (!class_exists('PHPUnit\TextUI\Command') && stream_resolve_include_path($file) !== false) {
                require_once $file;
            }
        }
        if (!class_exists('PHPUnit\TextUI\Command') || !interface_exists('PHPUnit\TextUI\ResultPrinter')) {
            fwrite(STDERR, class_exists('PHPUnit\TextUI\Command') || class_exists('PHPUnit\TextUI\Application')
                ? "Millwright runs PHPUnit 9; this is another version.\n"
                : "Class PHPUnit\\TextUI\\Command is not there: PHPUnit is not installed.\n");
            exit(2);
        }
        $guard = new MillwrightGuard();
        require_once __DIR__ . '/millwright_listener.php';
        return $guard;
    };
    $run = static function (MillwrightReport $report, MillwrightGuard $guard) use ($arguments): int {
        $report->guard = $guard;
        $at = array_search('--', $arguments, true);
        $files = $at === false ? [] : array_slice($arguments, $at + 1);
        $options = $at === false ? $arguments : array_slice($arguments, 0, $at);
        // A file is given so that PHPUnit does not load what its configuration names: that is done here, file by file.
        $command = new MillwrightCommand($report, $files);
        $command->run(array_merge(['phpunit', '--no-coverage', '--do-not-cache-result'], $options, [__FILE__]), false);
        $code = $report->finish();
        while (ob_get_level() > 0) {
            ob_end_flush();
        }
        return $code;
    };
    if (getenv('MILLWRIGHT_BATCH') === false) {
        // The report takes the run's key first. No global variable holds it: code of the project would find it there.
        $report = new MillwrightReport('phpunit');
        exit($run($report, $loadPhpunit()));
    }
    require_once __DIR__ . '/millwright_batch.php';
    $guard = $loadPhpunit();
    (new MillwrightBatch())->run(static function (string $file, callable $atEnd) use ($run, $guard): void {
        $code = $run(new MillwrightReport('phpunit', $file), $guard);
        $atEnd();
        exit($code);
    });
})(array_slice($argv, 1));
