/** Keywords. Millwright asks no server about them, because in most languages they are not names. */
const words = new Set(
  `and as async await break case catch class const constexpr continue def default defer del delete do elif else elseif end enum
  except export extends extern false False final finally fn for from func function go if impl implements import in instanceof
  interface is lambda let local loop match mod mut namespace new nil none None not null or package pass private protected pub
  public raise readonly ref repeat return self static struct super switch template then this throw trait true True try type
  typedef typename typeof union unsafe until use using val var void where while with yield`.split(/\s+/),
);

export function isLanguageWord(name: string): boolean {
  return words.has(name);
}
