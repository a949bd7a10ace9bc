// Written by scripts/generate-indexes.ts; do not edit.
import ctest from "./cpp/ctest.ts";
import dotnetTest from "./csharp/dotnet-test.ts";
import workspaces from "./discovery/workspaces.ts";
import goTest from "./go/go-test.ts";
import gradle from "./java/gradle.ts";
import maven from "./java/maven.ts";
import ava from "./javascript/ava.ts";
import jasmine from "./javascript/jasmine.ts";
import jest from "./javascript/jest.ts";
import mocha from "./javascript/mocha.ts";
import nodeTest from "./javascript/node-test.ts";
import tap from "./javascript/tap.ts";
import tape from "./javascript/tape.ts";
import uvu from "./javascript/uvu.ts";
import vitest from "./javascript/vitest.ts";
import busted from "./lua/busted.ts";
import phpunit from "./php/phpunit.ts";
import pytest from "./python/pytest.ts";
import unittest from "./python/unittest.ts";
import minitest from "./ruby/minitest.ts";
import rspec from "./ruby/rspec.ts";
import testUnit from "./ruby/test-unit.ts";
import cargoNextest from "./rust/cargo-nextest.ts";
import cargoTest from "./rust/cargo-test.ts";
import command from "./shell/command.ts";

export const testFrameworks = [ava, busted, cargoNextest, cargoTest, command, ctest, dotnetTest, goTest, gradle, jasmine, jest, maven, minitest, mocha, nodeTest, phpunit, pytest, rspec, tap, tape, testUnit, unittest, uvu, vitest, workspaces] as const;
