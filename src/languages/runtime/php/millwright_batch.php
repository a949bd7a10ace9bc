<?php
// Tests many candidates in one start: PHPUnit is loaded once. Each candidate gets a forked child, which loads the project and its tests
// with the candidate's files in place of the base's. `batch.txt` in the report folder gets the lines that
// src/languages/forked-batch.ts reads; each child writes a report of its own, `c7-php-PID.jsonl`.

/** Takes the place of the wrapper for files until each text of the candidate was included. */
final class MillwrightOverlay
{
    /** Set where PHP opens a file to run it. */
    private const FOR_INCLUDE = 128;

    private static $texts = [];
    private static $left = [];
    /** @var resource|null Set by PHP. */
    public $context;
    private $stream;

    public static function lay(array $texts): void
    {
        self::$texts = self::$left = $texts;
        self::take();
    }

    private static function take(): void
    {
        if (self::$left !== []) {
            stream_wrapper_unregister('file');
            stream_wrapper_register('file', self::class);
        }
    }

    private static function aside(callable $call)
    {
        stream_wrapper_restore('file');
        try {
            return $call();
        } finally {
            self::take();
        }
    }

    public function stream_open(string $path, string $mode, int $options, ?string &$opened): bool
    {
        $this->stream = self::aside(function () use ($path, $mode, $options) {
            $real = realpath($path);
            if ($real !== false && isset(self::$texts[$real]) && $mode[0] === 'r') {
                if ($options & self::FOR_INCLUDE) {
                    unset(self::$left[$real]);
                }
                $stream = fopen('php://memory', 'w+b');
                fwrite($stream, self::$texts[$real]);
                rewind($stream);
                return $stream;
            }
            $usesPath = (bool) ($options & STREAM_USE_PATH);
            $reports = (bool) ($options & STREAM_REPORT_ERRORS);
            $more = $this->context === null ? [] : [$this->context];
            return $reports ? fopen($path, $mode, $usesPath, ...$more) : @fopen($path, $mode, $usesPath, ...$more);
        });
        return $this->stream !== false;
    }

    public function stream_read(int $count) { return fread($this->stream, $count); }
    public function stream_write(string $data) { return fwrite($this->stream, $data); }
    public function stream_eof(): bool { return feof($this->stream); }
    public function stream_stat() { return fstat($this->stream); }
    public function stream_seek(int $offset, int $whence = SEEK_SET): bool { return fseek($this->stream, $offset, $whence) === 0; }
    public function stream_tell() { return ftell($this->stream); }
    public function stream_flush(): bool { return fflush($this->stream); }
    public function stream_truncate(int $size): bool { return ftruncate($this->stream, $size); }
    public function stream_lock(int $operation): bool { return flock($this->stream, $operation ?: LOCK_SH); }
    public function stream_cast(int $as) { return $this->stream; }
    public function stream_close(): void { fclose($this->stream); }
    public function stream_set_option(int $option, int $first, ?int $second): bool { return false; }

    public function stream_metadata(string $path, int $option, $value): bool
    {
        return self::aside(static function () use ($path, $option, $value): bool {
            switch ($option) {
                case STREAM_META_TOUCH:
                    return touch($path, ...$value);
                case STREAM_META_ACCESS:
                    return chmod($path, $value);
                case STREAM_META_OWNER:
                case STREAM_META_OWNER_NAME:
                    return chown($path, $value);
                default:
                    return chgrp($path, $value);
            }
        });
    }

    public function url_stat(string $path, int $flags)
    {
        return self::aside(static function () use ($path, $flags) {
            return $flags & STREAM_URL_STAT_LINK ? @lstat($path) : @stat($path);
        });
    }

    public function unlink(string $path): bool
    {
        return self::aside(static function () use ($path): bool { return unlink($path); });
    }

    public function rename(string $from, string $to): bool
    {
        return self::aside(static function () use ($from, $to): bool { return rename($from, $to); });
    }

    public function mkdir(string $path, int $mode, int $options): bool
    {
        return self::aside(static function () use ($path, $mode, $options): bool {
            return mkdir($path, $mode, (bool) ($options & STREAM_MKDIR_RECURSIVE));
        });
    }

    public function rmdir(string $path, int $options): bool
    {
        return self::aside(static function () use ($path): bool { return rmdir($path); });
    }

    public function dir_opendir(string $path, int $options): bool
    {
        $this->stream = self::aside(static function () use ($path) { return opendir($path); });
        return $this->stream !== false;
    }

    public function dir_readdir() { return readdir($this->stream); }
    public function dir_rewinddir(): bool { rewinddir($this->stream); return true; }
    public function dir_closedir(): bool { closedir($this->stream); return true; }
}

final class MillwrightBatch
{
    private const POLL_MICROSECONDS = 5000;

    private $folder;
    private $lines;
    private $running = [];
    /** Seconds: a child that reported nothing for so long is in a call that no signal ends. */
    private $stall;

    public function __construct()
    {
        $this->folder = getenv('MILLWRIGHT_REPORT');
        $this->lines = fopen($this->folder . '/batch.txt', 'ab');
        $this->stall = 10 + (float) getenv('MILLWRIGHT_TEST_SECONDS');
    }

    /** Calls `$test` in each child with the path of its report. */
    public function run(callable $test): void
    {
        $candidates = array_map('intval', explode(' ', getenv('MILLWRIGHT_BATCH')));
        putenv('MILLWRIGHT_BATCH');
        unset($_ENV['MILLWRIGHT_BATCH'], $_SERVER['MILLWRIGHT_BATCH']);
        $parallel = max(1, array_shift($candidates));
        if (!function_exists('pcntl_fork') || !function_exists('posix_setpgid')) {
            $this->write(['refused' => 'this PHP has no pcntl and posix, which it needs to fork']);
            return;
        }
        foreach ($candidates as $candidate) {
            $texts = $this->read($candidate);
            $known = array_values(array_intersect(array_keys($texts), get_included_files()));
            if ($known !== []) {
                $this->refuse($candidate, "$known[0] is loaded with PHPUnit");
                continue;
            }
            while (count($this->running) >= $parallel) {
                $this->wait();
            }
            $this->start($candidate, $texts, $test);
        }
        while ($this->running !== []) {
            $this->wait();
        }
    }

    private function write(array $line): void
    {
        fwrite($this->lines, json_encode($line, JSON_INVALID_UTF8_SUBSTITUTE) . "\n");
    }

    private function refuse(int $candidate, string $reason): void
    {
        $this->write(['candidate' => $candidate, 'refused' => $reason]);
    }

    /** The candidate's texts by their paths in the checkout. */
    private function read(int $candidate): array
    {
        $folder = $this->folder . "/candidates/$candidate";
        $root = realpath(getenv('MILLWRIGHT_ROOT'));
        $texts = [];
        foreach (new RecursiveIteratorIterator(new RecursiveDirectoryIterator($folder, FilesystemIterator::SKIP_DOTS)) as $file) {
            $texts[$root . substr($file->getPathname(), strlen($folder))] = file_get_contents($file->getPathname());
        }
        return $texts;
    }

    private function start(int $candidate, array $texts, callable $test): void
    {
        $temporary = sys_get_temp_dir() . '/mw' . bin2hex(random_bytes(8));
        mkdir($temporary, 0700);
        $process = pcntl_fork();
        if ($process === 0) {
            posix_setpgid(0, 0);
            // Temporary files of children must not meet. Where memory runs out, the child is killed, and not its parent.
            putenv("TMPDIR=$temporary");
            @file_put_contents('/proc/self/oom_score_adj', '1000');
            ob_start(static function (): string { return ''; }, 4096);
            MillwrightOverlay::lay($texts);
            $test($this->reportOf($candidate, getmypid()), function () use ($candidate): void {
                // Another process reads the base's files.
                if (getrusage(1)['ru_minflt'] > 0) {
                    $this->refuse($candidate, 'the tests start processes');
                }
            });
            exit(0);
        }
        $this->running[$process] = ['candidate' => $candidate, 'folder' => $temporary, 'size' => -1, 'grown' => microtime(true)];
    }

    private function reportOf(int $candidate, int $process): string
    {
        return $this->folder . "/c$candidate-php-$process.jsonl";
    }

    /** Waits until a child ends by itself, or is killed because it is stuck. */
    private function wait(): void
    {
        for (;;) {
            foreach ($this->running as $process => $child) {
                $ended = pcntl_waitpid($process, $status, WNOHANG) === $process;
                if (!$ended && !$this->isStuck($process)) {
                    continue;
                }
                @posix_kill(-$process, SIGKILL);
                if (!$ended) {
                    pcntl_waitpid($process, $status);
                }
                $this->write(['candidate' => $child['candidate'], 'exitCode' => pcntl_wifexited($status) ? pcntl_wexitstatus($status) : null]);
                exec('rm -rf ' . escapeshellarg($child['folder']));
                unset($this->running[$process]);
                return;
            }
            usleep(self::POLL_MICROSECONDS);
        }
    }

    private function isStuck(int $process): bool
    {
        $child = &$this->running[$process];
        $report = $this->reportOf($child['candidate'], $process);
        clearstatcache(true, $report);
        $size = @filesize($report);
        if ($size !== $child['size']) {
            $child['size'] = $size;
            $child['grown'] = microtime(true);
        }
        return microtime(true) - $child['grown'] > $this->stall;
    }
}
