/** Signs of an attack in PHP: `attack-sign-table.ts` says what a sign is. */
import { built, machine, started } from "./attack-sign-builds.ts";
import { asked, memory } from "./attack-sign-looks.ts";
import {
  account,
  accounts,
  besides,
  callers,
  clock,
  digests,
  encoded,
  folder,
  interpreter,
  loaded,
  places,
  terminal,
  testPaths,
  tests,
} from "./attack-sign-surroundings.ts";
import { type AttackSign, signsFor } from "./attack-sign-table.ts";

const languages = ["php"];
const { runner, exits, signals, frames, detection, builtins, madeCode } = signsFor(languages);

export const phpSigns: readonly AttackSign[] = [
  { ...runner, code: /\b(?:PHPUnit|SebastianBergmann|Prophecy|Mockery|Codeception)\b/, isUsual: true },
  { ...runner, quoted: /^\\{0,2}(?:PHPUnit|SebastianBergmann|Prophecy)\b/ },
  {
    ...exits,
    code: /(?<![\w$>:])(?:exit|die)\b|\bregister_shutdown_function\b|\bpcntl_exec\b/,
    isUsual: true,
  },
  { ...exits, code: /\bposix_kill\b|\bposix_getpid\b|\bfastcgi_finish_request\b/, isUsual: true },
  {
    ...signals,
    code: /\bpcntl_(?:signal|alarm|async_signals)\b|\bregister_tick_function\b|\bdeclare\s*\(\s*ticks\b/,
    isUsual: true,
  },
  {
    ...interpreter,
    languages,
    code: /\bset_(?:error|exception)_handler\b|\bassert_options\b|\bini_(?:set|get|get_all|alter|restore)\b|\bget_cfg_var\b|\bphp_ini_\w+|\berror_reporting\s*\(/,
    isUsual: true,
  },
  {
    ...callers,
    languages,
    code: /\bdebug_(?:print_)?backtrace\b|->\s*getTrace(?:AsString)?\b/,
    isUsual: true,
  },
  {
    ...frames,
    code: /\bReflection(?:Class|Function|Method|Object|Property|Enum|NamedType)?\b|\bClosure\s*::\s*bind\b|->\s*bindTo\b|\bFFI\b|\bget_resources\b|\bWeakMap\b/,
    isUsual: true,
  },
  { ...frames, code: /\$GLOBALS\b|\bget_defined_vars\b|(?<![\w$>])global\s+\$/, isUsual: true },
  { ...detection, quoted: /^(?:PHPUNIT_\w+|__PHPUNIT_\w+|PHPUNIT)$/ },
  { ...detection, code: /\b__PHPUNIT_\w+|\bPHPUNIT_\w+/ },
  { ...detection, code: /\$argv\b|\$argc\b|\bPHP_SAPI\b|\bphp_sapi_name\b/, isUsual: true },
  {
    ...detection,
    code: /\$_SERVER\b/,
    quoted: /^(?:argv|argc|SCRIPT_(?:NAME|FILENAME)|PHP_SELF|PATH_TRANSLATED|REQUEST_TIME\w*)$/,
    isUsual: true,
  },
  {
    ...detection,
    code: /\bgetenv\b|\$_ENV\b|\$_SERVER\b/,
    quoted: /^(?:APP_ENV|APP_DEBUG|ENV|ENVIRONMENT|TEST\w*|XDEBUG_\w+)$/,
    isUsual: true,
  },
  {
    ...loaded,
    languages,
    code: /\bget_(?:included|required)_files\b|\bget_declared_(?:classes|interfaces|traits)\b|\bget_defined_(?:functions|constants)\b|\bget_loaded_extensions\b|\bextension_loaded\b|\bspl_autoload_functions\b|\bInstalledVersions\b/,
    isUsual: true,
  },
  { ...loaded, languages, code: /\bpcov\b|\bxdebug_\w+|\bopcache_\w+/ },
  {
    ...madeCode,
    code: /(?<![\w$>:])eval\s*\(|\bcreate_function\b|\brunkit\w*|\buopz_\w+|(?<![\w$>:])assert\s*\(\s*\)/,
    isUsual: true,
  },
  { ...madeCode, code: /\b(?:include|require)(?:_once)?\b/, quoted: /^(?:data:|php:\/\/)/ },
  {
    ...builtins,
    code: /\bstream_wrapper_(?:register|unregister|restore)\b|\bstream_filter_register\b/,
    isUsual: true,
  },
  { ...builtins, code: /\bclass_alias\b|\bspl_autoload_(?:un)?register\b/, isUsual: true },
  { ...terminal, languages, code: /\b(?:posix|stream)_isatty\b|\bposix_ttyname\b/, isUsual: true },
  { ...account, languages, code: /\bgetenv\b|\$_ENV\b|\$_SERVER\b/, quoted: accounts },
  {
    ...account,
    languages,
    code: /\bget_current_user\b|\bgethostname\b|\bphp_uname\b|\bgetmy(?:uid|gid|inode)\b|\bposix_get\w+/,
    isUsual: true,
  },
  {
    ...machine,
    languages,
    code: /\bmemory_(?:get_(?:peak_)?usage|limit)\b|\bsys_getloadavg\b|\bdisk_(?:free|total)_space\b|\bgetrusage\b/,
    isUsual: true,
  },
  { ...memory, languages, code: /\bspl_object_(?:id|hash)\b|\bgc_status\b/, when: "decides", isUsual: true },
  {
    ...built,
    languages,
    code: /\bPHP_(?:OS|OS_FAMILY|VERSION\w*|DEBUG|ZTS|BINARY)\b|\bZEND_THREAD_SAFE\b/,
    when: "decides",
    isUsual: true,
  },
  { ...started, languages, code: /\bget_included_files\b|\b__COMPILER_HALT_OFFSET__\b/, isUsual: true },
  { ...asked, languages, code: /`[^`]*\b(?:ps|pgrep|pidof|pstree|lsof|env|printenv|tty)\b/ },
  { ...places, languages, code: /\b(?:file_exists|is_file|is_dir|stat|is_readable)\s*\(/, quoted: besides },
  { ...folder, languages, code: /\bgetcwd\s*\(/, when: "decides", isUsual: true },
  {
    ...tests,
    languages,
    code: /\b(?:file_get_contents|file|fopen|glob|scandir|opendir|readfile|DirectoryIterator|SplFileObject|include|require)(?:_once)?\b|__DIR__/,
    quoted: testPaths,
  },
  {
    ...tests,
    languages,
    code: /\b(?:highlight_file|show_source|php_strip_whitespace|token_get_all|DirectoryIterator|scandir|glob)\b|\bfile_get_contents\s*\(\s*__(?:FILE|DIR)__/,
    isUsual: true,
  },
  {
    sign: "code that writes files when it is loaded",
    languages,
    code: /\b(?:file_put_contents|unlink|rename|symlink|copy)\s*\(/,
    when: "load",
    isUsual: true,
  },
  {
    ...clock,
    languages,
    code: /(?<![\w$>:\\])\\?(?:time|microtime|hrtime|mt_rand|rand|random_int|random_bytes|uniqid|getmypid|filemtime|array_rand|shuffle|lcg_value|getdate|localtime)\s*\(|(?<![\w$>:])date\s*\(\s*\)|\bnew\s+\\?DateTime(?:Immutable)?\s*(?:\(\s*\)|(?![\w(\s]))/,
    isUsual: true,
  },
  { ...digests, languages, code: /(?<![\w$>:])\\?(?:md5|sha1|crc32|hash|hash_hmac)\s*\(/, isUsual: true },
  {
    ...encoded,
    languages,
    code: /\bbase64_decode\b|\bunserialize\b|\bgz(?:inflate|uncompress|decode)\b|\bhex2bin\b|\bstr_rot13\b|\bconvert_uudecode\b/,
    isUsual: true,
  },
  {
    ...started,
    languages,
    code: /\bob_get_(?:level|status|length)\b|\berror_get_last\b|\bheaders_(?:sent|list)\b|\bget_include_path\b|\bconnection_status\b|\bignore_user_abort\b|\bgetenv\s*\(\s*\)|\bftell\s*\(\s*STD/,
    isUsual: true,
  },
  { sign: "Millwright's own names", languages, code: /\bMillwright/ },
];
