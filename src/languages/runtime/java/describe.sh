# Sourced with $report set. Writes into it what a reader of a Java build needs: where.txt (the folder), request.txt, sources.txt.
pwd > "$report/where.txt"
printf %s "${MILLWRIGHT_REQUEST:-}" > "$report/request.txt"
for part in 1 2 3 4 5 6 7 8 9; do
  eval "printf %s \"\${MILLWRIGHT_REQUEST_$part:-}\"" >> "$report/request.txt"
done
find . \( -name .git -o -name node_modules -o -name target \) -prune -o -type f \
  \( -name '*.java' -o -name '*.kt' -o -name '*.groovy' -o -name '*.scala' \) -print > "$report/sources.txt"
