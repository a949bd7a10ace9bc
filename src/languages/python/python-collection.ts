/** The names by which Python's runners recognise test files. */
import type { Collection } from "../contract.ts";

export const pytestCollects: Collection = {
  usual: ["**/test_*.py", "**/*_test.py"],
  configured: [
    {
      file: "**/{pytest.ini,.pytest.ini,tox.ini,setup.cfg}",
      setting: /^python_files[ \t]*[=:][ \t]*(.*(?:\n[ \t]+\S.*)*)/m,
      as: "names",
    },
    {
      file: "**/{pyproject,pytest,.pytest}.toml",
      setting: /^python_files[ \t]*=[ \t]*(\[[^\]]*\]|"[^"\n]*"|'[^'\n]*')/m,
      as: "names",
    },
  ],
};

/**
 * The default pattern of unittest's discovery. If a command sets another pattern, Millwright recognises the test files
 * by the executed tests.
 */
export const unittestCollects: Collection = { usual: ["**/test*.py"], configured: [] };
