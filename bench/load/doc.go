// Package load puts a whole Headwater under load, from outside: it invents runs, sends their events as producers do, sees
// as a reader what came of them, and tells what that took of the processors. The benchmarks of ingestion and of the life of
// runs stand on it.
//
// Load is open loop: every event has a moment at which it is due, and latency counts from that moment, so that a server
// that stands still is measured while it does. Only saturation is closed loop, with a fixed number of senders.
package load
