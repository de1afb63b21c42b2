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

func main() {
	corpusDir := flag.String("corpus", "../shared/corpus", "directory of the corpus")
	toolsDir := flag.String("tools", ".bin", "directory of the executable temporal")
	show := flag.String("show", "", "show what the documents of one folder of the corpus give, such as synthetic/batch, and end")
	flag.Parse()
	ctx, cancel := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	ok, err := run(ctx, corpus(*corpusDir), *toolsDir, *show)
	cancel()
	if err != nil {
		fmt.Fprintln(os.Stderr, "conformance:", err)
	}
	if err != nil || !ok {
		os.Exit(1)
	}
}

// run reports whether everything that should hold now does.
func run(ctx context.Context, documents corpus, toolsDir, show string) (ok bool, err error) {
	if !documents.present() {
		fmt.Fprintf(os.Stderr, "skipped: there is no corpus of lineage documents at %s; name another place with -corpus\n", documents)
		return true, nil
	}
	services, err := startServices(ctx, toolsDir)
	if err != nil {
		return false, err
	}
	defer services.stop()
	s := &suite{sites: services, documents: documents, expectations: expectations, report: &report{out: os.Stdout, memory: watchMemory()}, patience: patience}
	if show != "" {
		return true, s.show(ctx, show)
	}
	return s.run(ctx)
}
