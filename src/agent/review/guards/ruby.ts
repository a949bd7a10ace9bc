/** Signs of an attack in Ruby. */
import {
  account,
  accounts,
  asked,
  besides,
  bits,
  built,
  callers,
  clock,
  commonSigns,
  digests,
  encoded,
  folder,
  loaded,
  machine,
  memory,
  pause,
  places,
  readsCompiled,
  readsText,
  silence,
  started,
  streams,
  terminal,
  testPaths,
  tests,
  turning,
  unawaited,
  zones,
} from "../attack-sign-kinds.ts";
import { defineGuards } from "./contract.ts";

const { runner, exits, signals, frames, detection, builtins, madeCode, files, ownNames } = commonSigns;
const core =
  "BasicObject|Object|Kernel|Module|Class|Comparable|Enumerable|Integer|Float|Numeric|String|Symbol|Array|Hash|Range|Regexp|NilClass|TrueClass|FalseClass|Proc|Method|Exception|StandardError|Time|Struct|Thread|Process|IO|File";

export default defineGuards({
  languages: ["ruby"],
  signs: [
    { ...pause, code: /(?<![\w.:])(?:Kernel\.)?sleep[\s(]+[\d.]/ },
    { ...zones, code: /\bENV\b.*=(?!=)/, quoted: /^TZ$/ },
    { ...silence, code: /\$VERBOSE\s*=(?!=)|\bWarning\s*\[.*=(?!=)/ },
    {
      sign: runner,
      code: /\b(?:Mini[Tt]est|RSpec|Test::Unit|PowerAssert|Mocha|SimpleCov)\b/,
      isUsual: true,
    },
    {
      sign: runner,
      code: /\b(?:require|load|autoload)\b/,
      quoted: /^(?:minitest|rspec|test[/-]unit|power_assert|mocha|simplecov)(?:\/.*)?$/,
      isUsual: true,
    },
    { sign: runner, code: /\bconst_get\b|\bconst_defined\?/, quoted: /^(?:::)?(?:Mini[Tt]est|RSpec|Test)\b/ },
    {
      sign: exits,
      code: /(?<![\w.])(?:exit!|abort)(?!\w)|\bProcess\s*\.\s*(?:exit!|abort)|\bKernel\s*\.\s*(?:exit!|abort)/,
    },
    { sign: exits, code: /(?<![\w.:@])at_exit\b|^\s*(?:BEGIN|END)\s*\{/, isUsual: true },
    {
      sign: exits,
      code: /(?<![\w.:@])exit\b(?!\s*[=:?(]\s*[a-z])|\bSystemExit\b|(?<![\w.:])exec\b/,
      isUsual: true,
    },
    {
      sign: exits,
      code: /\bProcess\s*\.\s*(?:kill|exec)\b|\bThread\s*\.\s*(?:main|current)\s*\.\s*(?:kill|exit|raise|terminate)\b|\bThread\s*\.\s*exit\b/,
      isUsual: true,
    },
    { sign: signals, code: /(?<![\w.])trap\b|\bSignal\s*\.\s*trap\b/, isUsual: true },
    {
      sign: frames,
      code: /\bObjectSpace\b|\bTracePoint\b|\bset_trace_func\b|\bcallcc\b|\bRubyVM\b|\bFiddle\b/,
      isUsual: true,
    },
    {
      sign: frames,
      code: /\bSCRIPT_LINES__\b|\bsource_location\b|\bTOPLEVEL_BINDING\b|(?<![\w.@])binding\s*\.\s*(?!irb|pry)/,
      isUsual: true,
    },
    {
      ...callers,

      code: /(?<![\w.@])caller(?:_locations)?\b|\bThread\s*\.\s*current\s*\.\s*backtrace\b|\bthread\s*\.\s*backtrace\b/,
      isUsual: true,
    },
    { sign: detection, code: /^(?!.*__FILE__\s*==).*(?:\$0\b|\$PROGRAM_NAME\b)/, isUsual: true },
    { sign: detection, code: /\bARGV\b|\$\*|\$DEBUG\b|\$VERBOSE\b/, when: "decides", isUsual: true },
    {
      sign: detection,
      code: /\bENV\b/,
      quoted:
        /^(?:RAILS_ENV|RACK_ENV|APP_ENV|RUBYOPT|RUBYLIB|SPEC_OPTS|TESTOPTS|TEST|MT_\w+|MINITEST_\w+|RSPEC_\w+)$/,
      isUsual: true,
    },
    { sign: detection, code: /\bRails\s*\.\s*env\s*\.\s*test\?/, isUsual: true },
    {
      ...loaded,

      code: /\$LOADED_FEATURES\b|\$"|\$LOAD_PATH\b|\$:(?!:)|\bGem\s*\.\s*loaded_specs\b|\bGem::Specification\b|\bdefined\?\s*\(?\s*(?:::)?[A-Z]/,
      isUsual: true,
    },
    {
      sign: builtins,
      code: new RegExp(
        `^(?:class|module)\\s+(?:::)?(?:${core})\\s*(?:;|$)|(?<![\\w:])(?:${core})\\s*\\.\\s*(?:prepend|include|class_eval|class_exec|module_eval|define_method|alias_method|remove_method|undef_method|send|__send__|public_send|instance_exec|singleton_class|define_singleton_method)\\b|\\bdef\\s+(?:${core})\\s*\\.`,
      ),
      excuse: /\bcore ext|\bmonkey|\brefine/i,
      isUsual: true,
    },
    {
      sign: builtins,
      code: /\b(?:remove_const|const_set|method_added|singleton_method_added|const_missing)\b/,
      isUsual: true,
    },
    {
      sign: builtins,
      code: /\bdef\s+(?:self\s*\.\s*)?(?:assert\w*|refute\w*|expect|must_\w+|require|require_relative|raise|method_missing)\b/,
      isUsual: true,
    },
    {
      sign: madeCode,
      code: /(?<![\w.])eval\b|\.\s*(?:instance_eval|class_eval|module_eval)\s*\(|\bInstructionSequence\b|(?<![\w.:])load\s*[( ]\s*(?![a-z_]+:)/,
      isUsual: true,
    },
    {
      sign: madeCode,
      code: /\.\s*(?:send|public_send|__send__|method)\s*\(.*\b(?:pack|join|reverse|chr|\+)\b/,
      isUsual: true,
    },
    { ...terminal, code: /\.\s*(?:tty\?|isatty)|\bIO\s*\.\s*console\b/, isUsual: true },
    {
      ...streams,

      code: /\$std(?:in|out|err)\s*(?:\.\s*(?:class|is_a\?|fileno|sync|equal\?)|[!=]=)|[!=]=\s*\$?STD(?:IN|OUT|ERR)\b/i,
      isUsual: true,
    },
    { ...account, code: /\bENV\b/, quoted: accounts },
    {
      ...account,

      code: /\bEtc\s*\.\s*(?:getlogin|getpwuid|uname)\b|\bSocket\s*\.\s*gethostname\b/,
      isUsual: true,
    },
    {
      ...machine,

      code: /\bEtc\s*\.\s*nprocessors\b|\bProcess\s*\.\s*(?:e?[ug]id|ppid|getpgid|getrlimit)\b|\bThread\s*\.\s*(?:list|main)\b|\bGC\s*\.\s*(?:stat|count)\b/,
      isUsual: true,
    },
    {
      ...built,

      code: /\bRUBY_(?:PLATFORM|ENGINE|VERSION|PATCHLEVEL)\b|\bRbConfig\b/,
      when: "decides",
      isUsual: true,
    },
    {
      ...memory,

      code: /\b(?:WeakRef|ObjectSpace::WeakMap)\b|\.\s*(?:object_id|__id__)\s*(?:%|&|[<>]|\.\s*(?:even|odd)\?)/,
      isUsual: true,
    },
    { ...started, code: /\.\s*(?:descendants|subclasses)\b|\bBundler\b/, isUsual: true },
    {
      ...asked,

      code: /`[^`]*`|%x[\W_]/,
      quoted: /^(?:\/(?:usr\/)?bin\/)?(?:ps|pgrep|pidof|pstree|lsof|env|printenv|tty|top)(?:\s|$)/,
      isUsual: true,
    },
    { ...asked, code: /`\s*(?:ps|pgrep|pidof|pstree|lsof|env|printenv|tty)\b/ },
    { ...places, code: /\b(?:File|Dir|Pathname)\b.*\b(?:exist|file|directory)\?/, quoted: besides },
    { ...folder, code: /\bDir\s*\.\s*(?:pwd|getwd)\b/, when: "decides", isUsual: true },
    { ...tests, code: /\b(?:File|IO|Dir|Pathname|open)\b|__dir__|__FILE__/, quoted: testPaths },
    {
      ...tests,

      code: /\b(?:File|IO)\s*\.\s*(?:read|readlines|foreach|open)\b.*(?:__FILE__|__dir__)|\bDir\s*(?:\.\s*(?:glob|children|entries|each_child)|\[)/,
      isUsual: true,
    },
    {
      sign: files,

      code: /\b(?:File|IO)\s*\.\s*(?:write|binwrite|delete|rename|unlink|symlink)\b|\bFileUtils\s*\./,
      when: "load",
      isUsual: true,
    },
    {
      ...clock,

      code: /\bTime\s*\.\s*(?:now|new\b(?!\s*\())|\bDate(?:Time)?\s*\.\s*(?:today|now)\b|\bclock_gettime\b|\bProcess\s*\.\s*(?:pid|times)\b|\$\$(?!\w)|(?<![\w.:])rand\b|\bRandom\b|\bSecureRandom\b|\.\s*(?:shuffle|sample)\b|\b[mca]time\b/,
      isUsual: true,
    },
    { ...digests, code: /\bDigest::|\bOpenSSL::|\bZlib\s*\.\s*(?:crc32|adler32)\b/, isUsual: true },
    { ...digests, code: /\.\s*hash\b(?!\s*[[({.])/, when: "decides" },
    {
      ...encoded,

      code: /\.\s*unpack1?\s*[( ]|\bBase64\b|\bMarshal\s*\.\s*load\b|\bZlib::Inflate\b|\.\s*pack\s*\(/,
      isUsual: true,
    },
    {
      ...loaded,

      code: /\b(?:Object|Module)\s*\.\s*(?:constants|const_defined\?)|\bglobal_variables\b|\bSymbol\s*\.\s*all_symbols\b|:(?:assert|refute|must|expect)_?\w*\b|\b(?:private_|public_)?method_defined\?|\bsingleton_methods\b/,
      isUsual: true,
    },
    {
      ...account,

      code: /\bENV\s*\.\s*(?:to_h|to_a|keys|values|size|length|count|each\w*|any\?|find|select|map|reject)/,
      isUsual: true,
    },
    {
      ...started,

      code: /\$-\w\b|\bWarning\s*\[|\bEncoding\s*\.\s*default_internal\b|\bargv0\b|\$!|\bself\s*\.\s*class\s*\.\s*name\b|\bFiber\s*\.\s*current\b/,
      when: "decides",
      isUsual: true,
    },
    { sign: ownNames, code: /\bMillwright/ },
    {
      ...unawaited,

      code: /\bThread\s*\.\s*(?:new|start|fork)\b|(?<![\w.])fork\b/,
      isUsual: true,
    },
    { ...turning, code: /\bdef\s+coerce\b/, isUsual: true },
    { ...bits, code: /\.\s*bit_length\s*[=!]=/, isUsual: true },
  ],
  opaque: /#(?!\{)[^\n]*|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'/g,
  scripts: /\.(?:rb|rake)$/,
  definition: { opens: /[\n;]|\)\s*=\s/, name: /\bdef\s+(?:\w+\.)?([^\s(]+)/, noise: /\s|\bend\b/g },
  globals: /\$([a-z_]\w*)/g,
  looks: [
    { ...readsText, code: /\.\s*source_location\b|\bRubyVM\b/ },
    { ...readsCompiled, code: /\bInstructionSequence\b/ },
  ],
  reading: /\bFile\s*\.\s*(?:size|stat|foreach|mtime|readlines|new)\b|\bDigest::\w+\s*\.\s*file\b/,
});
