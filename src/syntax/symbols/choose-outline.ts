import type { Outline } from "../outline.ts";
import { outlines } from "../outlines/index.generated.ts";

/**
 * Returns the outline for a file by its extension; undefined for an unknown extension. If two languages share the
 * extension (`.h`), the text decides.
 */
export function outlineOf(path: string, text: string): Outline | undefined {
  const fitting = outlines.filter((outline: Outline) =>
    outline.extensions.some((extension) => path.endsWith(extension)),
  );
  return (
    fitting.find((outline) => outline.claims?.(path, text) === true) ??
    fitting.find((outline) => outline.claims === undefined)
  );
}
