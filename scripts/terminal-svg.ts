/**
 * Draws the lines of a terminal session as an SVG picture with selectable text, in colours for light and dark pages.
 */
const columns = 104;
const font = { size: 13, advance: 7.85, line: 18 };
const margin = 16;

const style = `
  text { font: ${font.size}px ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace; fill: #1f2328; white-space: pre; }
  rect { fill: #f6f8fa; stroke: #d1d9e0; }
  .command { font-weight: bold; }
  .faint { fill: #59636e; }
  .good { fill: #116329; }
  .bad { fill: #a40e26; }
  @media (prefers-color-scheme: dark) {
    text { fill: #e6edf3; }
    rect { fill: #151b23; stroke: #3d444d; }
    .faint { fill: #9198a1; }
    .good { fill: #7ee787; }
    .bad { fill: #ffa198; }
  }
`;

/** The first rule that matches a line gives its colour. */
const colours: readonly (readonly [RegExp, string])[] = [
  [/^\$ /, "command"],
  [/^(?:\[|note:|run |kind:|diff |index |@@|--- |\+\+\+ )/, "faint"],
  [/^(?:✓|\+|Verified)/, "good"],
  [/^(?:✗|-)/, "bad"],
];

/** Lines of more than 104 characters are cut and end in `…`. */
export function terminalSvg(lines: readonly string[], title: string): string {
  const width = Math.round(columns * font.advance + 2 * margin);
  const height = lines.length * font.line + 2 * margin;
  const texts = lines.map((line, index) => {
    const y = margin + (index + 0.75) * font.line;
    const colour = colours.find(([pattern]) => pattern.test(line))?.[1];
    return `<text x="${margin}" y="${y}"${colour ? ` class="${colour}"` : ""}>${escaped(cut(line))}</text>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-label="${escaped(title)}">
<title>${escaped(title)}</title>
<style>${style}</style>
<rect x="0.5" y="0.5" width="${width - 1}" height="${height - 1}" rx="8"/>
${texts.join("\n")}
</svg>
`;
}

function cut(line: string): string {
  return line.length > columns ? `${line.slice(0, columns - 1)}…` : line;
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
}
