package stack

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
)

// cluster is an initialised data directory.
type cluster struct {
	dir      string // absolute; holds data/, password and the log
	account  *account
	password string
}

// prepareCluster creates what is missing in dir. It leaves no half-made cluster behind when it is interrupted.
func prepareCluster(ctx context.Context, bin, dir string) (*cluster, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	c := &cluster{dir: dir}
	if c.account, err = unprivileged(dir); err != nil {
		return nil, err
	}
	if err := c.account.own(dir); err != nil {
		return nil, err
	}
	password, err := os.ReadFile(c.passwordFile())
	if errors.Is(err, fs.ErrNotExist) {
		return c, c.initialise(ctx, bin)
	}
	c.password = strings.TrimSpace(string(password))
	return c, err
}

func (c *cluster) dataDir() string      { return filepath.Join(c.dir, "data") }
func (c *cluster) passwordFile() string { return filepath.Join(c.dir, "password") }

// initialise makes the cluster. The password file gets its name last, as the mark that all is done.
func (c *cluster) initialise(ctx context.Context, bin string) error {
	if err := os.RemoveAll(c.dataDir()); err != nil {
		return err
	}
	c.password = rand.Text()
	draft := c.passwordFile() + ".new"
	if err := os.WriteFile(draft, []byte(c.password+"\n"), 0o600); err != nil {
		return err
	}
	if err := c.account.own(draft); err != nil {
		return err
	}
	initdb := exec.CommandContext(ctx, filepath.Join(bin, "initdb"),
		"--pgdata", c.dataDir(), "--username", superuser, "--pwfile", draft, "--auth", "scram-sha-256",
		"--encoding", "UTF8", "--locale", "C", "--no-sync", "--no-instructions")
	initdb.SysProcAttr = &syscall.SysProcAttr{}
	c.account.apply(initdb.SysProcAttr)
	if output, err := initdb.CombinedOutput(); err != nil {
		return fmt.Errorf("initdb: %w\n%s", err, output)
	}
	return os.Rename(draft, c.passwordFile())
}

func (c *cluster) serverArgs(port int, volatile bool) []string {
	settings := []string{
		"listen_addresses=" + loopback,
		"port=" + strconv.Itoa(port),
		"unix_socket_directories=",
		"max_connections=200",
		"shared_buffers=512MB", // taken as it fills; the default of 128MB is less than the graph of a mid-sized company
		"timezone=UTC",
	}
	if volatile {
		settings = append(settings, "fsync=off", "synchronous_commit=off", "full_page_writes=off",
			"max_connections=1000") // of tests that run side by side, as many as there are processors
	}
	args := []string{"-D", c.dataDir()}
	for _, setting := range settings {
		args = append(args, "-c", setting)
	}
	return args
}

// findPostgreSQL returns the directory that holds postgres and initdb.
func findPostgreSQL() (string, error) {
	if path, err := exec.LookPath("initdb"); err == nil {
		if path, err = filepath.EvalSymlinks(path); err == nil {
			return filepath.Dir(path), nil
		}
	}
	var newest string
	var newestVersion float64
	dirs, _ := filepath.Glob("/usr/lib/postgresql/*/bin") // the pattern is valid
	for _, dir := range dirs {
		version, err := strconv.ParseFloat(filepath.Base(filepath.Dir(dir)), 64)
		if _, statErr := os.Stat(filepath.Join(dir, "initdb")); err == nil && statErr == nil && version > newestVersion {
			newest, newestVersion = dir, version
		}
	}
	if newest == "" {
		return "", errors.New("no server binaries on PATH or in /usr/lib/postgresql/*/bin: " +
			"install PostgreSQL 15 or newer, for example with `apt-get install postgresql` or `brew install postgresql`")
	}
	return newest, nil
}
