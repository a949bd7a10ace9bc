package millwright

import (
	"fmt"
	"reflect"
	"strconv"
	"time"
	"unicode/utf8"
)

// value writes what people read, no more of it than there is room for; false where only its type is known.
func (shown *writing) value(value reflect.Value, depth int) bool {
	if shown.own(value) {
		return true
	}
	switch value.Kind() {
	case reflect.Invalid:
		shown.add("nil")
	case reflect.String:
		shown.quoted(value.String())
	case reflect.Bool, reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64, reflect.Uint, reflect.Uint8,
		reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr, reflect.Float32, reflect.Float64:
		shown.add(scalar(value))
	case reflect.Complex64, reflect.Complex128:
		shown.add(fmt.Sprint(value.Complex()))
	case reflect.Interface:
		if value.IsNil() {
			shown.add("nil")
			return true
		}
		return shown.value(value.Elem(), depth)
	case reflect.Struct:
		return shown.structure(value, depth)
	case reflect.Array:
		return shown.list(value, depth)
	case reflect.Ptr:
		return shown.pointer(value, depth)
	case reflect.Slice:
		return shown.slice(value, depth)
	case reflect.Map:
		return shown.table(value, depth)
	default:
		if value.IsNil() {
			shown.add("nil")
			return true
		}
		return false
	}
	return true
}

// own is the text of what has one that is safe to ask for.
func (shown *writing) own(value reflect.Value) bool {
	if !value.IsValid() || !value.CanInterface() {
		return false
	}
	if value.Kind() == reflect.Interface {
		value = value.Elem()
		if !value.IsValid() || !value.CanInterface() {
			return false
		}
	}
	if test, ok := testOf(value.Interface()); ok {
		shown.add(value.Type().String() + " " + test)
		return true
	}
	switch known := value.Interface().(type) {
	case time.Time:
		shown.add(known.Format(time.RFC3339Nano))
	case time.Duration:
		shown.add(known.String())
	case reflect.Type:
		shown.add(known.String())
	case reflect.Value:
		shown.add("reflect.Value of " + kindText(known))
	case error:
		if value.Kind() == reflect.Ptr && value.IsNil() {
			return false
		}
		shown.add(value.Type().String() + ": ")
		shown.cut(errorText(known))
	default:
		return false
	}
	return true
}

func kindText(value reflect.Value) string {
	if !value.IsValid() {
		return "nothing"
	}
	return value.Type().String()
}

// hasOwnText: not to be shown by its fields, or as a number.
func hasOwnText(value reflect.Value) bool {
	name := value.Type().PkgPath() + "." + value.Type().Name()
	return name == "time.Time" || name == "time.Duration" || name == "reflect.Value"
}

func scalar(value reflect.Value) string {
	switch value.Kind() {
	case reflect.Bool:
		return strconv.FormatBool(value.Bool())
	case reflect.Float32, reflect.Float64:
		return strconv.FormatFloat(value.Float(), 'g', -1, 64)
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return strconv.FormatInt(value.Int(), 10)
	}
	return strconv.FormatUint(value.Uint(), 10)
}

func (shown *writing) quoted(text string) {
	cut := cutText(text, shown.left())
	shown.more += len(text) - len(cut)
	shown.add(strconv.Quote(cut))
	if len(cut) < len(text) {
		shown.add("…")
	}
}

func (shown *writing) cut(text string) {
	cut := cutText(text, shown.left())
	shown.more += len(text) - len(cut)
	shown.add(cut)
}

func (shown *writing) left() int {
	if shown.room < 10 {
		return 10
	}
	return shown.room
}

// full says so in the text, where there is no more room for the rest of count parts.
func (shown *writing) full(done, count int) bool {
	if shown.room > 0 || done >= count {
		return false
	}
	if done > 0 {
		shown.more += len(shown.text) / done * (count - done)
	} else {
		shown.more += count
	}
	shown.text = append(shown.text, ("… " + strconv.Itoa(count-done) + " more")...)
	return true
}

func (shown *writing) structure(value reflect.Value, depth int) bool {
	kind := value.Type()
	if kind.PkgPath() == "sync" {
		shown.add(kind.String())
		return true
	}
	shown.add(kind.String() + "{")
	if depth > deepest {
		shown.add("…}")
		return true
	}
	for index := 0; index < kind.NumField() && !shown.full(index, kind.NumField()); index++ {
		if index > 0 {
			shown.add(", ")
		}
		shown.add(kind.Field(index).Name + ":")
		shown.part(value.Field(index), depth)
	}
	shown.add("}")
	return true
}

// part shows what stands in something else, where its type says something too.
func (shown *writing) part(value reflect.Value, depth int) {
	if shown.value(value, depth+1) {
		return
	}
	if value.Kind() == reflect.Interface {
		value = value.Elem()
	}
	shown.add(value.Type().String())
}

func (shown *writing) list(value reflect.Value, depth int) bool {
	shown.add(value.Type().String() + "{")
	if depth > deepest {
		shown.add("…}")
		return true
	}
	for index := 0; index < value.Len() && !shown.full(index, value.Len()); index++ {
		if index > 0 {
			shown.add(", ")
		}
		shown.part(value.Index(index), depth)
	}
	shown.add("}")
	return true
}

func (shown *writing) pointer(value reflect.Value, depth int) bool {
	if value.IsNil() {
		shown.add("nil")
		return true
	}
	if !shown.follows || depth > deepest {
		return false
	}
	shown.add("&")
	shown.part(value.Elem(), depth)
	return true
}

func (shown *writing) slice(value reflect.Value, depth int) bool {
	if value.IsNil() {
		shown.add("nil")
		return true
	}
	if !shown.follows {
		shown.add(value.Type().String() + " of " + strconv.Itoa(value.Len()))
		return true
	}
	if value.Type().Elem().Kind() == reflect.Uint8 {
		most := value.Len()
		if most > shown.left() {
			most = shown.left()
		}
		if text := string(value.Slice(0, most).Bytes()); utf8.ValidString(cutText(text, most)) {
			shown.add("[]byte(")
			shown.quoted(text)
			shown.add(")")
			shown.more += value.Len() - most
			return true
		}
	}
	return shown.list(value, depth)
}

func (shown *writing) table(value reflect.Value, depth int) bool {
	if value.IsNil() {
		shown.add("nil")
		return true
	}
	// A map that is read while it is written ends the program, so that its length is all that can be had.
	if !shown.follows || depth > deepest || value.Len() > 1000 {
		shown.add(value.Type().String() + " of " + strconv.Itoa(value.Len()))
		return true
	}
	shown.add(value.Type().String() + "{")
	for index, key := range sortedKeys(value) {
		if shown.full(index, value.Len()) {
			break
		}
		if index > 0 {
			shown.add(", ")
		}
		shown.part(key, depth)
		shown.add(":")
		shown.part(value.MapIndex(key), depth)
	}
	shown.add("}")
	return true
}
