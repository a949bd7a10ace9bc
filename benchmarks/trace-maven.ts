/** Prints each result of Maven's tests on its own line, as pytest does. Maven itself prints only sums. */
const printResults = `
/<testcase / {
  match($0, / name="[^"]*"/); name = substr($0, RSTART + 7, RLENGTH - 8); gsub(/ /, "_", name)
  match($0, /classname="[^"]*"/); type = substr($0, RSTART + 11, RLENGTH - 12); status = "PASSED"
}
name != "" && /<failure/ { status = "FAILED" }
name != "" && /<error/ { status = "ERROR" }
name != "" && /<skipped/ { status = "SKIPPED" }
name != "" && (/<\\/testcase>/ || /<testcase .*\\/>/) { print status, type "." name; name = "" }
`;

export const maven = "mvn -o -B -q test";

/** Checks between the sources and the tests are left out, as a trace leaves them out. */
export const mavenTests = `MAVEN_OPTS="$MAVEN_OPTS -Dcheckstyle.skip=true -Drat.skip=true -Danimal.sniffer.skip=true -Denforcer.skip=true -Djacoco.skip=true"
export MAVEN_OPTS; ${maven}; code=$?
find . -path '*/surefire-reports/TEST-*.xml' -exec awk '${printResults}' {} +
exit $code`;
