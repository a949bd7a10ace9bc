/** Files that affect how PHP's tests are found, run and reported. */
import type { JudgingFile } from "../contract.ts";
import { judgingOfAll } from "../judging-files.ts";

export const phpJudging: readonly JudgingFile[] = [
  ...judgingOfAll,
  {
    files: "**/{phpunit.xml,phpunit.xml.dist,phpunit.dist.xml,.phpunit.xml}",
    loads: /\b(?:bootstrap|extensionsDirectory|testSuiteLoaderFile|printerFile)\s*=\s*("[^"\n]*"|'[^'\n]*')/,
  },
  { files: "**/{tests,test,Tests}/{bootstrap,autoload,Pest}.php" },
  { files: "**/{behat,codeception,phpspec}*.{yml,yaml}{,.dist}" },
  { files: "**/{composer.lock,.php-version,php.ini,.user.ini}" },
  {
    files: "**/composer.json",
    parts: { format: "json", keys: ["autoload-dev", "require-dev", "scripts", "config", "repositories"] },
  },
  { files: "**/vendor/**" },
  { files: "**/{PHPUnit,phpunit}/**/*.php", isShadow: true },
];
