// Written by scripts/generate-indexes.ts; do not edit.
import busted from "./busted.ts";
import cargoNextest from "./cargo-nextest.ts";
import cargoTest from "./cargo-test.ts";
import cpp from "./cpp.ts";
import csharp from "./csharp.ts";
import ctest from "./ctest.ts";
import dotnetTest from "./dotnet-test.ts";
import goTest from "./go-test.ts";
import go from "./go.ts";
import gradle from "./gradle.ts";
import java from "./java.ts";
import javascript from "./javascript.ts";
import jest from "./jest.ts";
import lua from "./lua.ts";
import maven from "./maven.ts";
import mocha from "./mocha.ts";
import nodeTest from "./node-test.ts";
import pytest from "./pytest.ts";
import python from "./python.ts";
import rust from "./rust.ts";
import typescript from "./typescript.ts";
import unittest from "./unittest.ts";
import vitest from "./vitest.ts";

export const languages = [cpp, csharp, go, java, javascript, lua, python, rust, typescript] as const;
export const testFrameworks = [busted, cargoNextest, cargoTest, ctest, dotnetTest, goTest, gradle, jest, maven, mocha, nodeTest, pytest, unittest, vitest] as const;
