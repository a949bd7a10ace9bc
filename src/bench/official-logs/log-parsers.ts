/** Finds SWE-bench's log parsers by name, or by repository for rows that name no parser. */
import { MillwrightError } from "../../base/errors.ts";
import { cleaningParsers } from "./cleaning-parsers.ts";
import type { LogParser } from "./contract.ts";
import { lineParsers } from "./line-parsers.ts";
import { pythonParsers } from "./pytest-parsers.ts";
import { suiteParsers } from "./suite-parsers.ts";

export const logParsers: Readonly<Record<string, LogParser>> = {
  ...pythonParsers,
  ...lineParsers,
  ...suiteParsers,
  ...cleaningParsers,
};

/** Finds our implementation of SWE-bench's log parser. Throws MillwrightError("usage") if there is none. */
export function findLogParser(name: string): LogParser {
  const parser = logParsers[name];
  if (parser !== undefined) return parser;
  throw new MillwrightError("usage", `There is no reader for SWE-bench's log parser ${name}.`, {
    hint: "Grade these logs with SWE-bench's own harness, or let `bench grade` run the tests for the predictions.",
  });
}

/** The parser of each repository in SWE-bench, Multilingual and Multimodal (`swebench` 5.0.2), in lower case. */
const byRepository: Readonly<Record<string, readonly string[]>> = {
  parse_log_pytest: [
    ...["marshmallow-code/marshmallow", "pallets/flask", "pvlib/pvlib-python", "pydata/xarray"],
    ...["pylint-dev/astroid", "pytest-dev/pytest", "pyvista/pyvista", "sqlfluff/sqlfluff"],
  ],
  parse_log_pytest_options: ["psf/requests", "pydicom/pydicom", "pylint-dev/pylint"],
  parse_log_pytest_v2: ["astropy/astropy", "scikit-learn/scikit-learn", "sphinx-doc/sphinx"],
  parse_log_django: ["django/django"],
  parse_log_matplotlib: ["matplotlib/matplotlib"],
  parse_log_seaborn: ["mwaskom/seaborn"],
  parse_log_sympy: ["sympy/sympy"],
  parse_log_gotest: [
    ...["caddyserver/caddy", "hashicorp/terraform", "prometheus/prometheus"],
    ...["gohugoio/hugo", "gin-gonic/gin"],
  ],
  parse_log_cargo: [
    ...["burntsushi/ripgrep", "sharkdp/bat", "astral-sh/ruff", "tokio-rs/tokio", "uutils/coreutils"],
    ...["nushell/nushell", "tokio-rs/axum"],
  ],
  parse_log_redis: ["redis/redis", "valkey-io/valkey"],
  parse_log_jq: ["jqlang/jq"],
  parse_log_doctest: ["nlohmann/json"],
  parse_log_micropython_test: ["micropython/micropython"],
  parse_log_googletest: ["fmtlib/fmt"],
  parse_log_maven: ["google/gson", "apache/druid", "javaparser/javaparser"],
  parse_log_ant: ["projectlombok/lombok"],
  parse_log_gradle_custom: ["apache/lucene", "reactivex/rxjava"],
  parse_log_phpunit: [
    ...["phpoffice/phpspreadsheet", "laravel/framework"],
    ...["php-cs-fixer/php-cs-fixer", "briannesbitt/carbon"],
  ],
  parse_log_jekyll: ["jekyll/jekyll"],
  parse_log_ruby_unit: ["fluent/fluentd", "faker-ruby/faker"],
  parse_log_rspec_transformed_json: ["fastlane/fastlane", "jordansissel/fpm", "rubocop/rubocop"],
  parse_log_calypso: ["automattic/wp-calypso"],
  parse_log_chart_js: ["chartjs/chart.js"],
  parse_log_marked: ["markedjs/marked"],
  parse_log_react_pdf: ["diegomura/react-pdf"],
  parse_log_jest: ["babel/babel", "facebook/docusaurus"],
  parse_log_vitest: ["vuejs/core"],
  parse_log_immutable_js: ["immutable-js/immutable-js"],
  parse_log_tap: ["mrdoob/three.js", "axios/axios"],
  parse_log_karma: ["preactjs/preact"],
  parse_log_next: ["alibaba-fusion/next"],
  parse_log_bpmn_js: ["bpmn-io/bpmn-js"],
  parse_log_carbon: ["carbon-design-system/carbon", "prettier/prettier", "scratchfoundation/scratch-gui"],
  parse_log_eslint: ["eslint/eslint"],
  parse_log_lighthouse: ["googlechrome/lighthouse"],
  parse_log_grommet: ["grommet/grommet"],
  parse_log_highlightjs: ["highlightjs/highlight.js"],
  parse_log_openlayers: ["openlayers/openlayers"],
  parse_log_p5js: ["processing/p5.js"],
  parse_log_prismjs: ["prismjs/prism"],
  parse_log_quarto_cli: ["quarto-dev/quarto-cli"],
};

/** Returns the name of a repository's log parser; undefined for a repository outside of SWE-bench's sets. */
export function logParserOf(repository: string): string | undefined {
  const name = repository.toLowerCase();
  return Object.keys(byRepository).find((parser) => byRepository[parser]?.includes(name));
}
