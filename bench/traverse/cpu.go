package main

import (
	"os"
	"time"

	"github.com/headwater-data/headwater/bench/report"
)

// cpu is CPU time, by who used it.
type cpu struct{ ours, postgres time.Duration }

// cpu is what this process and PostgreSQL's sessions have used.
func (b *bench) cpu() cpu {
	return cpu{ours: report.CPU(os.Getpid()), postgres: report.ChildrenCPU(b.postgres.PID())}
}

func (c cpu) since(begun cpu) cpu { return cpu{c.ours - begun.ours, c.postgres - begun.postgres} }

func (c cpu) plus(other cpu) cpu { return cpu{c.ours + other.ours, c.postgres + other.postgres} }

// per is the share of one of count, in unit.
func (c cpu) per(count int, unit time.Duration) (ours, postgres float64) {
	total := float64(max(count, 1)) * float64(unit)
	return float64(c.ours) / total, float64(c.postgres) / total
}
