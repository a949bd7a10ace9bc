package millwright

import (
	"reflect"
	"sort"
	"unicode/utf8"
)

func errorText(err error) (text string) {
	defer func() {
		if recover() != nil {
			text = reflect.TypeOf(err).String()
		}
	}()
	return cutText(err.Error(), mostValue)
}

// errorMessage has the type too, where it is one of its own.
func errorMessage(err error) string {
	kind := reflect.TypeOf(err).String()
	if kind == "*errors.errorString" || kind == "*fmt.wrapError" || kind == "*fmt.wrapErrors" {
		return errorText(err)
	}
	return kind + ": " + errorText(err)
}

func panicText(value interface{}) string {
	if err, ok := value.(error); ok {
		return errorMessage(err)
	}
	if text, ok := value.(string); ok {
		return cutText(text, mostValue)
	}
	shown := &writing{room: mostValue}
	if !succeeds(func() bool { return shown.value(reflect.ValueOf(value), 0) }) {
		return typeText(value)
	}
	return string(shown.text)
}

// sortedKeys: two runs show the same, where the keys have an order.
func sortedKeys(value reflect.Value) []reflect.Value {
	keys := value.MapKeys()
	if value.Type().Key().Kind() == reflect.String {
		sort.Slice(keys, func(a, b int) bool { return keys[a].String() < keys[b].String() })
	}
	return keys
}

// cutText is at most so many bytes of it, cut between characters.
func cutText(text string, most int) string {
	if len(text) <= most {
		return text
	}
	for most > 0 && !utf8.RuneStart(text[most]) {
		most--
	}
	return text[:most]
}

const hexadecimal = "0123456789abcdef"

// appendString appends a JSON text; what is no character becomes U+FFFD.
func appendString(line []byte, text string) []byte {
	line = append(line, '"')
	for _, character := range text {
		switch {
		case character == '"' || character == '\\':
			line = append(line, '\\', byte(character))
		case character < 0x20 || character == 0x7f:
			line = append(line, '\\', 'u', '0', '0', hexadecimal[character>>4], hexadecimal[character&15])
		default:
			line = append(line, string(character)...)
		}
	}
	return append(line, '"')
}
