/** Files that affect how .NET tests are found, run and reported. */
import type { JudgingFile } from "../contract.ts";
import { judgingOfAll } from "../judging-files.ts";

export const csharpJudging: readonly JudgingFile[] = [
  ...judgingOfAll,
  {
    files:
      "**/{*.runsettings,xunit.runner.json,*.xunit.runner.json,testconfig.json,Directory.Build.props,Directory.Build.targets,global.json,[nN]u[gG]et.[cC]onfig,dotnet-tools.json}",
  },
];
