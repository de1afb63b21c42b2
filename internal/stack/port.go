package stack

import (
	"fmt"
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

// FreePort returns a port that nobody listens on at the moment.
func FreePort() (int, error) {
	listener, err := net.Listen("tcp", address(0))
	if err != nil {
		return 0, fmt.Errorf("find a free port: %w", err)
	}
	port := listener.Addr().(*net.TCPAddr).Port
	return port, listener.Close()
}

// choosePort returns a free port for 0, and checks any other.
func choosePort(port int) (int, error) {
	if port == 0 {
		return FreePort()
	}
	return port, CheckPort(port)
}

func address(port int) string { return net.JoinHostPort(loopback, strconv.Itoa(port)) }
