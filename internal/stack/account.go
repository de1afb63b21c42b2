package stack

import (
	"errors"
	"fmt"
	"os"
	"os/user"
	"path/filepath"
	"strconv"
	"syscall"
)

// account is an unprivileged user that a child runs as, because PostgreSQL refuses to run as root.
type account struct {
	name     string
	uid, gid int
	// searchAnywhere lets the child pass directories that are closed to its user, such as /root: the repository
	// may have been cloned there.
	searchAnywhere bool
}

// unprivileged returns the account for a child that keeps its files under dir, or nil when this process is not root.
func unprivileged(dir string) (*account, error) {
	if os.Geteuid() != 0 {
		return nil, nil
	}
	for _, name := range []string{"postgres", "nobody"} {
		found, err := user.Lookup(name)
		if err != nil {
			continue
		}
		uid, uidErr := strconv.Atoi(found.Uid)
		gid, gidErr := strconv.Atoi(found.Gid)
		if err := errors.Join(uidErr, gidErr); err != nil {
			return nil, fmt.Errorf("user %s: %w", name, err)
		}
		open, err := openToAll(filepath.Dir(dir))
		if err != nil {
			return nil, err
		}
		return &account{name: name, uid: uid, gid: gid, searchAnywhere: !open}, nil
	}
	return nil, errors.New("PostgreSQL must not run as root, and there is neither a user postgres nor a user nobody: " +
		"add one with `useradd --system postgres`, or start as another user")
}

// openToAll tells whether every user may pass dir and the directories above it.
func openToAll(dir string) (bool, error) {
	for {
		info, err := os.Stat(dir)
		if err != nil {
			return false, err
		}
		if info.Mode()&0o001 == 0 {
			return false, nil
		}
		if dir == filepath.Dir(dir) {
			return true, nil
		}
		dir = filepath.Dir(dir)
	}
}

// own gives a file or directory to the account.
func (a *account) own(path string) error {
	if a == nil {
		return nil
	}
	return os.Chown(path, a.uid, a.gid)
}

func (a *account) apply(attr *syscall.SysProcAttr) {
	if a == nil {
		return
	}
	attr.Credential = &syscall.Credential{Uid: uint32(a.uid), Gid: uint32(a.gid)}
	if a.searchAnywhere {
		passDirectories(attr)
	}
}
