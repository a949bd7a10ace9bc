/** Files that affect how .NET tests are found, run and reported. */
import type { JudgingFile } from "../contract.ts";
import { judgingOfAll } from "../judging-files.ts";

/** A reference without settings, such as assets to exclude or an alias. */
const reference =
  /<(PackageReference|PackageVersion|ProjectReference)\s+Include="([\w.\\/ -]+)"(?:\s+Version="[\w.*$()[\],-]+")?\s*(?:\/>|>\s*<\/\1>)/g;
const parts = { format: "msbuild", free: reference } as const;

export const csharpJudging: readonly JudgingFile[] = [
  ...judgingOfAll,
  {
    files:
      "**/{*.runsettings,xunit.runner.json,*.xunit.runner.json,testconfig.json,Directory.{Build,Solution}.{props,targets,rsp},MSBuild.rsp,*proj.user,obj/*.{props,targets},global.json,[nN]u[gG]et.[cC]onfig,dotnet-tools.json}",
  },
  { files: "**/*{Test,test,Spec,spec}{,s}.{cs,fs,vb}proj", parts },
  {
    files: "**/*.{cs,fs,vb}proj",
    holding: /Microsoft\.NET\.Test\.Sdk|\b(?:xunit|nunit|mstest|tunit)\b/i,
    parts,
  },
  { files: "**/Directory.Packages.props", parts },
  { files: "**/Directory.Packages.props", isShadow: true },
];
