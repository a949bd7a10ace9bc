/** Signs of an attack in Rust. */
import {
  account,
  accounts,
  besides,
  bits,
  build,
  built,
  callSites,
  clock,
  commonSigns,
  digests,
  effect,
  encoded,
  environment,
  laterArguments,
  machine,
  memory,
  network,
  ownArguments,
  ownFolder,
  ownPlace,
  ownStart,
  ownStreams,
  pause,
  personal,
  places,
  programArguments,
  terminal,
  testPaths,
  tests,
  unawaited,
} from "./attack-sign-kinds.ts";
import { defineGuards, type ReadLine } from "./contract.ts";

const { exits, signals, detection } = commonSigns;

export default defineGuards({
  languages: ["rust"],
  signs: [
    { ...pause, code: /\b(?:thread|time|task)\s*::\s*sleep\s*\(|^\s*sleep\s*\(/ },
    {
      sign: detection,
      code: /\bcfg!\s*\(\s*(?:not\s*\(\s*)?test\b|#!?\[cfg\(not\(test\)\)\]/,
    },
    { sign: detection, code: /\bcfg(?:!\s*\(|\b.*)\bdebug_assertions\b/, isUsual: true },
    {
      sign: detection,
      code: /\benv::(?:vars(?:_os)?|current_exe)\s*\(/,
      isUsual: true,
    },
    {
      ...programArguments,
      code: /\benv::args(?:_os)?\s*\(\s*\)(?!\s*\.\s*skip\s*\(\s*[1-9])/,
    },
    { ...laterArguments, code: /\benv::args(?:_os)?\s*\(\s*\)\s*\.\s*skip\s*\(\s*[1-9]/ },
    {
      sign: detection,
      code: /\benv::var(?:_os)?\s*\(/,
      quoted: /^CARGO(?:_\w+)?$/,
      isUsual: true,
    },
    { sign: detection, code: /\bthread::current\(\)\s*\.\s*name\(/, isUsual: true },
    {
      sign: exits,
      code: /\blibc::(?:_exit|exit|atexit|abort|kill|raise)\b|\basm!\s*\(|\.\s*exec\s*\(\s*\)/,
      isUsual: true,
    },
    { sign: exits, code: /#\[ctor\b|\blink_section\b/ },
    {
      sign: exits,
      code: /\bfn\s+(?:_exit|exit|quick_exit|atexit|signal|sigaction)\s*\(.*;\s*$/,
    },
    { sign: exits, code: /\bprocess::(?:exit|abort)\s*\(/, isUsual: true },
    {
      sign: signals,
      code: /\blibc::(?:signal|sigaction)\b|\bsignal_hook::|\bpanic::(?:set_hook|take_hook)\b/,
      isUsual: true,
    },
    { ...terminal, code: /\bis_terminal\s*\(|\batty::|\bisatty\s*\(/, isUsual: true },
    { ...account, code: /\benv::var(?:_os)?\s*\(/, quoted: accounts },
    {
      ...places,
      code: /\.(?:exists|is_dir|is_file|try_exists)\(|\bfs::(?:metadata|exists)\b/,
      quoted: besides,
    },
    {
      ...tests,
      code: /\binclude(?:_str|_bytes)?!|\bread_(?:to_string|dir)\b|\bfs::read\b|\bFile::open\b|\bWalkDir\b|\bglob\(/,
      quoted: testPaths,
    },
    {
      ...tests,
      code: /\binclude_(?:str|bytes)!|\bfs::read_to_string\b/,
      quoted: /\.rs$/,
      isUsual: true,
    },
    {
      ...clock,
      code: /\b(?:Instant|SystemTime|Utc|Local|OffsetDateTime)::now\w*\b|\brand::\w+|\bthread_rng\b|\bprocess::id\(|\bUNIX_EPOCH\b|\.\s*(?:accessed|modified|created)\s*\(\s*\)|\.\s*elapsed\s*\(\s*\)/,
      isUsual: true,
    },
    { ...digests, code: /\bDefaultHasher\b|\bsha\d\w*::|\bmd5::|\bcrc32\w*::/, isUsual: true },
    { ...encoded, code: /\bbase64::|\bhex::decode\b/, isUsual: true },
    {
      ...built,
      code: /\bcfg(?:_attr)?!?\s*\(.*\b(?:feature|panic|overflow_checks|target_\w+|unix|windows)\b|\boption_env!/,
      isUsual: true,
    },
    {
      ...built,
      quoted:
        /^cargo::?rustc-(?:(?:cfg|env|link-arg-(?:tests|benches|examples))=|link-arg\S*=.*--(?:wrap|defsym)\b)/,
      isUsual: true,
    },
    {
      ...built,
      code: /\benv::var(?:_os)?\s*\(/,
      quoted: /^(?:PROFILE|OPT_LEVEL|DEBUG|TARGET|HOST)$/,
      isUsual: true,
    },
    {
      ...machine,
      code: /\bavailable_parallelism\b|\bnum_cpus::|\blibc::gete?[ug]id\b|\bthread::current\b|\bthread::\{[^}]*\bcurrent\b/,
      isUsual: true,
    },
    {
      ...network,
      code: /\bto_socket_addrs\s*\(|\blookup_host\s*\(/,
      isUsual: true,
    },
    {
      ...memory,
      code: /^(?!.*%).*(?:&\s*(?:mut\s+)?\w+|\baddr_of!\s*\([^()]*\))\s+as\s+\*const\b.*\bas\s+usize\b/,
      when: "decides",
      isUsual: true,
    },
    {
      ...effect,
      code: /\bdebug_assert\w*!\s*\(.*(?:[-+*/|&^%]=(?!=)|(?<![=!<>])=(?![=>])|\.\s*(?:set|store|push|insert|take|fetch_\w+|swap|pop|clear|replace_with|get_or_insert\w*)\s*\(|\.\s*replace\s*\([^(),]*\)|\bmem::(?:replace|swap|take)\s*\()/,
    },
    {
      sign: "a catch of panics that a build can disable",
      code: /\bcatch_unwind\b/,
      excuse: /\bpanic|\bunwind|\babort|\bpoison|\bFFI\b|\bdrop/i,
      isUsual: true,
    },
    {
      ...callSites,
      code: /\bLocation::caller\s*\(|\bBacktrace::(?:force_)?capture\s*\(/,
      isUsual: true,
    },
    {
      ...build,
      code: /\b(?:env::)?current_exe\s*\(|\benv::vars(?:_os)?\s*\(\s*\)\s*\.\s*count\b|\bargs(?:_os)?\s*\(\s*\)\s*\.\s*(?:count|len)\b/,
      isUsual: true,
    },
    { ...environment, code: /\benv::var(?:_os)?\s*\(/, quoted: personal, isUsual: true },
    { ...unawaited, code: /\bthread::spawn\s*\(|\btokio::spawn\s*\(/, isUsual: true },
    {
      ...bits,
      code: /\.\s*(?:leading_zeros|trailing_zeros|count_ones|ilog2)\s*\(\s*\)\s*[=!]=/,
      isUsual: true,
    },
  ],
  droppedErrors: /\.ok\(\)\s*;|let\s+_\s*=\s*\S.*\(|unwrap_or_default\(\)/,
  names: {
    ending: /\.rs$/,
    defines: /^pub(?:\([^)]*\))?\s+(?:const\s+)?(?:fn|struct|enum|type|trait|const|static|mod)\s+(\w+)/,
    ofLanguage: new Set(
      "Some None Ok Err Option Vec String Box drop ToString Into From Iterator Clone".split(" "),
    ),
    isSeen: ({ text }) => /^\s*use\s+[\w:]+::\*\s*;/m.test(text),
  },
  aliases: findAliases,
  reveals: [
    { sign: ownArguments, code: /\benv::args(?:_os)?\s*\(\s*\)\s*\.\s*skip\s*\(\s*[1-9]\d*\s*\)/g },
    {
      sign: ownStart,
      code: /\benv::args(?:_os)?\s*\(\s*\)\s*\.\s*(?:next\s*\(\s*\)|nth\s*\(\s*0\s*\))/g,
    },
    {
      sign: ownPlace,
      code: /\b(?:file|module_path|line|column)!\s*\(|\b(?:option_)?env!\s*\(\s*"(?:CARGO|OUT_DIR)|\benv::var(?:_os)?\s*\(\s*"(?:OUT_DIR|CARGO_MANIFEST_DIR|CARGO_TARGET_DIR|CARGO_PRIMARY_PACKAGE)/g,
    },
    { sign: ownFolder, code: /\benv::current_dir\s*\(|\bcanonicalize\s*\(\s*"\.?"/g },
    { sign: ownStreams, code: /\bis_(?:fifo|char_device|socket)\s*\(|"\/dev\/std(?:in|out|err)"/g },
  ],
});

function findAliases(lines: readonly ReadLine[]): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  for (const { code } of lines)
    for (const [, name = "", as = ""] of code.matchAll(/([\w:]+)\s+as\s+(\w+)\s*[,;}]/g))
      if (/^\s*(?:pub\s+)?use\b/.test(code) && as !== "_") names.set(as, wholeOf(code, name));
  return names;
}

/** Returns the whole name: `thread::current` for `current` in `use std::thread::{current as me}`. */
function wholeOf(code: string, name: string): string {
  if (name.includes("::")) return name;
  const [, before = ""] = /\buse\s+([\w:]+)::\{/.exec(code) ?? [];
  return before === "" ? name : `${before}::${name}`;
}
