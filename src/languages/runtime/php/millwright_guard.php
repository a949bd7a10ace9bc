<?php
// Loads PHPUnit and its comparison libraries before code of the project can replace them: PHP cannot change a loaded class. Reports
// later changes: classes and functions in their namespaces, comparators, stream wrappers. Needs PHP 7.3 or later.

final class MillwrightGuard
{
    /** One class of each library; its folder contains the other classes. */
    private const SEEDS = [
        'PHPUnit\Framework\TestCase', 'PHPUnit\Runner\BaseTestRunner', 'PHPUnit\Util\Test', 'PHPUnit\TextUI\TestRunner',
        'SebastianBergmann\Comparator\Factory', 'SebastianBergmann\Exporter\Exporter', 'SebastianBergmann\Diff\Differ',
        'SebastianBergmann\RecursionContext\Context', 'SebastianBergmann\ObjectEnumerator\Enumerator',
        'SebastianBergmann\ObjectReflector\ObjectReflector', 'SebastianBergmann\GlobalState\Snapshot', 'SebastianBergmann\Timer\Timer',
    ];
    private const NAMESPACES = '/^(?:PHPUnit|SebastianBergmann|Prophecy|DeepCopy|PharIo|Millwright\w*)\\\\/i';

    private $folders = [];
    private $told = [];
    private $comparators;

    public function __construct()
    {
        foreach (self::SEEDS as $seed) {
            if (class_exists($seed) || interface_exists($seed)) {
                $this->loadBeside($seed);
            }
        }
        if (property_exists('SebastianBergmann\Comparator\Factory', 'customComparators')) {
            SebastianBergmann\Comparator\Factory::getInstance();
            $this->comparators = new ReflectionProperty('SebastianBergmann\Comparator\Factory', 'customComparators');
            $this->comparators->setAccessible(true);
        }
    }

    private function loadBeside(string $seed): void
    {
        $folder = dirname((new ReflectionClass($seed))->getFileName());
        $namespace = substr($seed, 0, strrpos($seed, '\\') + 1);
        $this->folders[$folder . '/'] = true;
        foreach (new RecursiveIteratorIterator(new RecursiveDirectoryIterator($folder, FilesystemIterator::SKIP_DOTS)) as $file) {
            if (substr($file->getFilename(), -4) !== '.php' || $file->getFilename() === 'Functions.php') {
                continue;
            }
            $class = $namespace . strtr(substr($file->getPathname(), strlen($folder) + 1, -4), '/', '\\');
            try {
                class_exists($class) || interface_exists($class) || trait_exists($class);
            } catch (Throwable $error) {
                // The class needs an extension that is not installed, so nothing uses it.
            }
        }
    }

    /** Returns changes that no earlier call returned, in words that are equal in each run. `$nameOf` names a file of the repository, or returns null. */
    public function look(callable $nameOf): array
    {
        $found = [];
        foreach (get_declared_classes() as $class) {
            if (preg_match(self::NAMESPACES, $class) === 1) {
                $own = $nameOf((string) (new ReflectionClass($class))->getFileName());
                if ($own !== null && strncmp($own, 'vendor/', 7) !== 0) {
                    $found[] = "$class is $own";
                }
            }
        }
        foreach (get_defined_functions()['user'] as $function) {
            if (strpos($function, '\\') !== false && function_exists(substr($function, strrpos($function, '\\') + 1))) {
                $own = $nameOf((string) (new ReflectionFunction($function))->getFileName());
                if ($own !== null) {
                    $found[] = "$function is $own";
                }
            }
        }
        foreach ($this->comparators === null ? [] : $this->comparators->getValue(SebastianBergmann\Comparator\Factory::getInstance()) as $each) {
            $found[] = 'a comparator is ' . ($nameOf((string) (new ReflectionClass($each))->getFileName()) ?? get_class($each));
        }
        $file = @fopen(__FILE__, 'rb');
        if ($file === false || stream_get_meta_data($file)['wrapper_type'] !== 'plainfile') {
            $found[] = 'what reads files is of the project';
        }
        $new = array_values(array_diff(array_unique($found), $this->told));
        $this->told = array_merge($this->told, $new);
        return array_map(static function (string $change): string {
            return substr($change, 0, 900);
        }, $new);
    }
}
