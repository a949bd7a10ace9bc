/** What a fake has of a type: any part of it, at any depth, and of what its functions return. */
export type PartOf<T> = T extends Whole
  ? T
  : T extends Promise<infer Value>
    ? Promise<PartOf<Value>>
    : T extends (...given: infer Given) => infer Returned
      ? (...given: Given) => PartOf<Returned>
      : T extends readonly (infer Item)[]
        ? readonly PartOf<Item>[]
        : T extends object
          ? { readonly [Key in keyof T]?: PartOf<T[Key]> }
          : T;

/** These are given whole. */
type Whole =
  | AbortSignal
  | Date
  | RegExp
  | Uint8Array
  | ReadonlyMap<unknown, unknown>
  | ReadonlySet<unknown>
  | ((...given: never[]) => never);

/** A fake at a port: what the test gives is checked against the port's type, and the rest is absent. */
export function partOf<T>(given: PartOf<NoInfer<T>>): T {
  return given as unknown as T;
}
