package lineage

import (
	"cmp"
	"encoding/json/jsontext"
	"encoding/json/v2"
	"errors"
	"fmt"
)

// interned is a value as JSON in which each text of an identity stands once: a DatasetID or JobID is [namespace, name] and
// a Node [namespace, name, kind], and path where it has one, with the places of the texts in Names.
type interned struct {
	Names []string       `json:"n,omitempty"`
	Value jsontext.Value `json:"v"`
}

var errNoKind = errors.New("a node needs a kind")

func marshalInterned(value any) ([]byte, error) {
	names := nameWriter{places: map[string]uint64{}}
	encoded, err := json.Marshal(value, json.WithMarshalers(json.JoinMarshalers(
		json.MarshalToFunc(func(e *jsontext.Encoder, id DatasetID) error { return names.write(e, id.Namespace, id.Name) }),
		json.MarshalToFunc(func(e *jsontext.Encoder, id JobID) error { return names.write(e, id.Namespace, id.Name) }),
		json.MarshalToFunc(func(e *jsontext.Encoder, n Node) error {
			if n.Path == "" {
				return names.write(e, n.Namespace, n.Name, uint64(n.Kind))
			}
			return names.write(e, n.Namespace, n.Name, uint64(n.Kind), names.place(string(n.Path)))
		}),
	)))
	if err != nil {
		return nil, err
	}
	return json.Marshal(interned{names.texts, encoded})
}

func unmarshalInterned(encoded []byte, value any) error {
	var in interned
	if err := json.Unmarshal(encoded, &in); err != nil {
		return err
	}
	return json.Unmarshal(in.Value, value, json.WithUnmarshalers(json.JoinUnmarshalers(
		json.UnmarshalFromFunc(func(d *jsontext.Decoder, id *DatasetID) (err error) {
			id.Namespace, id.Name, _, err = in.read(d)
			return err
		}),
		json.UnmarshalFromFunc(func(d *jsontext.Decoder, id *JobID) (err error) {
			id.Namespace, id.Name, _, err = in.read(d)
			return err
		}),
		json.UnmarshalFromFunc(func(d *jsontext.Decoder, n *Node) error {
			var more []int
			var err error
			n.Namespace, n.Name, more, err = in.read(d)
			if err != nil || len(more) == 0 {
				return cmp.Or(err, errNoKind)
			}
			n.Kind = NodeKind(more[0])
			if len(more) > 1 {
				path, err := in.text(more[1])
				n.Path = FieldPath(path)
				return err
			}
			return nil
		}),
	)))
}

// nameWriter gives texts their places.
type nameWriter struct {
	texts  []string
	places map[string]uint64
}

func (w *nameWriter) place(text string) uint64 {
	place, known := w.places[text]
	if !known {
		place = uint64(len(w.texts))
		w.places[text] = place
		w.texts = append(w.texts, text)
	}
	return place
}

// write writes the places of a namespace and a name, and more numbers.
func (w *nameWriter) write(e *jsontext.Encoder, namespace, name string, more ...uint64) error {
	if err := e.WriteToken(jsontext.BeginArray); err != nil {
		return err
	}
	for _, number := range append([]uint64{w.place(namespace), w.place(name)}, more...) {
		if err := e.WriteToken(jsontext.Uint(number)); err != nil {
			return err
		}
	}
	return e.WriteToken(jsontext.EndArray)
}

// read is what write wrote.
func (in *interned) read(d *jsontext.Decoder) (namespace, name string, more []int, err error) {
	var numbers []int
	if err := json.UnmarshalDecode(d, &numbers); err != nil {
		return "", "", nil, err
	}
	if len(numbers) < 2 {
		return "", "", nil, fmt.Errorf("%v names no namespace and name", numbers)
	}
	if namespace, err = in.text(numbers[0]); err != nil {
		return "", "", nil, err
	}
	name, err = in.text(numbers[1])
	return namespace, name, numbers[2:], err
}

// text is the text in a place.
func (in *interned) text(place int) (string, error) {
	if place < 0 || place >= len(in.Names) {
		return "", fmt.Errorf("%d is no place among %d texts", place, len(in.Names))
	}
	return in.Names[place], nil
}
