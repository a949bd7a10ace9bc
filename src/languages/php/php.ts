import { defineLanguage } from "../contract.ts";
import { phpStems } from "./php-imports.ts";

export default defineLanguage({
  name: "php",
  extensions: [".php"],
  grammar: () => "tree-sitter-php/tree-sitter-php.wasm",
  testFiles: ["**/{test,tests,Test,Tests}/**/*.php", "**/*Test.php", "**/*TestCase.php", "**/*.phpt"],
  toolchain: [
    {
      name: "php",
      argv: ["php", "--version"],
      remedy: "Install PHP 7.3 or later with pcov (or Xdebug) and PHPUnit 9 to repair PHP repositories.",
    },
  ],
  probes: [
    { markers: ["composer.json", "phpunit.xml", "phpunit.xml.dist"], programs: ["php --version"] },
    { markers: ["composer.json"], programs: ["composer --version"] },
  ],
  runners: ["phpunit", "composer"],
  missing: [
    {
      pattern: /vendor\/autoload\.php|Cannot open bootstrap script/,
      explain: (_, project) =>
        project.exists("vendor/autoload.php")
          ? undefined
          : { what: "the packages of composer.json are not installed", remedy: "run `composer install`" },
    },
    {
      pattern: /PHPUnit is not installed/,
      explain: () => ({
        what: "PHPUnit is not installed",
        remedy: "run `composer install`, or install phpunit",
      }),
    },
  ],
  importedStems: phpStems,
  searchesFolders: true,
  definesByRunning: true,
  lineComment: "//",
  interpreted: true,
  idleStatement: "null;",
  lockFiles: { "composer.lock": "composer" },
  interpreters: ["php"],
  homeFolders: [".phpenv"],
});
