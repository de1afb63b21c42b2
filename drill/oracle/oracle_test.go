package oracle_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/headwater-data/headwater/drill/oracle"
)

// said is what was said at a second of the morning, and received a second after what was received before.
type said struct {
	word   oracle.Word
	second int
}

func TestWhatIsSaidImpliesAFate(t *testing.T) {
	quality, both := []string{"quality"}, []string{"commit", "quality"}
	for name, c := range map[string]struct {
		run     oracle.Run
		said    []said
		implied string
	}{
		"under way":                       {oracle.Run{}, []said{{oracle.Running, 1}, {oracle.Start, 0}}, "RUNNING pending"},
		"streaming":                       {oracle.Run{Streaming: true}, []said{{oracle.Running, 1}}, "RUNNING published"},
		"the end stands":                  {oracle.Run{}, []said{{oracle.Complete, 2}, {oracle.Start, 3}, {oracle.Other, 4}}, "COMPLETED published"},
		"the later end holds":             {oracle.Run{}, []said{{oracle.Fail, 3}, {oracle.Complete, 2}}, "FAILED diagnostic disputed"},
		"a failure beats a completion":    {oracle.Run{}, []said{{oracle.Fail, 2}, {oracle.Complete, 2}}, "FAILED diagnostic disputed"},
		"an abort beats a completion":     {oracle.Run{}, []said{{oracle.Abort, 2}, {oracle.Complete, 2}}, "ABORTED diagnostic disputed"},
		"a failure beats an abort":        {oracle.Run{}, []said{{oracle.Fail, 2}, {oracle.Abort, 2}}, "FAILED diagnostic disputed"},
		"far ahead, the later one holds":  {oracle.Run{}, []said{{oracle.Fail, 9_000_000}, {oracle.Complete, 8_000_000}}, "COMPLETED published disputed"},
		"a clock ahead blocks no failure": {oracle.Run{}, []said{{oracle.Complete, 9_000_000}, {oracle.Fail, 303}}, "FAILED diagnostic disputed"},

		"nobody has answered":            {oracle.Run{Gates: both}, []said{{oracle.Complete, 2}, {oracle.Committed, 3}}, "COMPLETED pending"},
		"all have answered":              {oracle.Run{Gates: both}, []said{{oracle.Passed, 1}, {oracle.Complete, 2}, {oracle.Committed, 3}}, "COMPLETED published"},
		"time is up":                     {oracle.Run{Gates: quality, TimesOut: true, AtTimeout: "rejected"}, []said{{oracle.Complete, 2}}, "COMPLETED rejected"},
		"the awaited check failed":       {oracle.Run{Gates: quality}, []said{{oracle.Complete, 2}, {oracle.Failed, 3}}, "COMPLETED rejected"},
		"it passed before":               {oracle.Run{Gates: quality}, []said{{oracle.Complete, 2}, {oracle.Failed, 3}, {oracle.Passed, 1}}, "COMPLETED suspect"},
		"it passed in the end":           {oracle.Run{Gates: quality}, []said{{oracle.Complete, 2}, {oracle.Passed, 4}, {oracle.Failed, 3}}, "COMPLETED published"},
		"a check that nobody awaits":     {oracle.Run{}, []said{{oracle.Complete, 2}, {oracle.Failed, 3}}, "COMPLETED suspect"},
		"visible although it failed":     {oracle.Run{}, []said{{oracle.Fail, 2}, {oracle.Committed, 1}}, "FAILED suspect"},
		"and vouched for":                {oracle.Run{}, []said{{oracle.Fail, 2}, {oracle.Committed, 1}, {oracle.Validated, 5}}, "FAILED published"},
		"taken back":                     {oracle.Run{}, []said{{oracle.Complete, 2}, {oracle.RolledBack, 3}}, "COMPLETED rolled_back"},
		"taken back and committed again": {oracle.Run{}, []said{{oracle.Complete, 2}, {oracle.RolledBack, 3}, {oracle.Committed, 4}}, "COMPLETED published"},
	} {
		t.Run(name, func(t *testing.T) {
			for i, s := range c.said {
				told := oracle.Said{Word: s.word, At: morning.Add(time.Duration(s.second) * time.Second), Received: morning.Add(time.Duration(i) * time.Second)}
				if s.word == oracle.Passed || s.word == oracle.Failed {
					told.Gate = "quality"
				}
				c.run.Said = append(c.run.Said, told)
			}
			fate := c.run.Fate()
			got := fate.State + " " + fate.Publication
			if fate.Disputed {
				got += " disputed"
			}
			require.Equal(t, c.implied, got)
		})
	}
}

func TestWhatNeverCameImpliesNothing(t *testing.T) {
	run := oracle.Run{Said: []oracle.Said{{Word: oracle.Complete, At: morning}}}
	require.Equal(t, oracle.Fate{State: "UNKNOWN", Publication: "pending"}, run.Fate())
}
