package stack

import (
	"fmt"
	"math/rand/v2"
	"net"
	"strconv"
	"sync/atomic"
)

// loopback is the only address that the children listen on.
const loopback = "127.0.0.1"

// CheckPort fails when something else already listens on the port of the loopback address.
func CheckPort(port int) error {
	listener, err := net.Listen("tcp", address(port))
	if err != nil {
		return fmt.Errorf("port %d on %s cannot be used: %w", port, loopback, err)
	}
	return listener.Close()
}

// The ports that FreePort takes, below those that systems give out by themselves: a connection of some other process might have
// one of these by the time that it is used.
const lowestPort, portRange = 15_000, 17_000

// Each process begins somewhere else in that range, and takes each port once.
var (
	firstPort = rand.Uint32N(portRange)
	taken     atomic.Uint32
)

// FreePort returns a port that nobody listens on at the moment, and that it has not returned before.
func FreePort() (port int, err error) {
	for range 100 {
		port = lowestPort + int((firstPort+taken.Add(1))%portRange)
		if err = CheckPort(port); err == nil {
			return port, nil
		}
	}
	return 0, fmt.Errorf("find a free port: %w", err)
}

// choosePort returns a free port for 0, and checks any other.
func choosePort(port int) (int, error) {
	if port == 0 {
		return FreePort()
	}
	return port, CheckPort(port)
}

func address(port int) string { return net.JoinHostPort(loopback, strconv.Itoa(port)) }
