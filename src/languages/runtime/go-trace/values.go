package millwright

import (
	"reflect"
	"strconv"
	"unicode/utf8"
)

const (
	deepest     = 5
	safeInteger = 1 << 53
)

// writing is the text of values. follows: what pointers, slices and maps lead to may be read, for no other goroutine can be
// writing it; without that it would be a race that the program does not have.
type writing struct {
	text    []byte
	room    int
	more    int
	follows bool
}

// appendValue appends `{"j":…}`, `{"d":…}` or `{"t":…}`.
func appendValue(line []byte, value interface{}, follows bool) []byte {
	if text, ok := value.(string); ok && len(text) > mostValue && utf8.ValidString(text) {
		line = appendString(append(line, `{"j":`...), cutText(text, mostValue))
		return append(strconv.AppendInt(append(line, `,"cut":`...), int64(len(text)), 10), '}')
	}
	return appendWritten(line, []interface{}{value}, follows, func(shown *writing, plain bool) bool {
		if plain {
			return shown.json(reflect.ValueOf(value), 0)
		}
		return shown.value(reflect.ValueOf(value), 0)
	})
}

// appendResults shows several results as one list.
func appendResults(line []byte, results []interface{}, follows bool) []byte {
	if len(results) == 1 {
		return appendValue(line, results[0], follows)
	}
	return appendWritten(line, results, follows, func(shown *writing, plain bool) bool {
		open, closing := "(", ")"
		if plain {
			open, closing = "[", "]"
		}
		shown.add(open)
		for index, result := range results {
			if index > 0 {
				shown.add(",")
			}
			if plain && !shown.json(reflect.ValueOf(result), 1) {
				return false
			}
			if !plain && !shown.value(reflect.ValueOf(result), 1) {
				shown.add(typeText(result))
			}
		}
		shown.add(closing)
		return true
	})
}

func appendWritten(line []byte, values []interface{}, follows bool, write func(*writing, bool) bool) []byte {
	for _, kind := range []string{"j", "d"} {
		shown := &writing{room: mostValue, follows: follows}
		if !succeeds(func() bool { return write(shown, kind == "j") }) {
			continue
		}
		line = append(append(append(line, `{"`...), kind...), `":`...)
		if kind == "j" {
			return append(append(line, shown.text...), '}')
		}
		line = appendString(line, string(shown.text))
		if shown.more > 0 {
			line = strconv.AppendInt(append(line, `,"cut":`...), int64(len(shown.text)+shown.more), 10)
		}
		return append(line, '}')
	}
	return append(appendString(append(line, `{"t":`...), typeText(values[0])), '}')
}

// succeeds is false where looking at the value failed.
func succeeds(look func() bool) (fine bool) {
	defer func() {
		if recover() != nil {
			fine = false
		}
	}()
	return look()
}

func typeText(value interface{}) string {
	if value == nil {
		return "nil"
	}
	return reflect.TypeOf(value).String()
}

func (shown *writing) add(text string) {
	shown.text = append(shown.text, text...)
	shown.room -= len(text)
}

// json writes plain data: false where it is none, or too long.
func (shown *writing) json(value reflect.Value, depth int) bool {
	if depth > deepest || shown.room < 0 {
		return false
	}
	switch value.Kind() {
	case reflect.Invalid:
		shown.add("null")
		return true
	case reflect.Array:
		return shown.jsonList(value, depth)
	case reflect.Slice:
		if value.IsNil() {
			shown.add("null")
			return true
		}
		return shown.follows && value.Type().Elem().Kind() != reflect.Uint8 && shown.jsonList(value, depth)
	case reflect.Map:
		return shown.jsonMap(value, depth)
	case reflect.Struct:
		return shown.jsonStruct(value, depth)
	case reflect.Interface, reflect.Ptr, reflect.Chan, reflect.Func, reflect.UnsafePointer:
		if value.IsNil() {
			shown.add("null")
			return true
		}
		return value.Kind() == reflect.Interface && shown.json(value.Elem(), depth+1)
	}
	return shown.jsonScalar(value)
}

func (shown *writing) jsonScalar(value reflect.Value) bool {
	if hasOwnText(value) {
		return false
	}
	switch value.Kind() {
	case reflect.Bool:
		shown.add(strconv.FormatBool(value.Bool()))
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		number := value.Int()
		if number > safeInteger || number < -safeInteger {
			return false
		}
		shown.add(strconv.FormatInt(number, 10))
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		if value.Uint() > safeInteger {
			return false
		}
		shown.add(strconv.FormatUint(value.Uint(), 10))
	case reflect.Float32, reflect.Float64:
		number := value.Float()
		if number != number || number > 1e300 || number < -1e300 {
			return false
		}
		shown.add(strconv.FormatFloat(number, 'g', -1, 64))
	case reflect.String:
		if value.Len() > shown.room || !utf8.ValidString(value.String()) {
			return false
		}
		shown.add(string(appendString(nil, value.String())))
	default:
		return false
	}
	return true
}

func (shown *writing) jsonList(value reflect.Value, depth int) bool {
	if value.Len() > shown.room {
		return false
	}
	shown.add("[")
	for index := 0; index < value.Len(); index++ {
		if index > 0 {
			shown.add(",")
		}
		if !shown.json(value.Index(index), depth+1) {
			return false
		}
	}
	shown.add("]")
	return true
}

func (shown *writing) jsonMap(value reflect.Value, depth int) bool {
	if value.IsNil() {
		shown.add("null")
		return true
	}
	if !shown.follows || value.Type().Key().Kind() != reflect.String || value.Len() > shown.room/4 {
		return false
	}
	shown.add("{")
	for index, key := range sortedKeys(value) {
		if index > 0 {
			shown.add(",")
		}
		shown.add(string(appendString(nil, key.String())) + ":")
		if !shown.json(value.MapIndex(key), depth+1) {
			return false
		}
	}
	shown.add("}")
	return true
}

// jsonStruct writes a struct of exported fields only: of another one it would not be the whole.
func (shown *writing) jsonStruct(value reflect.Value, depth int) bool {
	kind := value.Type()
	if kind.NumField() == 0 || hasOwnText(value) {
		return false
	}
	for index := 0; index < kind.NumField(); index++ {
		if kind.Field(index).PkgPath != "" {
			return false
		}
	}
	shown.add("{")
	for index := 0; index < kind.NumField(); index++ {
		if index > 0 {
			shown.add(",")
		}
		shown.add(string(appendString(nil, kind.Field(index).Name)) + ":")
		if !shown.json(value.Field(index), depth+1) {
			return false
		}
	}
	shown.add("}")
	return true
}
