package main

import (
	"bufio"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path"
	"path/filepath"
	"sort"
	"strconv"
	"strings"
)

// lineTable knows on which lines the statements of measured files stand.
type lineTable struct {
	folders map[string]string
	files   map[string][]span
}

// span is a statement's own text: where it begins, and the lines up to its first nested block.
type span struct {
	line, column int
	last         int
}

func newLineTable(folders map[string]string) *lineTable {
	return &lineTable{folders: folders, files: map[string][]span{}}
}

// read adds the lines of statements in a profile's executed blocks, by file relative to the root.
func (t *lineTable) read(profile string, root string, executed map[string]map[int]bool) {
	file, err := os.Open(profile)
	if err != nil {
		return
	}
	defer file.Close()
	scanner := bufio.NewScanner(file)
	scanner.Buffer(make([]byte, 1<<16), 1<<20)
	for scanner.Scan() {
		name, block, isExecuted := readBlock(scanner.Text())
		folder, known := t.folders[path.Dir(name)]
		if !isExecuted || !known {
			continue
		}
		source := filepath.Join(folder, path.Base(name))
		for _, statement := range t.spansOf(source) {
			if !block.holds(statement) {
				continue
			}
			place := relative(root, source)
			if executed[place] == nil {
				executed[place] = map[int]bool{}
			}
			for line := statement.line; line <= statement.last; line++ {
				executed[place][line] = true
			}
		}
	}
}

func formatLines(executed map[string]map[int]bool) map[string]string {
	ranges := map[string]string{}
	for place, lines := range executed {
		ranges[place] = formatRanges(lines)
	}
	return ranges
}

// block of a profile: from a place up to another.
type profileBlock struct{ fromLine, fromColumn, toLine, toColumn int }

func (b profileBlock) holds(s span) bool {
	isBehindStart := s.line > b.fromLine || s.line == b.fromLine && s.column >= b.fromColumn
	isBeforeEnd := s.line < b.toLine || s.line == b.toLine && s.column < b.toColumn
	return isBehindStart && isBeforeEnd
}

// readBlock reads "import/path/file.go:12.30,15.2 2 1".
func readBlock(text string) (string, profileBlock, bool) {
	colon := strings.LastIndex(text, ":")
	if colon < 0 {
		return "", profileBlock{}, false
	}
	numbers := []int{}
	for _, field := range strings.FieldsFunc(text[colon+1:], func(c rune) bool { return c == '.' || c == ',' || c == ' ' }) {
		number, err := strconv.Atoi(field)
		if err != nil {
			return "", profileBlock{}, false
		}
		numbers = append(numbers, number)
	}
	if len(numbers) != 6 || numbers[5] == 0 {
		return "", profileBlock{}, false
	}
	return text[:colon], profileBlock{numbers[0], numbers[1], numbers[2], numbers[3]}, true
}

func (t *lineTable) spansOf(path string) []span {
	if known, isKnown := t.files[path]; isKnown {
		return known
	}
	set := token.NewFileSet()
	file, _ := parser.ParseFile(set, path, nil, parser.SkipObjectResolution)
	spans := []span{}
	if file != nil {
		ast.Inspect(file, func(node ast.Node) bool {
			statement, isStatement := node.(ast.Stmt)
			if _, isBlock := node.(*ast.BlockStmt); !isStatement || isBlock {
				return true
			}
			at := set.Position(statement.Pos())
			found := span{line: at.Line, column: at.Column, last: set.Position(headEnd(statement)).Line}
			switch clause := statement.(type) {
			case *ast.CaseClause:
				// Its block begins behind the colon.
				found.column = set.Position(clause.Colon).Column + 1
				found.line, found.last = set.Position(clause.Colon).Line, set.Position(clause.Colon).Line
			case *ast.CommClause:
				found.column = set.Position(clause.Colon).Column + 1
				found.line, found.last = set.Position(clause.Colon).Line, set.Position(clause.Colon).Line
			}
			spans = append(spans, found)
			return true
		})
	}
	t.files[path] = spans
	return spans
}

// headEnd is where a statement's own text ends: before its first block or function.
func headEnd(statement ast.Stmt) token.Pos {
	end := statement.End() - 1
	ast.Inspect(statement, func(node ast.Node) bool {
		if node == nil || node == ast.Node(statement) {
			return true
		}
		switch node.(type) {
		case *ast.BlockStmt, *ast.CaseClause, *ast.CommClause:
			if node.Pos() < end {
				end = node.Pos()
			}
			return false
		}
		return true
	})
	return end
}

func formatRanges(lines map[int]bool) string {
	numbers := []int{}
	for line := range lines {
		numbers = append(numbers, line)
	}
	sort.Ints(numbers)
	parts := []string{}
	for index := 0; index < len(numbers); {
		last := index
		for last+1 < len(numbers) && numbers[last+1] == numbers[last]+1 {
			last++
		}
		part := strconv.Itoa(numbers[index])
		if last > index {
			part += "-" + strconv.Itoa(numbers[last])
		}
		parts = append(parts, part)
		index = last + 1
	}
	return strings.Join(parts, ",")
}
