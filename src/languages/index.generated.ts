// Written by scripts/generate-indexes.ts; do not edit.
import cargoTest from "./cargo-test.ts";
import javascript from "./javascript.ts";
import jest from "./jest.ts";
import mocha from "./mocha.ts";
import nodeTest from "./node-test.ts";
import pytest from "./pytest.ts";
import python from "./python.ts";
import rust from "./rust.ts";
import typescript from "./typescript.ts";
import unittest from "./unittest.ts";
import vitest from "./vitest.ts";

export const languages = [javascript, python, rust, typescript] as const;
export const testFrameworks = [cargoTest, jest, mocha, nodeTest, pytest, unittest, vitest] as const;
