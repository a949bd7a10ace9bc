/** One program in twelve languages (`tests/fixtures/repos/graph-LANGUAGE`): where each writes the same things, and how it names them. */
import type { DefinitionKind, Reference } from "../../src/domain/code-symbols.ts";

interface Place {
  readonly file: string;
  readonly name: string;
}

export interface CodeSymbolsFixture {
  /** Of the folder: `graph-NAME`. */
  readonly name: string;
  /** `FileSymbols.language`. */
  readonly language: string;
  /** The base type, with the field that holds the weight. */
  readonly parcel: Place & { readonly kind: DefinitionKind };
  /** Where the field `weight` is, and in which type. */
  readonly weight: Place & { readonly type: string };
  /** What is inherited, and its override; `type` is undefined where they are plain functions. */
  readonly base: Place & { readonly type: string | undefined };
  readonly price: Place & { readonly type: string | undefined };
  readonly override: Place & { readonly type: string | undefined };
  readonly express: Place & { readonly kind: DefinitionKind };
  /** How the override's file says that Express is a Parcel; undefined where the language cannot. */
  readonly inherits: (Place & { readonly kind: Reference["kind"] }) | undefined;
  readonly surcharge: Place;
  readonly limit: Place;
  readonly size: Place & { readonly kind: DefinitionKind; readonly member: DefinitionKind };
  /** What brings `surcharge` into the override's file. */
  readonly import: { readonly file: string; readonly source: string; readonly name?: string };
  /** The receivers of the calls of the base's own method, of `surcharge`, and of what is overridden. */
  readonly receivers: {
    readonly own: string | undefined;
    readonly surcharge: string | undefined;
    /** A Rust trait has no `super`: its override calls `base` instead. */
    readonly overridden: string | undefined;
  };
  readonly test: Place;
}

/** The names that most languages share. */
function fixture(
  name: string,
  language: string,
  files: Record<"parcel" | "express" | "rates" | "test", string>,
  rest: Partial<CodeSymbolsFixture> & Pick<CodeSymbolsFixture, "import" | "test" | "receivers">,
): CodeSymbolsFixture {
  return {
    name,
    language,
    parcel: { file: files.parcel, name: "Parcel", kind: "class" },
    weight: { file: files.parcel, name: "weight", type: "Parcel" },
    base: { file: files.parcel, name: "base", type: "Parcel" },
    price: { file: files.parcel, name: "price", type: "Parcel" },
    override: { file: files.express, name: "price", type: "Express" },
    express: { file: files.express, name: "Express", kind: "class" },
    inherits: { file: files.express, name: "Parcel", kind: "inherits" },
    surcharge: { file: files.rates, name: "surcharge" },
    limit: { file: files.rates, name: "LIMIT" },
    size: { file: files.rates, name: "Size", kind: "enum", member: "field" },
    ...rest,
  };
}

function ecmascript(name: string, language: string, extension: string): CodeSymbolsFixture {
  const test = `test/express.test.${extension}`;
  return fixture(
    name,
    language,
    {
      parcel: `src/parcel.${extension}`,
      express: `src/express.${extension}`,
      rates: `src/rates.${extension}`,
      test,
    },
    {
      import: { file: `src/express.${extension}`, source: `./rates.${extension}`, name: "surcharge" },
      receivers: { own: "this", surcharge: undefined, overridden: "super" },
      test: { file: test, name: "express price" },
      ...(language === "javascript"
        ? { size: { file: "src/rates.js", name: "Size", kind: "constant", member: "field" } as const }
        : {}),
    },
  );
}

const kotlin = "src/main/kotlin";
const java = "src/main/java";

export const codeSymbolsFixtures: readonly CodeSymbolsFixture[] = [
  fixture(
    "python",
    "python",
    {
      parcel: "parcels/parcel.py",
      express: "parcels/express.py",
      rates: "parcels/rates.py",
      test: "tests/test_express.py",
    },
    {
      import: { file: "parcels/express.py", source: ".rates", name: "surcharge" },
      receivers: { own: "self", surcharge: undefined, overridden: "super()" },
      test: { file: "tests/test_express.py", name: "test_express_price" },
    },
  ),
  ecmascript("javascript", "javascript", "js"),
  ecmascript("typescript", "typescript", "ts"),
  ecmascript("tsx", "typescript", "tsx"),
  fixture(
    "go",
    "go",
    {
      parcel: "parcels/parcel.go",
      express: "parcels/express.go",
      rates: "rates/rates.go",
      test: "parcels/express_test.go",
    },
    {
      parcel: { file: "parcels/parcel.go", name: "Parcel", kind: "struct" },
      base: { file: "parcels/parcel.go", name: "Base", type: "Parcel" },
      price: { file: "parcels/parcel.go", name: "Price", type: "Parcel" },
      override: { file: "parcels/express.go", name: "Price", type: "Express" },
      express: { file: "parcels/express.go", name: "Express", kind: "struct" },
      surcharge: { file: "rates/rates.go", name: "Surcharge" },
      size: { file: "rates/rates.go", name: "Size", kind: "type", member: "constant" },
      import: { file: "parcels/express.go", source: "example.com/graph/rates" },
      receivers: { own: "p", surcharge: "rates", overridden: "e.Parcel" },
      test: { file: "parcels/express_test.go", name: "TestExpressPrice" },
    },
  ),
  fixture(
    "java",
    "java",
    {
      parcel: `${java}/parcels/Parcel.java`,
      express: `${java}/parcels/Express.java`,
      rates: `${java}/rates/Rates.java`,
      test: "src/test/java/parcels/ExpressTest.java",
    },
    {
      import: { file: `${java}/parcels/Express.java`, source: "rates.Rates", name: "surcharge" },
      receivers: { own: "this", surcharge: undefined, overridden: "super" },
      test: { file: "src/test/java/parcels/ExpressTest.java", name: "expressPrice" },
    },
  ),
  fixture(
    "kotlin",
    "kotlin",
    {
      parcel: `${kotlin}/Parcel.kt`,
      express: `${kotlin}/Express.kt`,
      rates: `${kotlin}/Rates.kt`,
      test: "src/test/kotlin/ExpressTest.kt",
    },
    {
      import: { file: `${kotlin}/Express.kt`, source: "rates", name: "surcharge" },
      receivers: { own: "this", surcharge: undefined, overridden: "super" },
      test: { file: "src/test/kotlin/ExpressTest.kt", name: "expressPrice" },
    },
  ),
  fixture(
    "csharp",
    "csharp",
    {
      parcel: "src/Parcel.cs",
      express: "src/Express.cs",
      rates: "src/Rates.cs",
      test: "tests/ExpressTests.cs",
    },
    {
      base: { file: "src/Parcel.cs", name: "baseCost", type: "Parcel" },
      import: { file: "src/Express.cs", source: "Costs", name: "*" },
      receivers: { own: "this", surcharge: "Rates", overridden: "base" },
      test: { file: "tests/ExpressTests.cs", name: "expressPrice" },
    },
  ),
  fixture(
    "rust",
    "rust",
    {
      parcel: "src/parcel.rs",
      express: "src/express.rs",
      rates: "src/rates.rs",
      test: "tests/express.rs",
    },
    {
      parcel: { file: "src/parcel.rs", name: "Parcel", kind: "trait" },
      weight: { file: "src/express.rs", name: "weight", type: "Express" },
      express: { file: "src/express.rs", name: "Express", kind: "struct" },
      inherits: { file: "src/express.rs", name: "Parcel", kind: "implements" },
      import: { file: "src/express.rs", source: "crate::rates", name: "surcharge" },
      receivers: { own: "self", surcharge: undefined, overridden: undefined },
      test: { file: "tests/express.rs", name: "express_price" },
    },
  ),
  fixture(
    "lua",
    "lua",
    {
      parcel: "parcels/parcel.lua",
      express: "parcels/express.lua",
      rates: "parcels/rates.lua",
      test: "spec/express_spec.lua",
    },
    {
      size: { file: "parcels/rates.lua", name: "Size", kind: "variable", member: "field" },
      import: { file: "parcels/express.lua", source: "parcels.rates" },
      receivers: { own: "self", surcharge: "rates", overridden: "Parcel" },
      test: { file: "spec/express_spec.lua", name: "express price" },
    },
  ),
  fixture(
    "c",
    "c",
    {
      parcel: "src/parcel.h",
      express: "src/express.h",
      rates: "src/rates.c",
      test: "tests/test_express.c",
    },
    {
      parcel: { file: "src/parcel.h", name: "Parcel", kind: "struct" },
      base: { file: "src/parcel.c", name: "parcel_base", type: undefined },
      price: { file: "src/parcel.c", name: "parcel_price", type: undefined },
      override: { file: "src/express.c", name: "express_price", type: undefined },
      express: { file: "src/express.h", name: "Express", kind: "struct" },
      inherits: undefined,
      limit: { file: "src/rates.h", name: "LIMIT" },
      size: { file: "src/rates.h", name: "Size", kind: "enum", member: "field" },
      import: { file: "src/express.c", source: "rates.h" },
      receivers: { own: undefined, surcharge: undefined, overridden: undefined },
      test: { file: "tests/test_express.c", name: "test_express_price" },
    },
  ),
  fixture(
    "cpp",
    "cpp",
    {
      parcel: "src/parcel.hpp",
      express: "src/express.hpp",
      rates: "src/rates.cpp",
      test: "tests/test_express.cpp",
    },
    {
      override: { file: "src/express.cpp", name: "price", type: "Express" },
      limit: { file: "src/rates.hpp", name: "LIMIT" },
      size: { file: "src/rates.hpp", name: "Size", kind: "enum", member: "field" },
      import: { file: "src/express.cpp", source: "rates.hpp" },
      receivers: { own: "this", surcharge: undefined, overridden: "Parcel" },
      test: { file: "tests/test_express.cpp", name: "test_express_price" },
    },
  ),
];
