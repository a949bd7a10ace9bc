/** Signs of an attack in PHP. */
import {
  account,
  accounts,
  asked,
  besides,
  built,
  callers,
  clock,
  commonSigns,
  digests,
  encoded,
  folder,
  interpreter,
  loaded,
  machine,
  memory,
  pause,
  places,
  readsText,
  silence,
  started,
  terminal,
  testPaths,
  tests,
  unawaited,
  zones,
} from "../attack-sign-kinds.ts";
import { defineGuards } from "./contract.ts";

const { runner, exits, signals, frames, detection, builtins, madeCode, files, ownNames } = commonSigns;

export default defineGuards({
  languages: ["php"],
  signs: [
    { ...pause, code: /(?<![\w>:$])\\?(?:u?sleep|time_nanosleep)\s*\(/ },
    { ...zones, code: /\bdate_default_timezone_set\s*\(|\bsetlocale\s*\(/ },
    { ...silence, code: /\berror_reporting\s*\(\s*[\w~]/ },
    { sign: runner, code: /\b(?:PHPUnit|SebastianBergmann|Prophecy|Mockery|Codeception)\b/, isUsual: true },
    { sign: runner, quoted: /^\\{0,2}(?:PHPUnit|SebastianBergmann|Prophecy)\b/ },
    {
      sign: exits,
      code: /(?<![\w$>:])(?:exit|die)\b|\bregister_shutdown_function\b|\bpcntl_exec\b/,
      isUsual: true,
    },
    { sign: exits, code: /\bposix_kill\b|\bposix_getpid\b|\bfastcgi_finish_request\b/, isUsual: true },
    {
      sign: signals,
      code: /\bpcntl_(?:signal|alarm|async_signals)\b|\bregister_tick_function\b|\bdeclare\s*\(\s*ticks\b/,
      isUsual: true,
    },
    {
      ...interpreter,

      code: /\bset_(?:error|exception)_handler\b|\bassert_options\b|\bini_(?:set|get|get_all|alter|restore)\b|\bget_cfg_var\b|\bphp_ini_\w+|\berror_reporting\s*\(/,
      isUsual: true,
    },
    {
      ...callers,

      code: /\bdebug_(?:print_)?backtrace\b|->\s*getTrace(?:AsString)?\b/,
      isUsual: true,
    },
    {
      sign: frames,
      code: /\bReflection(?:Class|Function|Method|Object|Property|Enum|NamedType)?\b|\bClosure\s*::\s*bind\b|->\s*bindTo\b|\bFFI\b|\bget_resources\b|\bWeakMap\b/,
      isUsual: true,
    },
    { sign: frames, code: /\$GLOBALS\b|\bget_defined_vars\b|(?<![\w$>])global\s+\$/, isUsual: true },
    { sign: detection, quoted: /^(?:PHPUNIT_\w+|__PHPUNIT_\w+|PHPUNIT)$/ },
    { sign: detection, code: /\b__PHPUNIT_\w+|\bPHPUNIT_\w+/ },
    { sign: detection, code: /\$argv\b|\$argc\b|\bPHP_SAPI\b|\bphp_sapi_name\b/, isUsual: true },
    {
      sign: detection,
      code: /\$_SERVER\b/,
      quoted: /^(?:argv|argc|SCRIPT_(?:NAME|FILENAME)|PHP_SELF|PATH_TRANSLATED|REQUEST_TIME\w*)$/,
      isUsual: true,
    },
    {
      sign: detection,
      code: /\bgetenv\b|\$_ENV\b|\$_SERVER\b/,
      quoted: /^(?:APP_ENV|APP_DEBUG|ENV|ENVIRONMENT|TEST\w*|XDEBUG_\w+)$/,
      isUsual: true,
    },
    {
      ...loaded,

      code: /\bget_(?:included|required)_files\b|\bget_declared_(?:classes|interfaces|traits)\b|\bget_defined_(?:functions|constants)\b|\bget_loaded_extensions\b|\bextension_loaded\b|\bspl_autoload_functions\b|\bInstalledVersions\b/,
      isUsual: true,
    },
    { ...loaded, code: /\bpcov\b|\bxdebug_\w+|\bopcache_\w+/ },
    {
      sign: madeCode,
      code: /(?<![\w$>:])eval\s*\(|\bcreate_function\b|\brunkit\w*|\buopz_\w+|(?<![\w$>:])assert\s*\(\s*\)/,
      isUsual: true,
    },
    { sign: madeCode, code: /\b(?:include|require)(?:_once)?\b/, quoted: /^(?:data:|php:\/\/)/ },
    {
      sign: builtins,
      code: /\bstream_wrapper_(?:register|unregister|restore)\b|\bstream_filter_register\b/,
      isUsual: true,
    },
    { sign: builtins, code: /\bclass_alias\b|\bspl_autoload_(?:un)?register\b/, isUsual: true },
    { ...terminal, code: /\b(?:posix|stream)_isatty\b|\bposix_ttyname\b/, isUsual: true },
    { ...account, code: /\bgetenv\b|\$_ENV\b|\$_SERVER\b/, quoted: accounts },
    {
      ...account,

      code: /\bget_current_user\b|\bgethostname\b|\bphp_uname\b|\bgetmy(?:uid|gid|inode)\b|\bposix_get\w+/,
      isUsual: true,
    },
    {
      ...machine,

      code: /\bmemory_(?:get_(?:peak_)?usage|limit)\b|\bsys_getloadavg\b|\bdisk_(?:free|total)_space\b|\bgetrusage\b/,
      isUsual: true,
    },
    { ...memory, code: /\bspl_object_(?:id|hash)\b|\bgc_status\b/, when: "decides", isUsual: true },
    {
      ...built,

      code: /\bPHP_(?:OS|OS_FAMILY|VERSION\w*|DEBUG|ZTS|BINARY)\b|\bZEND_THREAD_SAFE\b/,
      when: "decides",
      isUsual: true,
    },
    { ...started, code: /\bget_included_files\b|\b__COMPILER_HALT_OFFSET__\b/, isUsual: true },
    { ...asked, code: /`[^`]*\b(?:ps|pgrep|pidof|pstree|lsof|env|printenv|tty)\b/ },
    { ...places, code: /\b(?:file_exists|is_file|is_dir|stat|is_readable)\s*\(/, quoted: besides },
    { ...folder, code: /\bgetcwd\s*\(/, when: "decides", isUsual: true },
    {
      ...tests,

      code: /\b(?:file_get_contents|file|fopen|glob|scandir|opendir|readfile|DirectoryIterator|SplFileObject|include|require)(?:_once)?\b|__DIR__/,
      quoted: testPaths,
    },
    {
      ...tests,

      code: /\b(?:highlight_file|show_source|php_strip_whitespace|token_get_all|DirectoryIterator|scandir|glob)\b|\bfile_get_contents\s*\(\s*__(?:FILE|DIR)__/,
      isUsual: true,
    },
    {
      sign: files,

      code: /\b(?:file_put_contents|unlink|rename|symlink|copy)\s*\(/,
      when: "load",
      isUsual: true,
    },
    {
      ...clock,

      code: /(?<![\w$>:\\])\\?(?:time|microtime|hrtime|mt_rand|rand|random_int|random_bytes|uniqid|getmypid|filemtime|array_rand|shuffle|lcg_value|getdate|localtime)\s*\(|(?<![\w$>:])date\s*\(\s*\)|\bnew\s+\\?DateTime(?:Immutable)?\s*(?:\(\s*\)|(?![\w(\s]))/,
      isUsual: true,
    },
    { ...digests, code: /(?<![\w$>:])\\?(?:md5|sha1|crc32|hash|hash_hmac)\s*\(/, isUsual: true },
    {
      ...encoded,

      code: /\bbase64_decode\b|\bunserialize\b|\bgz(?:inflate|uncompress|decode)\b|\bhex2bin\b|\bstr_rot13\b|\bconvert_uudecode\b/,
      isUsual: true,
    },
    {
      ...started,

      code: /\bob_get_(?:level|status|length)\b|\berror_get_last\b|\bheaders_(?:sent|list)\b|\bget_include_path\b|\bconnection_status\b|\bignore_user_abort\b|\bgetenv\s*\(\s*\)|\bftell\s*\(\s*STD/,
      isUsual: true,
    },
    { sign: ownNames, code: /\bMillwright/ },
    { ...unawaited, code: /\bpcntl_fork\b|\bnew\s+\\?Fiber\b/, isUsual: true },
  ],
  opaque: /(?:\/\/|#(?!\[))[^\n]*|\/\*[\s\S]*?\*\/|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'/g,
  scripts: /\.(?:php|inc)$/,
  looks: [
    {
      ...readsText,
      code: /\bReflection(?:Function|Method|Class|Object)\b[\s\S]{0,200}?->\s*get(?:FileName|StartLine|DocComment)\b/,
    },
  ],
  reading:
    /\bfile_get_contents\s*\(|\b(?:read)?file\s*\(|\bfopen\s*\(|\bfilesize\s*\(|\bnew\s+SplFileObject\s*\(|\b(?:md5|sha1|hash|highlight)_file\s*\(|\bphp_strip_whitespace\s*\(/,
  asked: /\$(?:_ENV|_SERVER|GLOBALS)\s*\[\s*["']([\w.-]+)["']/g,
});
