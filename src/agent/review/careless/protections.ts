/**
 * Lists protections, and the unsafe forms that replace them. The patterns match lines of code without comments and
 * strings. Each string that begins on a line follows its code, between `‹` and `›`.
 */

/** A safe form and its unsafe counterpart. */
interface Exchange {
  /** The languages with this form. Absent: all languages. */
  readonly languages?: readonly string[];
  /** A global pattern. The function loses one of its matches. */
  readonly safe: RegExp;
  /** A global pattern. The function gets one of its matches. */
  readonly unsafe: RegExp;
  /** A statement that matches this asks for the unsafe form. */
  readonly about: RegExp;
  /** The effect, as words that follow the place. */
  readonly says: string;
}

/** A form that is unsafe without a counterpart. */
interface Unsafe extends Omit<Exchange, "safe"> {
  /** `changed`: counts only in a function that both trees have. */
  readonly only?: "changed";
}

/** A call that protects a value. */
export interface Protection {
  /** The languages with this form. Absent: all languages. */
  readonly languages?: readonly string[];
  /** The call's name, without its object. */
  readonly name: RegExp;
  /** A name that matches this belongs to a protection of the same kind. */
  readonly kind: RegExp;
  /** A new name that matches this may belong to the project's own code that replaces the protection. */
  readonly own: RegExp;
  /** A call with a matching name that gets the value may replace the protection. */
  readonly ownCall?: RegExp;
  readonly about: RegExp;
  /** Completes "no longer …" with the effect of the loss. */
  readonly does: string;
  /** True if the call refuses bad values, and its result is not the protected value. */
  readonly isStatement?: true;
}

const scripts = ["javascript", "typescript", "tsx", "jsx"];
const aboutCommands = /\bshell\b|\binject|\bpipe(?:s|line)?\b/i;
const aboutMarkup = /\bhtml\b|\bescap|\bmark-?up\b|\bxss\b|\bsaniti[sz]|\bunsafe\b/i;
const aboutEncoding =
  /\bencod|\bdecod|\bunicode|\butf-?(?:8|16)\b|\blatin|\bascii|\bcharset|\bcp125|\binvalid|\blossy/i;
const aboutModes = /\bpermission|\bmode\b|\bumask\b|\bwritable\b|\bchmod\b|\b0o?[67]{3}\b/i;
const shellText = "gives a value to a shell as a part of a command's text";
const anyArguments = String.raw`[^()]{0,300}(?:\([^()]{0,300}\)[^()]{0,300}){0,8}`;
/** The beginning of an argument list that contains more than constant texts. */
const value = String.raw`\s*(?:‹[^›]*›\s*)*[^\s),‹]`;
const spawn = String.raw`\b(?:run|Popen|call|check_call|check_output)\(`;

export const exchanges: readonly Exchange[] = [
  {
    languages: ["python"],
    safe: new RegExp(String.raw`${spawn}(?!${anyArguments}\bshell\s*=\s*True)`, "g"),
    unsafe: new RegExp(
      String.raw`${spawn}(?!\s*,)${anyArguments}\bshell\s*=\s*True|\b(?:os\.(?:system|popen)|getoutput)\(${value}`,
      "g",
    ),
    about: aboutCommands,
    says: shellText,
  },
  {
    languages: scripts,
    safe: /\b(?:execFile|spawn)(?:Sync)?\((?![^()]*\bshell\s*:\s*true)/g,
    unsafe:
      /(?<![\w.])(?:(?:child_process|cp)\.)?exec(?:Sync)?\(\s*[^\s,)]|\b(?:execFile|spawn)(?:Sync)?\([^()]*\bshell\s*:\s*true/g,
    about: aboutCommands,
    says: shellText,
  },
  {
    languages: ["ruby"],
    safe: /\b(?:system|spawn|exec|popen|capture[23]e?)[( ][^,\n]*,/g,
    unsafe: /`[^`\n]*#\{|\b(?:system|spawn|exec|popen|capture[23]e?)[( ]\s*"[^"\n,]*#\{/g,
    about: aboutCommands,
    says: shellText,
  },
  {
    languages: ["go"],
    safe: /\bCommand(?:Context)?\((?!.{0,400}‹-c›)/g,
    unsafe: /\bCommand(?:Context)?\(.{0,400}‹(?:\/bin\/)?(?:ba)?sh›‹-c›/g,
    about: aboutCommands,
    says: shellText,
  },
  {
    languages: ["python"],
    safe: /\bsafe_load(?:_all)?\(|\bC?SafeLoader\b/g,
    unsafe: /\b(?:unsafe|full)_load(?:_all)?\(|\b(?:Unsafe|Full|C)?Loader\b|\byaml\.load(?:_all)?\(/g,
    about: /\bunsafe\b|\bfull_?load|\bcustom (?:tag|loader|constructor)|\bpython object/i,
    says: "loads YAML that can create objects of any type",
  },
  {
    safe: /\bcompare_digest\b|\btimingSafeEqual\b|\bhash_equals\b|\bConstantTimeCompare\b|\bhmac\.Equal\b|\bsecure_compare\b|\bMessageDigest\.isEqual\b|\bconstant_time_eq\b|\bct_eq\b/g,
    unsafe:
      /(?<![=!<>])={2,3}(?!=)|\bequals\(|\bbytes\.Equal\(|\.eql\?|\b(?:startswith|startsWith|starts_with|start_with\?|HasPrefix|str_starts_with|endswith|endsWith|includes)\(|\bzip\(/g,
    about: /\btiming\b|\bconstant[- ]time\b|\bcompare_digest\b|\btimingSafeEqual\b|\bhash_equals\b/i,
    says: "compares secrets in a time that depends on their content",
  },
  {
    languages: scripts,
    safe: /\b(?:jwt|jsonwebtoken)\.verify\(|\bjwtVerify\(/g,
    unsafe: /\b(?:jwt|jsonwebtoken)\.decode\(|\bdecodeJwt\(/g,
    about: /\bsignature\b|\bunverified\b|\bwithout verif/i,
    says: "accepts a token without a check of its signature",
  },
  {
    languages: scripts,
    safe: /\.(?:textContent|innerText)\s*=(?!=)|\bcreateTextNode\(|\.text\(\s*[^\s)]|>\s*\{\s*[\w.]+\s*\}/g,
    unsafe: new RegExp(
      String.raw`\.(?:innerHTML|outerHTML)\s*\+?=(?!=)[^\S\n]*[^\s;‹]|\binsertAdjacentHTML\([^,\n]*,${value}|\.html\(${value}|\bdangerouslySetInnerHTML\b|\bdocument\.write\(${value}`,
      "g",
    ),
    about: aboutMarkup,
    says: "writes text into a page as HTML",
  },
  {
    languages: ["go"],
    safe: /‹html\/template›/g,
    unsafe: /‹text\/template›/g,
    about: /\bhtml\b|\bescap|\btext\/template\b/i,
    says: "fills an HTML template without escaping",
  },
  {
    safe: /\bchmod\w*\b.{0,200}\b0o?[67][0145][0145]\b/gi,
    unsafe: /\bchmod\w*\b.{0,200}\b0o?(?:777|666)\b/gi,
    about: aboutModes,
    says: "lets every user write a file or folder",
  },
  {
    // New files get the mode without the bits of the umask, so 0666 is a usual default, but not after 0600.
    safe: /\b(?:mkdir|makedirs|open|OpenFile|WriteFile|mkdirSync|writeFile|mode)\b.{0,200}\b0o?[67][0145]0\b/gi,
    unsafe:
      /\b(?:mkdir|makedirs|open|OpenFile|WriteFile|mkdirSync|writeFile|mode)\b.{0,200}\b0o?(?:777|666)\b/gi,
    about: aboutModes,
    says: "lets every user write a file or folder",
  },
  {
    languages: ["python"],
    safe: /\bextract(?:all)?\([^\n]*\bfilter\s*=/g,
    unsafe: /\bextract(?:all)?\((?![^\n]*\bfilter\s*=)/g,
    about: /\bfilter\b/i,
    says: "extracts an archive without the filter against paths outside its folder",
  },
  {
    languages: ["ruby"],
    safe: /\.(?:fetch|public_send|dig)\(|\w\[\w+\]/g,
    unsafe: /\.(?:send|__send__|instance_eval|class_eval)[( ]\s*[a-z_@]\w*\s*\)?\s*$/gm,
    about: /\bsend\b|\bmethods?\b|\bdynamic|\bprivate\b|\battributes?\b/i,
    says: "calls any method that a value names",
  },
  {
    languages: ["python"],
    safe: /\b(?:de|en)code\(\)|‹utf[-_]?8(?:-sig)?›/gi,
    unsafe: /‹(?:latin[-_]?1|iso-?8859-1|cp125\d)›/gi,
    about: aboutEncoding,
    says: "reads or writes text in an encoding with fewer characters than before",
  },
  {
    languages: ["python"],
    safe: /\b(?:de|en)code\(\)|‹utf[-_]?8(?:-sig)?›/gi,
    unsafe: /‹(?:us-)?ascii›‹(?:replace|ignore)›/gi,
    about: /\bascii\b/i,
    says: "drops or replaces the characters that ASCII lacks",
  },
  {
    languages: ["rust"],
    safe: /\bfrom_utf8\(/g,
    unsafe: /\bfrom_utf8_(?:lossy|unchecked)\(/g,
    about: /\blossy\b|\binvalid\b|\butf-?8\b|\bunchecked\b|\bunicode\b|\bencod|\bdecod/i,
    says: "accepts bytes that are not UTF-8, which it refused before",
  },
];

export const unsafeForms: readonly Unsafe[] = [
  {
    unsafe:
      /\bFalse\b.{0,400}‹verify_signature›|\bverify_signature\s*=\s*False\b|\balgorithms?\b.{0,400}‹none›/g,
    about: /\bsignature\b|\bunverified\b|\bwithout verif/i,
    says: "accepts a token without a check of its signature",
  },
  {
    unsafe: /\bautoescape\s*[=:]\s*(?:False|false)\b/g,
    about: /\bautoescap|\bescap/i,
    says: "fills an HTML template without escaping",
  },
  {
    unsafe:
      /\b(?:mark_safe|Markup|SafeString|bypassSecurityTrustHtml)\(\s*[^\s)]|[\w)]\.html_safe\b|\btemplate\.(?:HTML|JS|URL)\(\s*[^\s)]/g,
    about: aboutMarkup,
    says: "marks a value as safe HTML",
    only: "changed",
  },
  {
    unsafe: /‹Access-Control-Allow-Origin›‹\*›/gi,
    about: /\bcors\b|\borigins?\b|\bcross[- ]origin\b|\ballow-origin\b/i,
    says: "lets the pages of every site read the response",
  },
  {
    languages: ["php"],
    unsafe: /(?<![\w>:$])extract\(\s*\$(?![^)]*EXTR_SKIP)/g,
    about: /\bextract\b/i,
    says: "lets an input set any local variable",
    only: "changed",
  },
  {
    languages: ["rust"],
    unsafe: /\bget_unchecked(?:_mut)?\(|\bfrom_utf8_unchecked\(|\bunwrap_unchecked\(/g,
    about: /\bunsafe\b|\bunchecked\b|\bperf|\bspeed|\bfast|\boptimi[sz]|\bbounds?\b|\bslow|\bbench|\bpanic/i,
    says: "leaves out a check of bounds or contents",
    only: "changed",
  },
  {
    languages: ["python"],
    unsafe: /\b(?:decode\(|errors\s*=).{0,400}‹replace›/g,
    about: aboutEncoding,
    says: "replaces bytes that are not text, which it refused before",
    only: "changed",
  },
  {
    unsafe: /‹[^›]*\[\^\\(?:x00-\\x7f|u0000-\\u007f|u\{0\}-\\u\{7f\})\][^›]*›|‹\[\^ -~\]\+?›/gi,
    about: /\bascii|\bunicode|\blatin|\btranslit|\bdiacrit|\baccent|\bemoji|\bnon[- ]printable/i,
    says: "deletes the characters that ASCII lacks",
  },
];

const escaping: Protection = {
  name: /^(?:\w*_)?(?:escape|sanitize|sanitise)\w*$|^(?:(?:shell|html|xml|sql|preg|ur[il]|re|regex|attr|css|js)_)?quote(?:_plus)?$|^(?:quotemeta|htmlspecialchars|htmlentities|strip_?tags|encodeURI(?:Component)?|clean_html)$|^(?:\w*[a-z])?(?:Escape(?:d|String|HTML|Html|Xml|Sql)?|Sanitize\w*)$|^(?:HTML|Query|Path|JS)Escape(?:String|r)?$|^(?:html|sql|shell|xml|regex|regexp|attr|css)(?:Escape|Quote)\w*$|^escape[A-Z]\w*$|^QuoteMeta$/,
  kind: /escap|quot[ei]|saniti|encod|entit|purif/i,
  own: /^(?:g?sub|URLSearchParams|searchParams|textContent|innerText)$|translate|replace|safe|clean|strip|literal|table/i,
  ownCall:
    /^(?:append_pair|Values|dumps|json|Marshal|link_to|tag|set(?:String|Int|Object))$|render|template|query_pairs|stringify|json_encode|createTextNode|createElement|SubElement|content_tag|format_html|^prepare|^bind/i,
  about: /\bescap|\bquot|\bsaniti[sz]|\bencod|\bverbatim\b|\braw\b|\bunescap/i,
  does: "escapes",
};

export const protections: readonly Protection[] = [
  escaping,
  { ...escaping, languages: ["ruby", "php"], name: /^h$/ },
  {
    name: /^(?:\w*_)?(?:validate|authorize|authenticate|check_permissions?|require_(?:login|admin|permission|auth)\w*)(?:_\w+)?$|^(?:validate|authorize|authenticate|checkPermissions?|requireAuth)(?:[A-Z]\w*)?$/,
    kind: /valid|author|authent|permi|check|verif|ensure|assert|require|schema|allow/i,
    own: /parse|raise|throw|guard|error/i,
    about: /\bvalid|\bauthor|\bauthent|\bpermi|\bcheck|\breject|\brefus|\ballow|\baccept/i,
    does: "checks",
    isStatement: true,
  },
];

/** Names that contain a word for a protection, but protect nothing: `onEscape`, `escape_key`, `is_escaped`. */
export const inertNames =
  /^(?:on|handle|close|press|is|has|was|should|can|un|no|parse|read|skip|match|find|decode|get|fetch)(?:_|(?=[A-Z]))|escaped?_?(?:key|char|seq|code|hatch|press)/i;

/** Places where an unprotected value does harm. */
interface Sink {
  /** A pattern for the protecting call with its object or import. */
  readonly of: RegExp;
  /** A pattern for the sink's code. If the patch removes this code, the value needs no protection. */
  readonly form: RegExp;
  /** A pattern for a form that handles any value safely. */
  readonly instead?: RegExp;
  /** A statement that matches this wants the unprotected value in this place. */
  readonly about?: RegExp;
}

/** Matches from the text's beginning up to any place. The text must have a call that runs or prepares a query. */
const runsQuery = String.raw`^(?=[\s\S]*(?:\b|_)(?:[eE]xec(?:ute)?|[qQ]uery|[pP]repare)\w*\s*\()[\s\S]*`;
const queryText = String.raw`(?:(?=[^›]*\bSELECT\b)(?=[^›]*\bFROM\b)|(?=[^›]*\bUPDATE\b)(?=[^›]*\bSET\b)|(?=[^›]*(?:\bINSERT INTO\b|\bDELETE FROM\b|\bWHERE \w+\s*=)))`;
const placeholder = String.raw`(?=[^›]*(?:\?|%s|%\(\w+\)s|\$\d|(?<![:\w]):[a-z]\w*))`;

export const sinks: readonly Sink[] = [
  {
    of: /shlex|shell|pipes/i,
    form: /\bshell\s*[=:]\s*true|\bos\.(?:system|popen)\(|\bgetoutput\(|(?<![\w.])(?:exec|execSync|system|passthru|popen|spawn)[( ]|`[^`\n]*[#$]\{|‹(?:\/bin\/)?(?:ba)?sh›/i,
    instead:
      /\b(?:run|Popen|call|check_call|check_output|Process)\(\s*\[|\b(?:system|spawn|exec|popen|capture[23]e?)[( ][^,\n]*,|\bexecFile/,
  },
  {
    of: /\bre\b|reg|Pattern|preg|quotemeta/i,
    form: /\bre\.(?!escape)\w|\bRegExp\b|\bRegexp(?!\.escape)\b|\bregexp\.(?!QuoteMeta)\w|\bPattern\.(?!quote)\w|\bRegex\b|\b(?:replaceAll|replaceFirst|split|matches)\(|\bpreg_(?!quote)\w+|\/[^/\n]*#\{|(?<![\w.])(?:search|match|fullmatch|findall|finditer|sub|compile)\(/,
    about: /\bpatterns?\b|\bregex|\bregular expressions?\b|\bwildcards?\b|\bglob(?:s|bing)?\b/i,
  },
  {
    of: /./,
    form: /\binnerHTML\b|\bouterHTML\b|\binsertAdjacentHTML\(|\bdangerouslySetInnerHTML\b|\bdocument\.write\(|\b(?:mark_safe|Markup|SafeString)\(|\.html_safe\b|\btemplate\.HTML\(/,
    instead: new RegExp(`${runsQuery}‹(?![^›]*</?[a-z])${queryText}${placeholder}`),
  },
];
