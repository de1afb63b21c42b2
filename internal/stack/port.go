package stack

import (
	"fmt"
	"math/rand/v2"
	"net"
	"strconv"
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

// FreePort returns a port that nobody listens on at the moment. It lies below those that systems give out by themselves, or a
// connection of some other process might have it by the time that it is used.
func FreePort() (port int, err error) {
	const lowest, highest, attempts = 15_000, 32_000, 100
	for range attempts {
		port = lowest + rand.IntN(highest-lowest)
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
