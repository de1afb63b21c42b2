package lineage

import (
	"fmt"
	"slices"
)

// DeclaredSnapshot is a Snapshot.
const DeclaredSnapshot PlatformType = "DeclaredSnapshot"

// Snapshot is all that its author declares within one scope, such as a dbt project and target. It replaces the author's
// earlier snapshot of that scope as a whole, by the time for which it was made and not by arrival: what it leaves out
// ends. It touches nothing that another author declares, a run did or a person states.
type Snapshot struct {
	// Scope names what the snapshot is complete for, such as "dbt/jaffle_shop/prod".
	Scope string `json:"scope"`
	// Datasets are all that the flows name, and others that exist; each once.
	Datasets []SnapshotDataset `json:"datasets"`
	// Flows are each of a job of its own.
	Flows []SnapshotFlow `json:"flows"`
}

// SnapshotDataset is a dataset of a snapshot.
type SnapshotDataset struct {
	DatasetID
	// Fields are empty where the author does not know them.
	Fields []Field `json:"fields,omitempty"`
	Attributes
}

// SnapshotFlow says that a job makes its outputs of its inputs, and of no other ones.
type SnapshotFlow struct {
	Job        JobID  `json:"job"`
	JobVersion string `json:"jobVersion,omitzero"`
	// Inputs and Outputs are places in Datasets. A job without outputs uses its inputs by itself, as a dashboard does.
	Inputs  []int `json:"inputs,omitempty"`
	Outputs []int `json:"outputs,omitempty"`
	Attributes
}

// MaxSnapshotEntries bounds the datasets of a snapshot, its flows, and all inputs and outputs together.
const MaxSnapshotEntries = 200_000

// PlatformType implements Fact.
func (Snapshot) PlatformType() PlatformType { return DeclaredSnapshot }

func (s Snapshot) checked(limits Limits) (Fact, error) {
	if err := checkNames(limits, namedText{"fact.scope", s.Scope}); err != nil {
		return nil, err
	}
	if err := s.checkDatasets(limits); err != nil {
		return nil, err
	}
	return s, s.checkFlows(limits)
}

func (s Snapshot) checkDatasets(limits Limits) error {
	if len(s.Datasets) > MaxSnapshotEntries {
		return invalid("snapshot_too_large", "fact.datasets", "are %d, more than the limit of %d; split the scope", len(s.Datasets), MaxSnapshotEntries)
	}
	known := make(map[DatasetID]bool, len(s.Datasets))
	for i := range s.Datasets {
		dataset, path := &s.Datasets[i], fmt.Sprintf("fact.datasets[%d]", i)
		dataset.DatasetID = NewDatasetID(dataset.Namespace, dataset.Name)
		err := checkNames(limits, namedText{path + ".namespace", dataset.Namespace}, namedText{path + ".name", dataset.Name})
		switch {
		case err != nil:
			return err
		case known[dataset.DatasetID]:
			return invalid("duplicate_dataset", path, "stands before already; name each dataset once")
		case !usableFields(dataset.Fields, 1):
			return invalid("bad_fields", path+".fields", "need names without U+0000, and at most %d levels", maxFieldDepth)
		}
		known[dataset.DatasetID] = true
	}
	return nil
}

func usableFields(fields []Field, depth int) bool {
	return len(fields) == 0 || depth <= maxFieldDepth && !slices.ContainsFunc(fields, func(f Field) bool {
		return !usable(f.Name) || f.Type != storable(f.Type) || !usableFields(f.Fields, depth+1)
	})
}

func (s Snapshot) checkFlows(limits Limits) error {
	ends := 0
	known := make(map[JobID]bool, len(s.Flows))
	for i := range s.Flows {
		flow, path := &s.Flows[i], fmt.Sprintf("fact.flows[%d]", i)
		flow.Job = NewJobID(flow.Job.Namespace, flow.Job.Name)
		err := checkNames(limits, namedText{path + ".job.namespace", flow.Job.Namespace}, namedText{path + ".job.name", flow.Job.Name})
		outside := func(place int) bool { return place < 0 || place >= len(s.Datasets) }
		ends += len(flow.Inputs) + len(flow.Outputs)
		switch {
		case err != nil:
			return err
		case known[flow.Job]:
			return invalid("duplicate_job", path+".job", "has a flow before already; unite the two")
		case slices.ContainsFunc(flow.Inputs, outside) || slices.ContainsFunc(flow.Outputs, outside):
			return invalid("unknown_dataset", path, "names a place outside of datasets, which has %d", len(s.Datasets))
		case len(flow.JobVersion) > maxVersionBytes || flow.JobVersion != storable(flow.JobVersion):
			return invalid("bad_job_version", path+".jobVersion", "holds at most %d bytes and no U+0000", maxVersionBytes)
		case len(s.Flows) > MaxSnapshotEntries || ends > MaxSnapshotEntries:
			return invalid("snapshot_too_large", "fact.flows", "are more than the limit of %d, or their inputs and outputs are; split the scope", MaxSnapshotEntries)
		}
		known[flow.Job] = true
	}
	return nil
}

// SnapshotScope is what snapshots replace each other within: the author, and the scope by the author's name for it.
type SnapshotScope struct {
	Producer string
	Scope    string
}

// ID is the key under which the stores keep it, and the scope of its statements.
func (s SnapshotScope) ID() Hash { return HashOf("snapshot scope", s.Producer, s.Scope) }

// Under is the snapshot as name rules have it. Datasets that they unite stand in it more than once, with the fields of the
// first that has some.
func (s Snapshot) Under(names *NameRules) Snapshot {
	datasets := slices.Clone(s.Datasets)
	known := make(map[DatasetID]bool, len(datasets))
	for i := range datasets {
		dataset := &datasets[i]
		dataset.DatasetID = names.Dataset(dataset.DatasetID)
		if known[dataset.DatasetID] {
			dataset.Fields = nil
		}
		known[dataset.DatasetID] = known[dataset.DatasetID] || len(dataset.Fields) > 0
	}
	s.Datasets = datasets
	return s
}

// Attributes are what the snapshot says of its datasets and jobs as such. They follow the rule of all attributes: what it
// leaves out ends nothing.
func (s Snapshot) Attributes() []StatedAttribute {
	var stated []StatedAttribute
	for _, dataset := range s.Datasets {
		stated = append(stated, dataset.Attributes.of(dataset.Node())...)
	}
	for _, flow := range s.Flows {
		stated = append(stated, flow.Attributes.of(flow.Job.Node())...)
	}
	return stated
}

// Statements says what the snapshot states, in the name of its sender: of each output what feeds it, and of each dataset
// of which it knows the fields what they are. It speaks also where it names no inputs: the author knows that there are none.
func (s Snapshot) Statements(at Moment, sender Sender) []Statement {
	state := func(statement Statement) Statement {
		statement.EffectiveAt, statement.Key, statement.Until = at.EffectiveAt, at.Key, Forever
		statement.Origin, statement.Derivation, statement.Speaks = Declared, ByManifest, true
		statement.Scope = SnapshotScope{sender.Producer, s.Scope}.ID().String()
		statement.Sender = sender
		return statement
	}
	var statements []Statement
	for _, flow := range s.Flows {
		inputs := make([]Node, len(flow.Inputs))
		for i, place := range flow.Inputs {
			inputs[i] = s.Datasets[place].Node()
		}
		content := NewFlow(flow.Job, inputs)
		outputs := make([]Node, len(flow.Outputs), len(flow.Outputs)+1)
		for i, place := range flow.Outputs {
			outputs[i] = s.Datasets[place].Node()
		}
		if len(outputs) == 0 {
			outputs = append(outputs, flow.Job.Node())
		}
		for _, output := range outputs {
			statements = append(statements, state(Statement{Job: flow.Job, JobVersion: flow.JobVersion, Output: output, Content: content}))
		}
	}
	for _, dataset := range s.Datasets {
		if len(dataset.Fields) > 0 {
			statements = append(statements, state(Statement{Output: dataset.Node(), Content: NewSchema(dataset.Fields)}))
		}
	}
	return statements
}
