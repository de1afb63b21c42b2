// Command conformance holds Headwater against a corpus of lineage documents, through its public doors and on real
// services. It tells how many documents of each folder are accepted, whether what the synthetic cases expect holds, and
// whether the official consumer scenarios give one state in every order of arrival.
//
// What a case should give is in expect/: the answers of the doors, the runs and the graph, as text. A case begins from
// nothing each time, in a database and a Temporal namespace of its own.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"syscall"
)

// options say what to hold against what.
type options struct {
	documents corpus
	// toolsDir has the executable temporal.
	toolsDir string
	// show is a folder of which to show what it gives, and nothing else; empty for none.
	show string
	// page is the file to write what the scenarios give to; empty for none.
	page string
	// shuffles is how many random orders all documents are sent in.
	shuffles int
}

func main() {
	var o options
	flag.StringVar((*string)(&o.documents), "corpus", "../shared/corpus", "directory of the corpus")
	flag.StringVar(&o.toolsDir, "tools", ".bin", "directory of the executable temporal")
	flag.StringVar(&o.show, "show", "", "show what the documents of one folder of the corpus give, such as synthetic/batch, and end")
	flag.StringVar(&o.page, "page", "", "write the graphs of the official scenarios to a file, as Markdown")
	flag.IntVar(&o.shuffles, "shuffles", 50, "random orders to send all documents in")
	flag.Parse()
	ctx, cancel := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	ok, err := run(ctx, o)
	cancel()
	if err != nil {
		fmt.Fprintln(os.Stderr, "conformance:", err)
	}
	if err != nil || !ok {
		os.Exit(1)
	}
}

// run reports whether everything that should hold now does.
func run(ctx context.Context, o options) (ok bool, err error) {
	if !o.documents.present() {
		fmt.Fprintf(os.Stderr, "skipped: there is no corpus of lineage documents at %s; name another place with -corpus\n", o.documents)
		return true, nil
	}
	services, err := startServices(ctx, o.toolsDir)
	if err != nil {
		return false, err
	}
	defer services.stop()
	s := &suite{
		sites: services, documents: o.documents, expectations: expectations, patience: patience, shuffles: o.shuffles,
		report: &report{out: os.Stdout, memory: watchMemory()},
	}
	if o.show != "" {
		return true, s.show(ctx, o.show)
	}
	s.page.WriteString(pageTitle)
	ok, err = s.run(ctx)
	if err == nil && ok && o.page != "" {
		err = os.WriteFile(o.page, s.page.Bytes(), 0o644)
	}
	return ok, err
}
