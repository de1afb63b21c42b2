// Package system runs the whole of Headwater on this machine, as operators do: PostgreSQL, an S3 server, Temporal, and
// gateway and worker as processes of the real binary, all on free ports of the loopback address. Each part can be
// killed, paused and started again at its address. The end-to-end tests and the drills stand on it.
package system
