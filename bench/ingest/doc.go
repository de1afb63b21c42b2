// Command ingest measures Headwater under load, from outside and as a whole: how long acknowledgement takes, how long
// until an event shows and until a run is published, what saturates and how much memory that takes. Afterwards it
// compares what was acknowledged with what the log and the run store hold.
package main
