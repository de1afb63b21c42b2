package lineage_test

import (
	"encoding/json/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/headwater-data/headwater/lineage"
)

func TestANameLosesItsCredentials(t *testing.T) {
	for name, want := range map[string]string{
		"postgres://user:hunter2@db:5432":                     "postgres://user@db:5432",
		"postgres://user:hunter2@db:5432/shop?sslmode=off":    "postgres://user@db:5432/shop?sslmode=off",
		"jdbc:postgresql://user:hunter2@db":                   "jdbc:postgresql://user@db",
		"postgres://user:hun@ter2@db":                         "postgres://user@db",
		"postgres://user:hun:ter2@db":                         "postgres://user@db",
		"s3a://AKIA:hunter2/x+y@bucket/path":                  "s3a://AKIA@bucket/path",
		"redis://:hunter2@cache:6379":                         "redis://cache:6379",
		"mongodb://u:hunter2@a:1,b:2/x":                       "mongodb://u@a:1,b:2/x",
		"kafka://u:hunter2@a:1,kafka://u:hunter2@b:1":         "kafka://u@a:1,kafka://u@b:1",
		"jdbc:oracle:thin:scott/hunter2@//db:1521/x":          "jdbc:oracle:thin:scott@//db:1521/x",
		"jdbc:sqlserver://db:1433;user=sa;password=hunter2;":  "jdbc:sqlserver://db:1433;user=sa;password=***;",
		"jdbc:mysql://db/shop?user=root&PASSWORD=hunter2&x=1": "jdbc:mysql://db/shop?user=root&PASSWORD=***&x=1",
		"https://blob/c?sv=1&sig=hunter2%3D&se=2":             "https://blob/c?sv=1&sig=***&se=2",
		"https://s3/b?X-Amz-Security-Token=hunter2":           "https://s3/b?X-Amz-Security-Token=***",
		"https://hook#access_token=hunter2":                   "https://hook#access_token=***",
		"host=db user=me password='hunter 2'":                 "host=db user=me password=***",
		"jdbc:teradata://h/USER=u,PASSWORD=hunter2,TMODE=x":   "jdbc:teradata://h/USER=u,PASSWORD=***,TMODE=x",
		"jdbc:mysql://(host=h)(password=hunter2)/db":          "jdbc:mysql://(host=h)(password=***)/db",
		"mssql:///?odbc_connect=UID%3Dsa%3BPWD%3Dhunter2":     "mssql:///?odbc_connect=UID%3Dsa%3BPWD%3D***",
		"https://h/x?authorization=hunter2&passcode=hunter2":  "https://h/x?authorization=***&passcode=***",
		"bigquery:credentials=hunter2":                        "bigquery:credentials=***",
		"AccountName=a;AccountKey=hunter2==;EndpointSuffix=x": "AccountName=a;AccountKey=***;EndpointSuffix=x",
	} {
		got := lineage.WithoutSecrets(name)
		require.Equal(t, want, got)
		require.Equal(t, got, lineage.WithoutSecrets(got), "a second look changes nothing")
		require.NotContains(t, lineage.RedactText("cannot reach "+name+" now"), "hunter2")
	}
}

func TestANameWithoutCredentialsStaysAsItIs(t *testing.T) {
	for _, name := range []string{
		"", ".", "wasbs://c@acct.blob.core.windows.net", "kafka://k1:9092,k2:9092", "hdfs://nn:8020/a@b", "file:///a:b/c@d",
		"postgres://db:None", "a.b.c?x=1#frag", "arn:aws:glue:us-east-1:123456789012", "semi;drop table x;--", "me@example.com",
		"/data/t/token_date=2024-01-01/secrets", "user:name@host", "s3://bucket/x?versionId=1", "a\x01b\n=\u202e", "kafka://a:1,b:2/t@1",
	} {
		require.Equal(t, name, lineage.WithoutSecrets(name))
	}
}

func TestAMessageLosesItsCredentials(t *testing.T) {
	for text, want := range map[string]string{
		"FATAL: CREATE USER x PASSWORD 'hunter2'":     "FATAL: CREATE USER x PASSWORD '***'",
		"ALTER USER x IDENTIFIED BY PASSWORD 'h2'":    "ALTER USER x IDENTIFIED BY PASSWORD '***'",
		`{"password": "hunter2", "user": "me"}`:       `{"password": "***", "user": "me"}`,
		`sasl.jaas.config=x password=\"hunter2\";`:    `sasl.jaas.config=x password=\"***\";`,
		"spark.hadoop.fs.s3a.secret.key=hunter2":      "spark.hadoop.fs.s3a.secret.key=***",
		"API_TOKEN: hunter2":                          "API_TOKEN: ***",
		"CREATE USER x IDENTIFIED BY hunter2":         "CREATE USER x IDENTIFIED BY ***",
		"ALTER USER x IDENTIFIED BY 'hunter2'":        "ALTER USER x IDENTIFIED BY '***'",
		"SET PASSWORD FOR x = PASSWORD('hunter2')":    "SET PASSWORD FOR x = ***'***')",
		"CREATE LOGIN x WITH PASSWORD = N'hunter2'":   "CREATE LOGIN x WITH PASSWORD = N'***'",
		"password='it''s; a hunter2'":                 "password='***'",
		`password="a \" hunter2", user="b"`:           `password="***", user="b"`,
		`{\"password\":\"a hunter2\",\"user\":\"b\"}`: `{\"password\":\"***\",\"user\":\"b\"}`,
		"options('password' => 'hunter2')":            "options('password' => '***')",
		"os.environ['API_TOKEN'] = 'hunter2'":         "os.environ['API_TOKEN'] = '***'",
		`password := "hunter2"`:                       `password := "***"`,
		"('password', 'hunter2')":                     "('password', '***')",
		"connect --password hunter2 --host db":        "connect --password *** --host db",
		"<password>hunter2</password>":                "<password>***</password>",
		"PWD={a;hunter2};UID=x":                       "PWD=***;UID=x",
		"token: Bearer hunter2hunter2":                "token: *** ***",
		"401 for Authorization: Bearer hunter2hunter": "401 for Authorization: Bearer ***",
		"cannot open postgres://u:hunter2@db, a@b":    "cannot open postgres://u@db, a@b",
		"see http://h:80/x and write to a@b":          "see http://h:80/x and write to a@b",
		"the table orders was not found":              "the table orders was not found",
	} {
		require.Equal(t, want, lineage.RedactText(text))
	}
}

func TestNoNameOfADocumentKeepsAPassword(t *testing.T) {
	const secret = `"namespace": "postgres://user:hunter2@db:5432", "name": "a.b?password=hunter2"`
	document := `{"eventType": "FAIL", "eventTime": "2024-06-01T10:00:00Z",
		"run": {"runId": "21a6d3d3-dee8-5140-872a-a8d27bd63947", "facets": {
			"parent": {"run": {"runId": "r"}, "job": {` + secret + `}},
			"errorMessage": {"message": "no route to postgres://user:hunter2@db:5432"}}},
		"job": {` + secret + `, "facets": {
			"sourceCodeLocation": {"version": "https://user:hunter2@git/v1"},
			"lineage": {"entries": [{` + secret + `, "type": "DATASET", "inputs": [{` + secret + `, "type": "JOB"}],
				"fields": {"x": {"inputs": [{` + secret + `}]}}}]}}},
		"inputs": [{` + secret + `}],
		"outputs": [{` + secret + `, "facets": {"columnLineage": {"fields": {"x": {"inputFields": [{` + secret + `}]}}}}}]}`
	event := decode(t, []byte(document))
	require.Equal(t, lineage.JobID{Namespace: "postgres://user@db:5432", Name: "a.b?password=***"}, event.Job)
	require.Equal(t, event.Job, event.Run.Job)
	contribution, warnings := lineage.NewContribution(event, arrivalOf(t, []byte(document), "1"))
	run := &lineage.Run{Key: event.Run}
	run.Add(contribution)
	kept, err := json.Marshal(run)
	require.NoError(t, err)
	require.Contains(t, string(kept), "postgres://user@db:5432")
	require.NotContains(t, string(kept), "hunter2")
	require.Empty(t, warnings)
}

func TestAReasonQuotesNoCredentials(t *testing.T) {
	for _, text := range []string{"postgres://u:hunter2@db", "password=hunter2"} {
		_, err := lineage.Decode(lineage.FormatOpenLineage,
			[]byte(`{"eventTime": "`+text+`", "run": {"runId": "1"}, "job": {"namespace": "n", "name": "j"}}`), lineage.DefaultLimits())
		require.Error(t, err)
		require.NotContains(t, err.Error(), "hunter2")
		event := decode(t, []byte(`{"eventTime": "2024-06-01T10:00Z", "eventType": "`+text+`", "run": {"runId": "`+text+`"}, "job": {"namespace": "n", "name": "j"}}`))
		require.Len(t, event.Warnings, 2)
		for _, warning := range event.Warnings {
			require.NotContains(t, warning.Reason, "hunter2")
		}
	}
}

func TestSecretsOfAnyNameAreTakenOutOnce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		parts := rapid.SliceOf(rapid.SampledFrom([]string{
			"://", "@", ":", "/", "?", "&", ";", "=", "password", "sig", "token", "a", "1", "'", "\"", "{", "}", " ", "é", "jdbc:oracle:thin:", "#", ",", "(", ")", "%3D", "%3B",
		})).Draw(t, "parts")
		once := lineage.WithoutSecrets(strings.Join(parts, ""))
		require.Equal(t, once, lineage.WithoutSecrets(once))
	})
}
