package company

import "fmt"

// Company is an invented company. It never changes and is safe for concurrent use.
type Company struct {
	seed uint64
	size Size
	// output is the dataset that each job writes, or sink.
	output []int32
	// base is the period in which the average job runs once.
	base float64
}

// Dataset numbers the datasets of a company, from 0.
type Dataset int32

// Job numbers the jobs of a company, from 0.
type Job int32

// layers is how many times data is refined on its way from the sources to the reports.
const layers = 7

// sink stands for the output of a job that writes nothing that is tracked: a dashboard, an export, a check.
const sink = -1

// New invents a company. Every dataset beyond the first layer has a job that builds it; of the other jobs, three in
// ten are further loaders of such a dataset and the rest are sinks.
func New(seed uint64, size Size) (*Company, error) {
	if err := size.check(); err != nil {
		return nil, err
	}
	c := &Company{seed: seed, size: size, output: make([]int32, size.Jobs)}
	sources := c.layerBegin(1)
	builders := size.Datasets - sources
	for job := range c.output {
		switch {
		case job < builders:
			c.output[job] = int32(sources + job)
		case c.uniform(purposeLoader, job, 0) < 0.3:
			c.output[job] = int32(sources + int(c.uniform(purposeLoader, job, 1)*float64(builders)))
		default:
			c.output[job] = sink
		}
	}
	c.base = c.averagePeriod()
	return c, nil
}

// Size is how large the company is.
func (c *Company) Size() Size { return c.size }

// layerBegin is the first dataset of a layer.
func (c *Company) layerBegin(layer int) int { return layer * c.size.Datasets / layers }

func (c *Company) layerOf(dataset int) int {
	layer := dataset * layers / c.size.Datasets
	for layer+1 < layers && c.layerBegin(layer+1) <= dataset {
		layer++
	}
	return layer
}

// Node is a dataset, or a job that a path ends in.
type Node struct {
	// Sink tells a job from a dataset.
	Sink   bool
	Number int32
}

// Namespace and name of every node, as producers write them.
const (
	DatasetNamespace = "warehouse"
	JobNamespace     = "scheduler"
)

var layerNames = [layers]string{"raw", "staging", "clean", "core", "mart", "report", "share"}

// Name is the node's name within its namespace.
func (c *Company) Name(n Node) string {
	if n.Sink {
		return c.JobName(Job(n.Number))
	}
	return fmt.Sprintf("%s.table_%05d", layerNames[c.layerOf(int(n.Number))], n.Number)
}

// JobName is the job's name within JobNamespace.
func (c *Company) JobName(job Job) string { return fmt.Sprintf("job_%06d", job) }

// Output is what the job writes; a sink is its own output.
func (c *Company) Output(job Job) Node {
	if c.output[job] == sink {
		return Node{Sink: true, Number: int32(job)}
	}
	return Node{Number: c.output[job]}
}
