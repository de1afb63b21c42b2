package lineage

import (
	"bytes"
	"encoding/json/jsontext"
	"fmt"
	"maps"
	"slices"
	"strings"
)

func (r *eventReader) readName(value jsontext.Value, path string) string {
	name, ok := decodeString(value)
	switch {
	case !ok:
		r.refuse("bad_name", path, "is %s where a string is expected", kindName(value.Kind()))
	case name == "":
		r.refuse("missing_name", path, "is missing or empty; every job and dataset needs a namespace and a name")
	case len(name) > r.limits.NameBytes:
		r.refuse("name_too_long", path, "has %d bytes, more than the limit of %d", len(name), r.limits.NameBytes)
	case strings.ContainsRune(name, 0):
		r.refuse("nul_in_name", path, "holds the character U+0000, which cannot be stored; remove it")
	}
	return name
}

// readDatasets reads inputs or outputs. Datasets that stand in the list more than once are one, the later facets winning.
func (r *eventReader) readDatasets(value jsontext.Value, path, roleFacets string) []Dataset {
	elements, ok := decodeArray(value)
	switch {
	case !ok:
		r.refuse("bad_datasets", path, "is %s where an array of datasets is expected", kindName(value.Kind()))
		return nil
	case len(elements) > r.limits.Datasets:
		r.refuse("too_many_datasets", path, "has %d entries, more than the limit of %d", len(elements), r.limits.Datasets)
		return nil
	}
	var datasets []Dataset
	index := make(map[DatasetID]int, len(elements))
	for i, element := range elements {
		dataset, ok := r.readDataset(element, fmt.Sprintf("%s[%d]", path, i), roleFacets)
		if !ok {
			continue
		}
		if first, repeated := index[dataset.DatasetID]; repeated {
			if twice := datasets[first].contradicts(dataset); len(twice) > 0 {
				r.warn("duplicate_dataset", fmt.Sprintf("%s[%d]", path, i), "stands in the list before with other facets; of %s the last counts", excerpt(strings.Join(twice, ", ")))
			}
			datasets[first].merge(dataset)
			continue
		}
		index[dataset.DatasetID] = len(datasets)
		datasets = append(datasets, dataset)
	}
	return datasets
}

// readDataset reads one dataset, with the facets of its role where it has one.
func (r *eventReader) readDataset(value jsontext.Value, path, roleFacets string) (Dataset, bool) {
	if value.Kind() == jsontext.KindNull {
		r.warn("null_dataset", path, "is null; it was left out")
		return Dataset{}, false
	}
	members, err := decodeObject(value)
	if err != nil {
		r.refuse("bad_dataset", path, "is %s where a JSON object is expected", kindName(value.Kind()))
		return Dataset{}, false
	}
	dataset := Dataset{
		DatasetID: NewDatasetID(r.readName(members["namespace"], path+".namespace"), r.readName(members["name"], path+".name")),
		Facets:    r.readFacets(members["facets"], path+".facets"),
	}
	dataset.Deleted = dataset.Facets.deletedFacets()
	if roleFacets != "" {
		dataset.RoleFacets = r.readFacets(members[roleFacets], path+"."+roleFacets)
	}
	return dataset, true
}

// contradicts names the facets of which a later entry of the same dataset says something else, sorted.
func (d *Dataset) contradicts(later Dataset) []string {
	var names []string
	for _, both := range [][2]Facets{{d.Facets, later.Facets}, {d.RoleFacets, later.RoleFacets}} {
		for name, facet := range both[1] {
			if earlier, found := both[0][name]; found && !bytes.Equal(earlier, facet) {
				names = append(names, name)
			}
		}
	}
	slices.Sort(names)
	return names
}

func (d *Dataset) merge(later Dataset) {
	d.Facets = d.Facets.merge(later.Facets)
	d.Deleted = slices.Compact(slices.Sorted(slices.Values(slices.Concat(d.Deleted, later.Deleted))))
	d.RoleFacets = d.RoleFacets.merge(later.RoleFacets)
}

func (f Facets) merge(later Facets) Facets {
	if f == nil {
		return later
	}
	maps.Copy(f, later)
	return f
}

// readFacets keeps facets verbatim. What is no object costs that facet and a warning.
func (r *eventReader) readFacets(value jsontext.Value, path string) Facets {
	if len(value) == 0 {
		return nil
	}
	members, err := decodeObject(value)
	if err != nil {
		r.warn("malformed_facet", path, "is %s where a JSON object is expected; it was left out", kindName(value.Kind()))
		return nil
	}
	for _, name := range slices.Sorted(maps.Keys(members)) { // warnings are stored: their order must not change
		if kind := members[name].Kind(); kind != jsontext.KindBeginObject {
			r.warn("malformed_facet", path+"."+name, "is %s where a JSON object is expected; it was left out", kindName(kind))
			delete(members, name)
		}
	}
	return members
}
