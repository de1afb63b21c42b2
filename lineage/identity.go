package lineage

import "strings"

// DatasetID names a dataset: a namespace from its data source and a name within it, both as the producer wrote them but
// for credentials.
type DatasetID struct {
	Namespace string `json:"namespace"`
	Name      string `json:"name"`
}

// NewDatasetID is the dataset that a document or a caller names, by a namespace and a name WithoutSecrets.
func NewDatasetID(namespace, name string) DatasetID {
	return DatasetID{WithoutSecrets(namespace), WithoutSecrets(name)}
}

// Compare orders datasets by namespace, then name.
func (d DatasetID) Compare(other DatasetID) int {
	if c := strings.Compare(d.Namespace, other.Namespace); c != 0 {
		return c
	}
	return strings.Compare(d.Name, other.Name)
}

// Node is the dataset as a node of the graph.
func (d DatasetID) Node() Node { return Node{Kind: NodeDataset, Namespace: d.Namespace, Name: d.Name} }

// Field is a field of the dataset as a node of the graph; the empty path gives the dataset.
func (d DatasetID) Field(path FieldPath) Node {
	if path == "" {
		return d.Node()
	}
	return Node{Kind: NodeField, Namespace: d.Namespace, Name: d.Name, Path: path}
}

// JobID names a job: a namespace from its scheduler or engine and a name within it.
type JobID struct {
	Namespace string `json:"namespace"`
	Name      string `json:"name"`
}

// NewJobID is the job that a document or a caller names, by a namespace and a name WithoutSecrets.
func NewJobID(namespace, name string) JobID {
	return JobID{WithoutSecrets(namespace), WithoutSecrets(name)}
}

// Node is the job as a node of the graph.
func (j JobID) Node() Node { return Node{Kind: NodeJob, Namespace: j.Namespace, Name: j.Name} }

// Hash is the job's part in a workflow id.
func (j JobID) Hash() Hash { return HashOf("job", j.Namespace, j.Name) }

// RunKey names one execution. The job stands in it raw, so that two jobs which use one run id are two runs and no
// name rule changes a run's key.
type RunKey struct {
	Job JobID `json:"job"`
	// RunID is lower-cased: producers disagree about the case of a UUID.
	RunID string `json:"runId"`
}

// Hash is the key under which the stores keep the run.
func (k RunKey) Hash() Hash { return HashOf("run", k.Job.Namespace, k.Job.Name, k.RunID) }

// NodeKind tells what a node of the graph stands for. The numbers are stored.
type NodeKind int16

// The kinds of node.
const (
	NodeDataset NodeKind = 1
	NodeJob     NodeKind = 2
	NodeField   NodeKind = 3
)

// NodeID is the hashed identity of a node. It never leaves the system: answers carry keyed hashes of it.
type NodeID Hash

// Node is a dataset, a job or a field in the graph.
type Node struct {
	Kind NodeKind `json:"kind"`
	// Namespace and Name of a field are those of its dataset.
	Namespace string `json:"namespace"`
	Name      string `json:"name"`
	// Path is set for a field.
	Path FieldPath `json:"path,omitzero"`
}

// ID is the node's identity as the stores key it.
func (n Node) ID() NodeID {
	switch n.Kind {
	case NodeJob:
		return NodeID(HashOf("job", n.Namespace, n.Name))
	case NodeField:
		return NodeID(HashOf("field", n.Namespace, n.Name, string(n.Path)))
	default:
		return NodeID(HashOf("dataset", n.Namespace, n.Name))
	}
}

// Whole is the dataset of a field; any other node is whole.
func (n Node) Whole() Node {
	if n.Kind != NodeField {
		return n
	}
	return DatasetID{n.Namespace, n.Name}.Node()
}

// Compare orders nodes by kind, namespace, name and path.
func (n Node) Compare(other Node) int {
	if n.Kind != other.Kind {
		return int(n.Kind) - int(other.Kind)
	}
	if c := (DatasetID{n.Namespace, n.Name}).Compare(DatasetID{other.Namespace, other.Name}); c != 0 {
		return c
	}
	return strings.Compare(string(n.Path), string(other.Path))
}
