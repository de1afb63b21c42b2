package lineage

import (
	"encoding/json/jsontext"
	"encoding/json/v2"
	"fmt"
)

// interned is a value as JSON in which each text of an identity stands once: a DatasetID or JobID is [namespace, name] and
// a Node [kind, namespace, name], with the places of namespace and name in Names.
type interned struct {
	Names []string       `json:"n,omitempty"`
	Value jsontext.Value `json:"v"`
}

func marshalInterned(value any) ([]byte, error) {
	names := nameWriter{places: map[string]uint64{}}
	encoded, err := json.Marshal(value, json.WithMarshalers(json.JoinMarshalers(
		json.MarshalToFunc(func(e *jsontext.Encoder, id DatasetID) error { return names.write(e, id.Namespace, id.Name) }),
		json.MarshalToFunc(func(e *jsontext.Encoder, id JobID) error { return names.write(e, id.Namespace, id.Name) }),
		json.MarshalToFunc(func(e *jsontext.Encoder, n Node) error { return names.write(e, n.Namespace, n.Name, uint64(n.Kind)) }),
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
			id.Namespace, id.Name, _, err = in.read(d, false)
			return err
		}),
		json.UnmarshalFromFunc(func(d *jsontext.Decoder, id *JobID) (err error) {
			id.Namespace, id.Name, _, err = in.read(d, false)
			return err
		}),
		json.UnmarshalFromFunc(func(d *jsontext.Decoder, n *Node) (err error) {
			n.Namespace, n.Name, n.Kind, err = in.read(d, true)
			return err
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

func (w *nameWriter) write(e *jsontext.Encoder, namespace, name string, kind ...uint64) error {
	if err := e.WriteToken(jsontext.BeginArray); err != nil {
		return err
	}
	for _, number := range append(kind, w.place(namespace), w.place(name)) {
		if err := e.WriteToken(jsontext.Uint(number)); err != nil {
			return err
		}
	}
	return e.WriteToken(jsontext.EndArray)
}

// read is what write wrote.
func (in *interned) read(d *jsontext.Decoder, hasKind bool) (namespace, name string, kind NodeKind, err error) {
	var numbers []int
	if err := json.UnmarshalDecode(d, &numbers); err != nil {
		return "", "", 0, err
	}
	if hasKind && len(numbers) > 0 {
		kind, numbers = NodeKind(numbers[0]), numbers[1:]
	}
	if len(numbers) != 2 || max(numbers[0], numbers[1]) >= len(in.Names) || min(numbers[0], numbers[1]) < 0 {
		return "", "", 0, fmt.Errorf("%v are not the places of a namespace and a name among %d texts", numbers, len(in.Names))
	}
	return in.Names[numbers[0]], in.Names[numbers[1]], kind, nil
}
