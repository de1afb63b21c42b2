package company

import (
	"math"
	"slices"
)

// maxInputs bounds how wide a job is.
const maxInputs = 100

// inputs are what the job reads after its content has changed that often: sorted, each once. A loader mostly reads
// what the builder of its table reads.
func (c *Company) inputs(job, changes int) []Dataset {
	owner := job
	if output := int(c.output[job]); output != sink && c.uniform(purposeOwner, job) < 0.8 {
		owner = output - c.layerBegin(1)
	}
	width := c.width(owner)
	inputs := make([]Dataset, width)
	for slot := range inputs {
		inputs[slot] = c.input(owner, slot, redraws(slot, changes, width))
	}
	slices.Sort(inputs)
	return slices.Compact(inputs)
}

// width is how many inputs a job asks for, after a Pareto distribution: three in four read one table, one in a hundred
// reads ten or more.
func (c *Company) width(owner int) int {
	u := c.uniform(purposeWidth, owner)
	return min(int(math.Pow(1-u, -0.5)), maxInputs)
}

// redraws is how often a slot was drawn again: each change takes the next slot, in turn.
func redraws(slot, changes, width int) int {
	if changes <= slot {
		return 0
	}
	return (changes-1-slot)/width + 1
}

// input draws what stands in a slot: mostly a table of the layer right below the job's output, else one of any lower
// layer. A sink reads from any layer.
func (c *Company) input(owner, slot, redraw int) Dataset {
	layer := layers
	if output := int(c.output[owner]); output != sink {
		layer = c.layerOf(output)
	}
	from := layer - 1
	if layer == layers || c.uniform(purposeInput, owner, slot, redraw, 0) < 0.3 {
		from = int(c.uniform(purposeInput, owner, slot, redraw, 1) * float64(layer))
	}
	begin, end := c.layerBegin(from), c.layerBegin(from+1)
	return Dataset(begin + c.skewed(end-begin, purposeInput, owner, slot, redraw, 2))
}
