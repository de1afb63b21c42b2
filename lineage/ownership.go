package lineage

// OwnerRegistered is an Ownership.
const OwnerRegistered PlatformType = "OwnerRegistered"

// Ownership is what a person says of who owns a dataset or a job. It ranks with what facets say: the latest by event time
// holds.
type Ownership struct {
	// Dataset is set, or Job.
	Dataset DatasetID `json:"dataset,omitzero"`
	Job     JobID     `json:"job,omitzero"`
	Owners  []Owner   `json:"owners"`
}

// PlatformType implements Fact.
func (Ownership) PlatformType() PlatformType { return OwnerRegistered }

func (o Ownership) checked(limits Limits) (Fact, error) {
	if len(sortedOwners(o.Owners)) == 0 || len(o.Owners) > maxAttributes {
		return nil, invalid("bad_owners", "fact.owners", "name from 1 to %d owners, each with a name", maxAttributes)
	}
	if o.Job != (JobID{}) {
		if o.Dataset != (DatasetID{}) {
			return nil, invalid("two_subjects", "fact", "names a dataset and a job; say who owns one at a time")
		}
		o.Job = NewJobID(o.Job.Namespace, o.Job.Name)
		return o, checkNames(limits, namedText{"fact.job.namespace", o.Job.Namespace}, namedText{"fact.job.name", o.Job.Name})
	}
	o.Dataset = NewDatasetID(o.Dataset.Namespace, o.Dataset.Name)
	return o, checkNames(limits, namedText{"fact.dataset.namespace", o.Dataset.Namespace}, namedText{"fact.dataset.name", o.Dataset.Name})
}

// Attributes is what it states.
func (o Ownership) Attributes() []StatedAttribute {
	node := o.Dataset.Node()
	if o.Job != (JobID{}) {
		node = o.Job.Node()
	}
	return Attributes{Owners: o.Owners}.of(node)
}
