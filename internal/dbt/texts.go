package dbt

import "encoding/json/v2"

// texts are one text or several. Where one version of dbt writes a text, another writes a list.
type texts []string

// UnmarshalJSON implements json.Unmarshaler.
func (t *texts) UnmarshalJSON(value []byte) error {
	var one string
	switch err := json.Unmarshal(value, &one); {
	case err != nil:
		return json.Unmarshal(value, (*[]string)(t))
	case one == "":
		*t = nil
	default:
		*t = texts{one}
	}
	return nil
}
