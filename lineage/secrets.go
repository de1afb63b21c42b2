package lineage

import (
	"regexp"
	"strings"
)

// Producers leave credentials in names (postgres://user:hunter2@db:5432) and in messages. The log and the archive keep
// what was sent; nothing that is read from them may show it, so names lose their credentials when they are read.

// redacted stands for a credential that was taken out.
const redacted = "***"

// credentialKey is a name by which a credential goes.
const credentialKey = `(?:[\w.-]*(?:password|passwd|passphrase|pwd|secret|token|signature|credential|(?:api|access|account|private|shared)[_.-]?key)[\w.-]*|sig|pass)`

var (
	// credentialParameter is a credential in the query of a URI or in a connection string.
	credentialParameter = regexp.MustCompile(`(?i)((?:^|[?&;#\s])` + credentialKey + `\s*=\s*)(?:'[^']*'|"[^"]*"|\{[^}]*\})?[^&;#\s]*`)
	// credentialInText is a credential after its key, as settings, SQL, JSON and headers have it.
	credentialInText = regexp.MustCompile(`(?i)(\b` + credentialKey + `\\?["']?(?:\s*[=:]\s*|\s+(?:by\s+)?\\?["']))(\\?["'])?[^\s"'&;,\\]+`)
	// bearer is the credential of an Authorization header.
	bearer = regexp.MustCompile(`(?i)\b((?:bearer|basic)\s+)[\w.~+/=-]{8,}`)
	// oracleLogin is the one URL of a database that has its login elsewhere: jdbc:oracle:thin:scott/tiger@host.
	oracleLogin = regexp.MustCompile(`(?i)(jdbc:oracle:\w+:[^:/@]+)/[^@]*@`)
	// ports is what follows the host of an authority where no password does; a list of brokers has more of them.
	ports = regexp.MustCompile(`^\d{0,5}(?:,.*)?$`)
)

// WithoutSecrets gives a namespace or a name without the credentials in it: the password of a URI's authority is
// dropped, and the value of a parameter whose key looks like that of a credential becomes ***. Other names stay as they are.
func WithoutSecrets(name string) string {
	if strings.Contains(name, "=") {
		name = credentialParameter.ReplaceAllString(name, "${1}"+redacted)
	}
	if strings.Contains(name, "@") {
		name = withoutPasswords(oracleLogin.ReplaceAllString(name, "$1@"), "")
	}
	return name
}

// RedactText gives a message for people without the credentials in it. It takes out too much rather than too little.
func RedactText(text string) string {
	text = withoutPasswords(oracleLogin.ReplaceAllString(text, "$1@"), " \t\r\n\"'<>")
	text = credentialInText.ReplaceAllString(text, "${1}${2}"+redacted)
	return bearer.ReplaceAllString(text, "${1}"+redacted)
}

// withoutPasswords drops the password of each URI's authority. A URI ends at one of the characters of ends, and before
// the next one's ://.
func withoutPasswords(text, ends string) string {
	parts := strings.Split(text, "://")
	for i, part := range parts[1:] {
		uri := head(part, ends)
		parts[i+1] = withoutPassword(uri) + part[len(uri):]
	}
	return strings.Join(parts, "://")
}

// withoutPassword drops the password of a URI that begins with its authority.
func withoutPassword(uri string) string {
	authority := head(uri, "/?#")
	at := strings.LastIndexByte(authority, '@')
	if at < 0 {
		// A slash belongs escaped into a password, and often is not: the keys of S3 are full of them.
		_, port, colon := strings.Cut(authority, ":")
		if at = strings.IndexByte(uri, '@'); at < 0 || !colon || ports.MatchString(port) {
			return uri
		}
		at += 1 + strings.LastIndexByte(head(uri[at+1:], "/?#"), '@')
	}
	user, _, _ := strings.Cut(uri[:at], ":")
	if user == "" {
		return withoutPassword(uri[at+1:])
	}
	return user + uri[at:]
}

// head is a text up to the first of the characters of ends.
func head(text, ends string) string {
	if i := strings.IndexAny(text, ends); i >= 0 {
		return text[:i]
	}
	return text
}
