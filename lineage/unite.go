package lineage

import "slices"

// unite adds to a sorted list; what stands in both is joined. It changes neither list.
func unite[T any](list, added []T, compare func(a, b T) int, join func(*T, T)) []T {
	if len(added) == 0 {
		return list
	}
	all := slices.Concat(list, added)
	slices.SortStableFunc(all, compare)
	united := all[:1]
	for _, item := range all[1:] {
		if last := &united[len(united)-1]; compare(*last, item) == 0 {
			join(last, item)
		} else {
			united = append(united, item)
		}
	}
	return united
}
