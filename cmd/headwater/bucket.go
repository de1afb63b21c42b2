package main

import (
	"fmt"
	"log/slog"
	"strings"

	"github.com/headwater-data/headwater/archive"
)

// bucketFlags say where the archive is. The worker writes it and creates the bucket; the gateway only reads it.
type bucketFlags struct {
	S3Endpoint  string `name:"s3-endpoint" placeholder:"URL" help:"Base URL of the S3 server that has the archive, such as https://s3.eu-central-1.amazonaws.com."`
	S3Region    string `name:"s3-region" placeholder:"NAME" help:"Region of the bucket, for servers that have regions."`
	S3Bucket    string `name:"s3-bucket" placeholder:"NAME" help:"Bucket of the archive. The worker creates it, with object lock, if it is missing."`
	S3AccessKey string `name:"s3-access-key" placeholder:"KEY" help:"Access key of the S3 server."`
	S3SecretKey string `name:"s3-secret-key" placeholder:"SECRET" help:"Its secret. Put it into the environment or the file: other users of a machine can read command lines."`
}

// required refuses a bucket that is not given whole.
func (f bucketFlags) required() error {
	var missing []string
	for _, flag := range [][2]string{
		{"--s3-endpoint", f.S3Endpoint}, {"--s3-bucket", f.S3Bucket}, {"--s3-access-key", f.S3AccessKey}, {"--s3-secret-key", f.S3SecretKey},
	} {
		if flag[1] == "" {
			missing = append(missing, flag[0])
		}
	}
	if len(missing) == 0 {
		return nil
	}
	return fmt.Errorf("missing flags: %s, which say where the archive is", strings.Join(missing, ", "))
}

// optional refuses a bucket that is given in part. Credentials alone are no bucket: they may stand in an environment that a
// gateway shares with a worker.
func (f bucketFlags) optional() error {
	if !f.given() {
		return nil
	}
	return f.required()
}

// given reports whether the flags name an archive.
func (f bucketFlags) given() bool { return f.S3Endpoint != "" || f.S3Bucket != "" }

func (f bucketFlags) config(logger *slog.Logger) archive.Config {
	return archive.Config{
		Endpoint: f.S3Endpoint, Region: f.S3Region, Bucket: f.S3Bucket, AccessKey: f.S3AccessKey, SecretKey: f.S3SecretKey, Logger: logger,
	}
}
