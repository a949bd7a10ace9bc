/** Rust: associated types are not constructors, and a method's name alone does not determine its owner. */
import { expect, test } from "vitest";
import { makePlayground } from "../../../tests/graph-fixtures.ts";
import { findMeant } from "../../graph/find-meant.ts";
import { describeCalls } from "./calls-around.ts";

const program = {
  "Cargo.toml": '[package]\nname = "clock"\nversion = "0.1.0"\nedition = "2021"\n',
  "src/lib.rs": "mod delta;\nmod round;\npub use delta::Delta;\n",
  "src/delta.rs": `pub struct Delta { nanos: i64 }

pub struct Span<T> { of: T }

impl Delta {
    pub fn abs(&self) -> Delta {
        Delta { nanos: self.nanos.abs() }
    }

    pub fn twice(self) -> Delta {
        self.abs()
    }
}
`,
  "src/round.rs": `use crate::delta::Delta;

pub trait Round: Sized {
    type Err;
    fn round(self, to: Delta) -> Result<Self, Self::Err>;
}

pub struct Moment(i64);
pub struct Problem;
type Same = Moment;

impl Round for Moment {
    type Err = Problem;

    fn round(self, to: Delta) -> Result<Self, Self::Err> {
        if self.0.abs() > 3 {
            return Err(Problem);
        }
        Ok(Moment(self.0))
    }
}

impl Round for i64 {
    type Err = Problem;

    fn round(self, to: Delta) -> Result<Self, Self::Err> {
        Err(Problem)
    }
}

impl<T: Copy> Round for crate::delta::Span<T> {
    type Err = Problem;

    fn round(self, to: Delta) -> Result<Self, Self::Err> {
        spanned(self)
    }
}

fn spanned<T>(span: crate::delta::Span<T>) -> Result<crate::delta::Span<T>, Problem> {
    Err(Problem)
}

fn helper(stamp: i64) -> Result<Moment, Problem> {
    if stamp.abs() == 0 {
        return Err(Problem);
    }
    Ok(Moment(stamp))
}
`,
};

test("calls of constructors and of methods", async () => {
  const graph = makePlayground(program).open();
  await graph.refresh();
  const callsOf = (name: string) => {
    const [entity] = findMeant(graph, name);
    return graph
      .outgoing(entity?.id ?? 0, ["calls"])
      .map(({ edge, to }) => `${to.qualified} ${edge.confidence}`);
  };
  // `Err` and `Ok` are built in, and the integer's `abs` is at most a guess.
  const perhaps = "Delta.abs 0.2";
  expect(callsOf("Moment.round")).toEqual(["Moment 0.95", perhaps]);
  expect(callsOf("helper")).toEqual(["Moment 0.95", perhaps]);
  expect(callsOf("spanned")).toEqual([]);
  expect(callsOf("Delta.twice")).toEqual(["Delta.abs 1"]);
  const said = describeCalls(graph, [{ file: "src/round.rs", startLine: 44, endLine: 46 }]);
  expect(said).toEqual(["helper calls Moment src/round.rs:8-8."]);
});
