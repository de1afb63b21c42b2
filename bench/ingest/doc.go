// Command ingest measures Headwater under load, from outside and as a whole: how long acknowledgement takes, how long
// until an event shows and until a run is published, what saturates and how much memory that takes. Afterwards it
// compares what was acknowledged with what the log and the run store hold.
//
// Load is open loop: every event has a moment at which it is due, and latency counts from that moment, so that a server
// that stands still is measured while it does. Only saturation is closed loop, with a fixed number of senders.
package main
