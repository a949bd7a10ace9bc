/** A language's own words, which are not kept because they occur everywhere and say nothing about the repository. */

const c =
  "auto break case char const continue default do double else enum extern float for goto if inline int long register restrict return short signed sizeof static struct switch typedef union unsigned void volatile while define ifdef ifndef endif include undef elif pragma NULL";
const java =
  "abstract assert boolean break byte case catch char class continue default do double else enum extends final finally float for if implements import instanceof int interface long native new null package private protected public return short static super switch synchronized this throw throws transient true false try void volatile while";
const ecmascript =
  "async await break case catch class const continue default delete do else export extends false finally for from function if import in instanceof let new null of return static super switch this throw true try typeof undefined var void while yield";

const written: Readonly<Record<string, string>> = {
  c,
  cpp: `${c} bool catch class concept const_cast constexpr decltype delete dynamic_cast explicit export false final friend mutable namespace new noexcept nullptr operator override private protected public reinterpret_cast static_cast template this throw true try typename using virtual wchar_t`,
  csharp: `${java} as base bool checked decimal delegate event explicit extern fixed foreach get implicit in internal is lock namespace object operator out override params readonly ref sbyte sealed set sizeof string struct uint ulong unsafe using var virtual where`,
  go: "break bool byte case chan const continue default defer else err error fallthrough false for func go goto if import int interface len make map nil package range return select string struct switch true type var",
  java,
  javascript: ecmascript,
  typescript: `${ecmascript} abstract any as boolean declare enum implements interface is keyof module namespace never number private protected public readonly string symbol type unknown`,
  kotlin:
    "abstract as break by catch class companion const constructor continue data do else enum false final finally for fun if import in inline interface internal is it lateinit null object open operator out override package private protected public return sealed super suspend this throw true try typealias val var vararg when where while",
  lua: "and break do else elseif end false for function goto if in local nil not or repeat return self then true until while",
  python:
    "False None True and as assert async await break class cls continue def del elif else except finally for from global if import in is lambda nonlocal not or pass raise return self try while with yield",
  rust: "Self as async await bool break const continue crate dyn else enum extern false fn for i32 if impl in let loop match mod move mut pub ref return self static str struct super trait true type u32 u8 unsafe use usize where while",
};

export function keywordsOf(language: string): readonly string[] {
  return (written[language] ?? "").split(" ");
}
