package testenv

import (
	"context"
	"errors"
	"os"
	"path/filepath"
)

// Start starts every server in a directory of its own and returns the environment variables by which tests in other
// processes find them. Stop ends the servers and removes the directory.
func Start(ctx context.Context) (env []string, stop func(), err error) {
	dir, err := privateDir()
	if err != nil {
		return nil, nil, err
	}
	var started []process
	stop = func() {
		for _, process := range started {
			process.Stop()
		}
		_ = os.RemoveAll(dir) // what stays is removed by the next start
	}
	for name, server := range map[string]*server{"postgresql": &postgres, "s3": &s3, "temporal": &temporal} {
		process, address, startErr := server.start(ctx, filepath.Join(dir, name))
		if startErr != nil {
			err = errors.Join(err, startErr)
			continue
		}
		started = append(started, process)
		env = append(env, server.variable+"="+address)
	}
	if err != nil {
		stop()
		return nil, nil, err
	}
	return env, stop, nil
}
