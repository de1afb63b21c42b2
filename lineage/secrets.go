package lineage

import (
	"regexp"
	"slices"
	"strings"
)

// Producers leave credentials in names (postgres://user:hunter2@db:5432) and in messages. The log and the archive keep
// what was sent; nothing that is read from them may show it, so names lose their credentials when they are read.

// redacted stands for a credential that was taken out.
const redacted = "***"

// credentialKey is a name by which a credential goes.
const credentialKey = `(?:[\w.-]*(?:password|passwd|passphrase|passcode|pwd|secret|token|signature|credential|(?:api|access|account|private|shared)[_.-]?key)[\w.-]*|sig|pass)`

// The forms in which a text has a credential: quoted, its quotes escaped or not, or bare. Each opening and closing quote is
// a group, of which redactedForm keeps those that are there.
const (
	quotedForms  = `(N?\\+")[^"]*?(\\+")|(N?\\+')[^']*?(\\+')|(N?')(?:[^'\\]|\\.|'')*(')|(N?")(?:[^"\\]|\\.|"")*(")`
	anyForm      = `(?:` + quotedForms + `|\{[^}]*\}|(\\*["']?)[^\s"'&;,\\]+)`
	redactedForm = "${1}${2}${4}${6}${8}${10}" + redacted + "${3}${5}${7}${9}"
)

var (
	// credentialParameters are credentials in the query of a URI or in a connection string, and what is passed on in such.
	credentialParameters = []*regexp.Regexp{
		regexp.MustCompile(`(?i)((?:^|[?&;#\s:]|%3B|%26|%3F)(?:` + credentialKey + `|authorization)(?:\s*=\s*|%3D))(?:'[^']*'|"[^"]*"|\{[^}]*\})?[^&;#\s]*`),
		regexp.MustCompile(`(?i)(,` + credentialKey + `\s*=\s*)[^,;&#\s]*`),
		regexp.MustCompile(`(?i)(\(` + credentialKey + `\s*=\s*)[^)]*`),
	}
	// credentialsInText are credentials as settings, code, SQL, JSON, XML, headers and commands have them.
	credentialsInText = []*regexp.Regexp{
		regexp.MustCompile(`(?i)(\b` + credentialKey + `\\*["']?\]?\s*(?:=>|:=|==|[=:]|%3D)\s*)` + anyForm),
		regexp.MustCompile(`(?i)(\b` + credentialKey + `\\*["']?(?:\s+(?:by\s+)?|\s*\(\s*))(?:` + quotedForms + `)`),
		regexp.MustCompile(`(?i)(\b` + credentialKey + `\\*["']\s*,\s*)(?:` + quotedForms + `)`),
		regexp.MustCompile(`(?i)((?:^|\s)--?` + credentialKey + `\s+)` + anyForm),
		regexp.MustCompile(`(?i)(\bidentified\s+(?:with\s+\S+\s+)?(?:by|as)\s+(?:password\s+)?|\bset\s+password\s+for\s+\S+\s*=\s*)` + anyForm),
		regexp.MustCompile(`(?i)(\bauthorization=)` + anyForm),
		regexp.MustCompile(`(?i)(<` + credentialKey + `(?:\s[^>]*)?>)[^<]+`),
	}
	// credentialName is all of a name.
	credentialName = regexp.MustCompile(`(?i)^` + credentialKey + `$`)
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
	if strings.Contains(name, "=") || strings.Contains(name, "%3") {
		for _, parameter := range credentialParameters {
			name = parameter.ReplaceAllString(name, "${1}"+redacted)
		}
	}
	if strings.Contains(name, "@") {
		name = withoutPasswords(oracleLogin.ReplaceAllString(name, "$1@"), "")
	}
	return name
}

// RedactText gives a message for people without the credentials in it. It takes out too much rather than too little.
func RedactText(text string) string {
	if !hintsAtCredential(text) {
		return text
	}
	text = withoutPasswords(oracleLogin.ReplaceAllString(text, "$1@"), " \t\r\n\"'<>")
	text = bearer.ReplaceAllString(text, "${1}"+redacted)
	for _, credential := range credentialsInText {
		text = credential.ReplaceAllString(text, redactedForm)
	}
	return text
}

// isCredential reports whether what goes by a name is a credential.
func isCredential(name string) bool { return credentialName.MatchString(name) }

// What a credential in a text has in it, in lower case: by itself, or beside one of the characters of credentialMarks.
var (
	credentialWords = []string{"identified", "bearer", "basic"}
	credentialHints = []string{"pass", "pwd", "secret", "token", "sig", "credential", "key", "authorization", "://", "jdbc:oracle"}
)

const credentialMarks = `=:'"<-%`

// hintsAtCredential reports whether it is worth the while to match a text, which costs a hundred times as much as this.
func hintsAtCredential(text string) bool {
	lowered := strings.ToLower(text)
	has := func(word string) bool { return strings.Contains(lowered, word) }
	return slices.ContainsFunc(credentialWords, has) || strings.ContainsAny(text, credentialMarks) && slices.ContainsFunc(credentialHints, has)
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
