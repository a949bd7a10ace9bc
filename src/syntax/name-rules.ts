/** A language's rules for resolving names. */

export interface NameRules {
  /** Receivers that mean the enclosing object or type. */
  readonly self?: ReadonlySet<string>;
  readonly parent?: ReadonlySet<string>;
  /** A bare name may be a member of the enclosing type. */
  readonly bareMembers?: boolean;
  /** Importers see through a file's namespaces. */
  readonly openModules?: boolean;
  /** A file's imports can be imported from it. */
  readonly importsAreExports?: boolean;
  /** A name of another file can be called without an import: the linker finds it. */
  readonly linked?: boolean;
  /** Where a bare name that is not in sight may be defined. In languages with strict imports, it is built in. */
  readonly elsewhere?: "anything" | "macros" | "nothing" | "in-scripts";
  /**
   * Members of a foreign type need its name before them: after Rust's `impl Round for i64`, a bare `Err` is not
   * `i64::Err`.
   */
  readonly membersNeedType?: boolean;
  /** A file is a table with the members of the one value that it returns. */
  readonly returnsTable?: boolean;
  /** Declared in headers and defined elsewhere under the same name. */
  readonly hasHeaders?: boolean;
}
