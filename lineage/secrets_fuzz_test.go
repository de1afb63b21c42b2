package lineage_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/headwater-data/headwater/lineage"
)

// FuzzSecrets requires of any name that its password goes wherever it stands, once and for all, and of any text that it
// stays a text.
func FuzzSecrets(f *testing.F) {
	for _, name := range []string{
		"postgres://user:hunter2@db:5432", "s3a://AKIA:a/b@bucket", "jdbc:oracle:thin:scott/tiger@db", "x?sig=a&b=c", "://@:@/://", "password='",
		"kafka://a:1,b:2", strings.Repeat("://", 500), strings.Repeat("a:@", 500),
	} {
		f.Add(name)
	}
	f.Fuzz(func(t *testing.T, name string) {
		once := lineage.WithoutSecrets(name)
		require.Equal(t, once, lineage.WithoutSecrets(once))
		text := lineage.RedactText(name)
		if utf8.ValidString(name) {
			require.True(t, utf8.ValidString(once))
			require.True(t, utf8.ValidString(text))
		}
		if user, _, found := strings.Cut(name, ":"); found && !strings.ContainsAny(user, "/?#@") && user != "" {
			require.NotContains(t, lineage.WithoutSecrets("postgres://"+user+":hun%2Fter2@db"), "hun%2Fter2")
		}
	})
}
