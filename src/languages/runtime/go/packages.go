package main

import (
	"fmt"
	"go/ast"
	"go/doc"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"sort"
	"strings"
	"unicode"
	"unicode/utf8"
)

// testPackage is a package with tests.
type testPackage struct {
	ImportPath string `json:"importPath"`
	// Absolute.
	Folder string `json:"folder"`
	Module string `json:"module"`
	// In the order in which the test binary runs them.
	Tests []declared `json:"tests"`
	// Test files, relative to the root.
	Files []string `json:"files"`
}

// declared is a test function; one name can stand in the package and in its external test package.
type declared struct {
	Name string `json:"name"`
	// Relative to the root.
	File string `json:"file"`
}

const listFormat = `{{.ImportPath}}{{"\t"}}{{.Dir}}{{"\t"}}{{with .Module}}{{.Path}}{{end}}{{"\t"}}` +
	`{{join .TestGoFiles " "}}{{"\t"}}{{join .XTestGoFiles " "}}{{"\t"}}{{if .Error}}broken{{end}}{{"\t"}}{{.DepOnly}}`

// listPackages asks the go command for the packages that the call names, with their tests, and for all their folders.
func listPackages(r *request, c *call, env []string) ([]testPackage, map[string]string, error) {
	arguments := append([]string{"list", "-e", "-f", listFormat}, listFlags(c.Flags)...)
	arguments = append(arguments, "--")
	arguments = append(arguments, c.Packages...)
	command := exec.Command("go", arguments...)
	command.Dir = filepath.Join(r.Root, c.Directory)
	command.Env = env
	command.Stderr = os.Stderr
	output, err := command.Output()
	if err != nil {
		return nil, nil, fmt.Errorf("go list failed: %w", err)
	}
	folders := map[string]string{}
	packages := []testPackage{}
	for _, line := range strings.Split(strings.TrimSpace(string(output)), "\n") {
		fields := strings.Split(line, "\t")
		if len(fields) < 7 || fields[1] == "" || !inside(r.Root, fields[1]) {
			continue
		}
		folders[fields[0]] = fields[1]
		found := testPackage{ImportPath: fields[0], Folder: fields[1], Module: fields[2]}
		own, external := strings.Fields(fields[3]), strings.Fields(fields[4])
		if fields[5] != "" && len(own)+len(external) == 0 {
			// A file that does not parse keeps the go command from telling the others.
			paths, _ := filepath.Glob(filepath.Join(found.Folder, "*_test.go"))
			for _, path := range paths {
				own = append(own, filepath.Base(path))
			}
		}
		for _, name := range append(own, external...) {
			found.Files = append(found.Files, relative(r.Root, filepath.Join(found.Folder, name)))
		}
		if len(found.Files) == 0 {
			continue
		}
		found.Tests = append(declaredTests(r.Root, found.Folder, own), declaredTests(r.Root, found.Folder, external)...)
		packages = append(packages, found)
	}
	return packages, folders, nil
}

// listFlags are those of "go test" that "go list" has too and that choose files.
func listFlags(flags []string) []string {
	kept := []string{}
	for _, flag := range flags {
		name := strings.TrimLeft(strings.SplitN(flag, "=", 2)[0], "-")
		if name == "tags" || name == "mod" || name == "modfile" || name == "overlay" {
			kept = append(kept, flag)
		}
	}
	return kept
}

// declaredTests reads the test functions of some files of one package: tests, fuzz tests, then examples.
func declaredTests(root string, folder string, names []string) []declared {
	files := token.NewFileSet()
	tests, fuzz, examples := []declared{}, []declared{}, []declared{}
	sort.Strings(names)
	for _, name := range names {
		path := filepath.Join(folder, name)
		file, _ := parser.ParseFile(files, path, nil, parser.ParseComments|parser.SkipObjectResolution)
		if file == nil {
			continue
		}
		place := relative(root, path)
		for _, declaration := range file.Decls {
			function, isFunction := declaration.(*ast.FuncDecl)
			if !isFunction || function.Recv != nil || function.Type.Params == nil {
				continue
			}
			count := len(function.Type.Params.List)
			if count == 1 && isTestName(function.Name.Name, "Test") && takes(function, "T") {
				tests = append(tests, declared{function.Name.Name, place})
			} else if count == 1 && isTestName(function.Name.Name, "Fuzz") && takes(function, "F") {
				fuzz = append(fuzz, declared{function.Name.Name, place})
			}
		}
		for _, example := range doc.Examples(file) {
			if example.Output != "" || example.EmptyOutput {
				examples = append(examples, declared{"Example" + example.Name, place})
			}
		}
	}
	return append(append(tests, fuzz...), examples...)
}

// isTestName is the rule of the go command: "Test", "Test_x", "TestX", but not "Testing".
func isTestName(name string, prefix string) bool {
	if !strings.HasPrefix(name, prefix) {
		return false
	}
	rest, _ := utf8.DecodeRuneInString(name[len(prefix):])
	return len(name) == len(prefix) || !unicode.IsLower(rest)
}

func takes(function *ast.FuncDecl, letter string) bool {
	pointer, isPointer := function.Type.Params.List[0].Type.(*ast.StarExpr)
	if !isPointer {
		return false
	}
	switch named := pointer.X.(type) {
	case *ast.Ident:
		return named.Name == letter
	case *ast.SelectorExpr:
		return named.Sel.Name == letter
	}
	return false
}

func inside(root string, path string) bool {
	return path == root || strings.HasPrefix(path, strings.TrimSuffix(root, "/")+"/")
}

// relative is the path below the root with slashes, or the path itself where it lies elsewhere.
func relative(root string, path string) string {
	if !inside(root, path) {
		return path
	}
	return strings.TrimPrefix(strings.TrimPrefix(path, root), "/")
}
