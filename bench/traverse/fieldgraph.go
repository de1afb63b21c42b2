package main

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// columnsATable is how many columns each table of a fieldGraph has. Column 0 is the key by which it was joined.
const columnsATable = 50

// whole stands for all columns of a table.
const whole = -1

// fieldGraph is the columns of an invented warehouse: tables in layers, each made of two tables of the layer before. Every
// column but the key comes of a column of either, and the key of the first influences the whole.
type fieldGraph struct {
	tables  int
	sources int
	// inputs are the two tables that each is made of; readers are those that are made of it.
	inputs  [][2]int32
	readers [][]int32
}

const fieldLayers = 7

func newFieldGraph(tables int, random *rand.Rand) *fieldGraph {
	g := &fieldGraph{
		tables: tables, sources: tables / fieldLayers, inputs: make([][2]int32, tables), readers: make([][]int32, tables),
	}
	for table := g.sources; table < tables; table++ {
		layer := max(1, table*fieldLayers/tables)
		begin, end := (layer-1)*tables/fieldLayers, layer*tables/fieldLayers
		for role := range g.inputs[table] {
			skewed := random.Float64() * random.Float64() // a few tables are read by many
			input := int32(begin + int(skewed*float64(end-begin)))
			if role == 1 && input == g.inputs[table][0] {
				input = int32(begin) + (input-int32(begin)+1)%int32(end-begin)
			}
			g.inputs[table][role] = input
			g.readers[input] = append(g.readers[input], int32(table))
		}
	}
	return g
}

// fieldNode is a column of a table, or the whole of it.
type fieldNode struct {
	table  int32
	column int
}

// sourceOf is the column of an input that a column of a table comes of.
func (g *fieldGraph) sourceOf(table int32, column, role int) fieldNode {
	other := 1 + (column*(7+role)+int(table))%(columnsATable-1)
	return fieldNode{g.inputs[table][role], other}
}

// fieldEdge says that one node influences another.
type fieldEdge struct{ from, to fieldNode }

// into are the edges into a node and into what it is a part or the whole of.
func (g *fieldGraph) into(n fieldNode) []fieldEdge {
	if int(n.table) < g.sources {
		return nil
	}
	edges := []fieldEdge{{fieldNode{g.inputs[n.table][0], 0}, fieldNode{n.table, whole}}}
	for column := 1; column < columnsATable; column++ {
		if n.column == column || n.column == whole {
			for role := range g.inputs[n.table] {
				edges = append(edges, fieldEdge{g.sourceOf(n.table, column, role), fieldNode{n.table, column}})
			}
		}
	}
	return edges
}

// outOf are the edges out of a node and out of its parts.
func (g *fieldGraph) outOf(n fieldNode) []fieldEdge {
	var edges []fieldEdge
	for _, reader := range g.readers[n.table] {
		for _, edge := range g.into(fieldNode{reader, whole}) {
			if edge.from.table == n.table && (edge.from.column == n.column || n.column == whole) {
				edges = append(edges, edge)
			}
		}
	}
	return edges
}

// around walks from a node, and gives the edges of as many hops.
func (g *fieldGraph) around(start fieldNode, upstream bool, depth int) map[fieldEdge]bool {
	edges, visited := map[fieldEdge]bool{}, map[fieldNode]bool{start: true}
	frontier := []fieldNode{start}
	for range depth {
		var next []fieldNode
		for _, node := range frontier {
			found := g.outOf(node)
			if upstream {
				found = g.into(node)
			}
			for _, edge := range found {
				edges[edge] = true
				far := edge.to
				if upstream {
					far = edge.from
				}
				if !visited[far] {
					visited[far] = true
					next = append(next, far)
				}
			}
		}
		frontier = next
	}
	return edges
}

func fieldTable(table int32) string { return fmt.Sprintf("wide.table_%06d", table) }

func (n fieldNode) name() string {
	if n.column == whole {
		return fieldTable(n.table)
	}
	return fmt.Sprintf("%s.c%02d", fieldTable(n.table), n.column)
}

// document is what the run says that makes a table.
func (g *fieldGraph) document(table int32, runID, at string) []byte {
	input := func(from fieldNode, kind, subtype string) string {
		return fmt.Sprintf(`{"namespace":"%s","name":"%s","field":"c%02d","transformations":[{"type":"%s","subtype":"%s"}]}`,
			fieldNamespace, fieldTable(from.table), from.column, kind, subtype)
	}
	var fields []string
	for column := 1; column < columnsATable; column++ {
		fields = append(fields, fmt.Sprintf(`"c%02d":{"inputFields":[%s,%s]}`, column,
			input(g.sourceOf(table, column, 0), "DIRECT", "IDENTITY"), input(g.sourceOf(table, column, 1), "DIRECT", "TRANSFORMATION")))
	}
	return fmt.Appendf(nil, `{"eventType":"COMPLETE","eventTime":"%[1]s","run":{"runId":"%[2]s"},
		"job":{"namespace":"%[3]s","name":"make %[4]s"},
		"inputs":[{"namespace":"%[3]s","name":"%[5]s"},{"namespace":"%[3]s","name":"%[6]s"}],
		"outputs":[{"namespace":"%[3]s","name":"%[4]s","facets":{"columnLineage":{"fields":{%[7]s},"dataset":[%[8]s]}}}]}`,
		at, runID, fieldNamespace, fieldTable(table), fieldTable(g.inputs[table][0]), fieldTable(g.inputs[table][1]),
		strings.Join(fields, ","), input(fieldNode{g.inputs[table][0], 0}, "INDIRECT", "JOIN"))
}

// edges is how many edges between fields the graph has.
func (g *fieldGraph) edges() int64 { return int64(g.tables-g.sources) * (2*(columnsATable-1) + 1) }
