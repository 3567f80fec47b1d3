package cluster

import "reflect"

// WithRates returns the description with all bandwidths that many times as large.
func (s Spec) WithRates(times float64) Spec {
	return scaled(reflect.ValueOf(s), false, times).Interface().(Spec)
}

// scaled copies a value of a description; bandwidths are the fields that have their unit.
func scaled(v reflect.Value, bandwidth bool, times float64) reflect.Value {
	out := reflect.New(v.Type()).Elem()
	out.Set(v)
	switch v.Kind() {
	case reflect.Float64:
		if bandwidth {
			out.SetFloat(v.Float() * times)
		}
	case reflect.Pointer:
		if !v.IsNil() {
			out.Set(reflect.New(v.Type().Elem()))
			out.Elem().Set(scaled(v.Elem(), bandwidth, times))
		}
	case reflect.Slice:
		if !v.IsNil() {
			out.Set(reflect.MakeSlice(v.Type(), v.Len(), v.Len()))
		}
		for k := range v.Len() {
			out.Index(k).Set(scaled(v.Index(k), bandwidth, times))
		}
	case reflect.Struct:
		for k := range v.NumField() {
			out.Field(k).Set(scaled(v.Field(k), bandwidth || v.Type().Field(k).Tag.Get("unit") == "GB/s", times))
		}
	}
	return out
}
