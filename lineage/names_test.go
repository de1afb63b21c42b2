package lineage_test

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/headwater-data/headwater/lineage"
)

// allPresets has a rule for every platform, as `- preset: …` gives it.
func allPresets(t testing.TB) *lineage.NameRules {
	t.Helper()
	var set lineage.NameRuleSet
	for _, preset := range lineage.NamespacePresets() {
		rule := lineage.NamespaceRule{Preset: preset}
		if preset == "delta" || preset == "iceberg" {
			rule.Namespace = "s3://" + preset
		}
		set.Namespaces = append(set.Namespaces, rule)
	}
	rules, err := lineage.NewNameRules(set)
	require.NoError(t, err)
	return rules
}

func rulesOf(t testing.TB, rules ...lineage.NamespaceRule) *lineage.NameRules {
	t.Helper()
	made, err := lineage.NewNameRules(lineage.NameRuleSet{Namespaces: rules})
	require.NoError(t, err)
	return made
}

func TestPresetsFoldWhatProducersSpellDifferently(t *testing.T) {
	rules := allPresets(t)
	for _, test := range []struct{ namespace, name, wantNamespace, wantName string }{
		{"s3://bucket", "/data/tbl", "s3://bucket", "data/tbl"},
		{"s3a://bucket", "data/tbl/", "s3://bucket", "data/tbl"},
		{"S3N://Bucket/", "//data//tbl", "s3://bucket", "data/tbl"},
		{"s3://bucket", "/data/TBL", "s3://bucket", "data/TBL"},
		{"s3://bucket", "/data/tbl/dt=2024-01-01/hr=00/", "s3://bucket", "data/tbl"},
		{"s3://bucket", "/data/tbl/part-00000-abc.snappy.parquet", "s3://bucket", "data/tbl"},
		{"s3://bucket", "/data/tbl/*", "s3://bucket", "data/tbl"},
		{"s3://bucket", "/data/tbl/*.csv", "s3://bucket", "data/tbl"},
		{"s3://bucket", "/data/tbl/_temporary/0/task_1", "s3://bucket", "data/tbl"},
		{"s3://bucket", "/data/tbl/.hive-staging_hive_2024", "s3://bucket", "data/tbl"},
		{"s3://bucket", "/data/orders.csv", "s3://bucket", "data/orders.csv"},
		{"s3://bucket", "/", "s3://bucket", "/"},
		{"s3://bucket", "/dt=2024-01-01", "s3://bucket", "dt=2024-01-01"},
		{"s3://iceberg", "db/orders/metadata/v3.metadata.json", "s3://iceberg", "db/orders"},
		{"s3://delta", "db/orders/_delta_log/00001.json", "s3://delta", "db/orders"},
		{"gcs://bucket", "/a", "gs://bucket", "a"},
		{"wasbs://c@acct.blob.core.windows.net", "/a", "abfss://c@acct.dfs.core.windows.net", "a"},
		{"abfs://c@acct.dfs.core.windows.net", "a/", "abfss://c@acct.dfs.core.windows.net", "a"},
		{"hdfs://NN:8020", "/w//t/", "hdfs://nn:8020", "/w/t"},
		{"hdfs://nn", "/w/t", "hdfs://nn:8020", "/w/t"},
		{"file", "/w/t", "file", "/w/t"},
		{"file:", "/w/t", "file", "/w/t"},
		{"file:/", "/w/t", "file", "/w/t"},
		{"file:///", "/w/t", "file", "/w/t"},
		{"file://host1", "/w/t", "file://host1", "/w/t"},
		{"postgresql://DB:5432", "Shop.Public.Orders", "postgres://db:5432", "shop.public.orders"},
		{"postgres://db:None", "shop.public.orders__dbt_tmp1718", "postgres://db:5432", "shop.public.orders"},
		{"postgres://db", "shop.public.orders__dbt_backup", "postgres://db:5432", "shop.public.orders"},
		{"postgres://[::1]", "a.b.c", "postgres://[::1]:5432", "a.b.c"},
		{"sqlserver://h:1433", "a.dbo.T", "mssql://h:1433", "a.dbo.T"},
		{"redshift://c.eu-west-1", "a.b.C", "redshift://c.eu-west-1:5439", "a.b.c"},
		{"snowflake://ORG-ACCT", "db.s.t", "snowflake://org-acct", "DB.S.T"},
		{"bigquery:", "p.d.t$20240101", "bigquery", "p.d.t"},
		{"mysql://db", "shop.Orders", "mysql://db:3306", "shop.Orders"},
		{"trino://t:8080", "hive.db.T", "trino://t:8080", "hive.db.t"},
		{"thrift://ms:9083", "db.T", "hive://ms:9083", "db.t"},
		{"unitycatalog://host", "Main.s.t", "unitycatalog://host", "main.s.t"},
		{"databricks://host", "Main.s.t", "databricks://host", "main.s.t"},
		{"arn:aws:glue:us-east-1:123456789012", "table/DB/t", "arn:aws:glue:us-east-1:123456789012", "table/db/t"},
		{"oracle://h", `orcl\.example\.com.app.orders`, "oracle://h:1521", `ORCL\.EXAMPLE\.COM.APP.ORDERS`},
		{"kafka://k2:9092,K1", "orders.v1", "kafka://k1:9092,k2:9092", "orders.v1"},
		{"kafka://k1:9092,kafka://k2:9092", "orders.v1", "kafka://k1:9092,k2:9092", "orders.v1"},
		{"kafka://k1:9092, k2:9092", "orders.v1", "kafka://k1:9092,k2:9092", "orders.v1"},
		{"postgres://ana@db:5432", "shop.public.orders", "postgres://db:5432", "shop.public.orders"},
		{"jdbc:postgresql://db", "shop.public.orders", "postgres://db:5432", "shop.public.orders"},
		{"postgres://db", `"shop"."Public".orders`, "postgres://db:5432", `shop."Public".orders`},
		{"postgres://db", `shop.public."a.b"`, "postgres://db:5432", `shop.public."a.b"`},
		{"postgres://db", `shop.public."Orders__dbt_tmp"`, "postgres://db:5432", `shop.public."Orders__dbt_tmp"`},
		{"snowflake://a", `db.s."T"`, "snowflake://a", "DB.S.T"},
		{"snowflake://a", `db.s."t"`, "snowflake://a", `DB.S."t"`},
		{"mysql://db", "shop.`Orders`", "mysql://db:3306", "shop.Orders"},
		{"mssql://h", "a.[dbo].[T]", "mssql://h:1433", "a.dbo.T"},
		{"s3://bucket", "data/part-numbers/x", "s3://bucket", "data/part-numbers/x"},
		{"s3://bucket", "data/part-r-00001.gz", "s3://bucket", "data"},
		{"arn:aws-cn:glue:cn-north-1:1", "table/DB/t", "arn:aws-cn:glue:cn-north-1:1", "table/db/t"},
		{"azurecosmos://h/dbs/shop", "colls/Orders", "azurecosmos://h/dbs/shop", "colls/Orders"},
		{"azurekusto://h.kusto.windows.net", "shop/Orders", "azurekusto://h.kusto.windows.net", "shop/Orders"},
		{"cassandra://h", "shop.Orders", "cassandra://h:9042", "shop.orders"},
		{"crate://h:5432", "a.b.C", "crate://h:5432", "a.b.c"},
		{"db2://h", "a.b.c", "db2://h:50000", "A.B.C"},
		{"oceanbase://h", "a.B", "oceanbase://h:2881", "a.B"},
		{"pubsub", "topic:shop:orders", "pubsub", "topic:shop:orders"},
		{"spanner://shop:main", "a.b.C", "spanner://shop:main", "a.b.C"},
		{"teradata://h", "a.b", "teradata://h:1025", "A.B"},
	} {
		got := rules.Resolve(lineage.DatasetID{Namespace: test.namespace, Name: test.name})
		require.Equal(t, lineage.DatasetID{Namespace: test.wantNamespace, Name: test.wantName}, got.DatasetID, "%s %s", test.namespace, test.name)
		require.Empty(t, got.Misfit, "%s %s", test.namespace, test.name)
		require.False(t, got.Provisional)
	}
}

func TestNameThatDoesNotFitIsLeftAsItCame(t *testing.T) {
	rules := allPresets(t)
	for _, test := range []struct{ namespace, name, misfit string }{
		{"postgres://db:5432", "Orders", "does not have the 3 parts of database.schema.table"},
		{"postgres://db:5432", "a.b.c.d", "does not have the 3 parts of database.schema.table"},
		{"postgres://db:5432", "a..c", "does not have the 3 parts of database.schema.table"},
		{"hdfs://nn:8020", "w/t", "is no path from the root: it does not begin with a slash"},
		{"s3://bucket", "s3://bucket/data//tbl", "has a namespace in it"},
		{"kafka://k:9092", "orders/1", "is no topic: a topic has letters, digits, dots, dashes and underscores"},
	} {
		got := rules.Resolve(lineage.DatasetID{Namespace: test.namespace, Name: test.name})
		require.Equal(t, test.name, got.Name)
		require.Equal(t, test.misfit, got.Misfit)
	}
}

func TestNamespaceThatNobodyRegisteredIsProvisional(t *testing.T) {
	raw := lineage.DatasetID{Namespace: "S3A://elsewhere/", Name: "//A//"}
	want := lineage.ResolvedName{DatasetID: raw, Environment: "default", Provisional: true}
	require.Equal(t, want, rulesOf(t, lineage.NamespaceRule{Preset: "s3", Namespace: "s3://here"}).Resolve(raw))
	require.Equal(t, want, (*lineage.NameRules)(nil).Resolve(raw))
	require.Equal(t, raw, (*lineage.NameRules)(nil).Dataset(raw))
	require.Empty(t, (*lineage.NameRules)(nil).Revision())
}

func TestExactNamespaceGoesBeforePatternsAndTheFirstPatternHolds(t *testing.T) {
	rules := rulesOf(t,
		lineage.NamespaceRule{Namespace: "postgres://test-*", Environment: "test"},
		lineage.NamespaceRule{Namespace: "postgres://*", Environment: "prod"},
		lineage.NamespaceRule{Namespace: "postgres://test-1:5432", Environment: "lab"},
	)
	for namespace, want := range map[string]string{
		"postgres://test-1": "lab", "postgres://test-2": "test", "postgres://db": "prod", "mysql://db": "default",
	} {
		require.Equal(t, want, rules.Resolve(lineage.DatasetID{Namespace: namespace, Name: "a"}).Environment, namespace)
	}
}

func TestOtherNamesOfANamespaceMeanIt(t *testing.T) {
	rules := rulesOf(t, lineage.NamespaceRule{
		Namespace: "kafka://k1:9092,k2:9092", Also: []string{"kafka://K2", "events"}, Shape: lineage.ShapeTopic,
	})
	for _, namespace := range []string{"kafka://k1:9092,k2:9092", "kafka://k2,k1", "kafka://k2:9092", "events"} {
		require.Equal(t, "kafka://k1:9092,k2:9092", rules.Dataset(lineage.DatasetID{Namespace: namespace, Name: "orders"}).Namespace)
	}
}

func TestQualifierCompletesShortNames(t *testing.T) {
	rules := rulesOf(t, lineage.NamespaceRule{Namespace: "w", Shape: "database.schema.table", Qualifier: "shop.public", Case: lineage.CaseUpper})
	for raw, want := range map[string]string{
		"orders": "SHOP.PUBLIC.ORDERS", "raw.orders": "SHOP.RAW.ORDERS", "x.raw.orders": "X.RAW.ORDERS", `a\.b`: `SHOP.PUBLIC.A\.B`,
	} {
		require.Equal(t, want, rules.Dataset(lineage.DatasetID{Namespace: "w", Name: raw}).Name)
	}
}

func TestTemporaryNamesAreOneDataset(t *testing.T) {
	tables := rulesOf(t, lineage.NamespaceRule{Namespace: "w", Shape: "schema.table", Temporary: []string{"tmp_*"}})
	require.Equal(t, "s.tmp_*", tables.Dataset(lineage.DatasetID{Namespace: "w", Name: "s.tmp_8f3a"}).Name)
	paths := rulesOf(t, lineage.NamespaceRule{Namespace: "w", Shape: lineage.ShapePath, Temporary: []string{"run-*"}, Partitions: []string{"20??-??-??"}})
	require.Equal(t, "/x/run-*/t", paths.Dataset(lineage.DatasetID{Namespace: "w", Name: "/x/run-17/t/2026-07-19/00"}).Name)
}

func TestRulesLeaveJobsAlone(t *testing.T) {
	job := lineage.JobID{Namespace: "s3a://bucket/", Name: "//load//"}.Node()
	require.Equal(t, job, allPresets(t).Node(job))
}

func TestRevisionFollowsWhatTheRulesSay(t *testing.T) {
	short := rulesOf(t, lineage.NamespaceRule{Preset: "s3"})
	again, err := lineage.NewNameRules(short.Set())
	require.NoError(t, err)
	require.Equal(t, short.Revision(), again.Revision(), "the set with presets filled in is the same set")
	require.Empty(t, short.Set().Namespaces[0].Preset)
	require.NotEqual(t, short.Revision(), rulesOf(t, lineage.NamespaceRule{Preset: "s3", Environment: "prod"}).Revision())
}

func TestWhatIsWrongWithARuleIsSaidWhereItStands(t *testing.T) {
	for want, rules := range map[string][]lineage.NamespaceRule{
		`namespaces[0].preset: there is no preset "s4"; there are abfs, `:               {{Preset: "s4"}},
		`namespaces[0].namespace: is missing`:                                           {{Preset: "delta"}},
		`namespaces[0].namespace: is spelled s3://a; write it so`:                       {{Namespace: "s3a://a/"}},
		`namespaces[0].namespace: matches nothing`:                                      {{Namespace: "s3a://*"}},
		`namespaces[1].namespace: a has a rule already`:                                 {{Namespace: "a"}, {Namespace: "a"}},
		`namespaces[0].case: "Lower" is no case rule; write preserve, lower or upper`:   {{Namespace: "a", Case: "Lower"}},
		`namespaces[0].shape: "{database}" is no shape`:                                 {{Namespace: "a", Shape: "{database}"}},
		`namespaces[0].environment: "Prod" is no word for it`:                           {{Namespace: "a", Environment: "Prod"}},
		`namespaces[0].qualifier: must have the first 2 parts of database.schema.table`: {{Namespace: "a", Shape: "database.schema.table", Qualifier: "a"}},
		`namespaces[0].qualifier: completes only names with dots`:                       {{Namespace: "a", Shape: "path", Qualifier: "a"}},
		`namespaces[0].staging: "*" matches everything or nothing`:                      {{Namespace: "a", Staging: []string{"*"}}},
		`namespaces[0].staging: "tmp" says not which dataset it belongs to`:             {{Namespace: "a", Staging: []string{"tmp"}}},
		`namespaces[0].partitions: "a/b" matches nothing`:                               {{Namespace: "a", Shape: "path", Partitions: []string{"a/b"}}},
		`namespaces[0].temporary: "tmp_*__x" is itself folded by another pattern`:       {{Namespace: "a", Staging: []string{"*__x"}, Temporary: []string{"tmp_*__x"}}},
		`namespaces[0].also[0]: a pattern is no namespace`:                              {{Namespace: "a*", Also: []string{"b"}}},
		`namespaces[0].also[0]: s3a://a means s3://a without being told; leave it out`:  {{Namespace: "s3://a", Also: []string{"s3a://a"}}},
		`namespaces[0].also[0]: b has a rule of its own; leave one of the two`:          {{Namespace: "a", Also: []string{"b"}}, {Namespace: "b"}},
		`namespaces[1].also[0]: c also means a; leave one of the two`:                   {{Namespace: "a", Also: []string{"c"}}, {Namespace: "b", Also: []string{"c"}}},
	} {
		_, err := lineage.NewNameRules(lineage.NameRuleSet{Namespaces: rules})
		require.ErrorContains(t, err, want)
		var located *lineage.NameRuleError
		require.True(t, errors.As(err, &located))
	}
	_, err := lineage.NewNameRules(lineage.NameRuleSet{Environment: "?", Namespaces: []lineage.NamespaceRule{{Preset: "s4"}}})
	require.ErrorContains(t, err, "environment: ")
	require.ErrorContains(t, err, "namespaces[0].preset: ", "all that is wrong is said at once")
}

func FuzzNameRules(f *testing.F) {
	presets := allPresets(f)
	custom := rulesOf(f,
		lineage.NamespaceRule{
			Namespace: "tables", Shape: "database.schema.table", Qualifier: "a.b", Case: lineage.CaseLower,
			Partitions: []string{"*$*"}, Staging: []string{"*__tmp*", "stg_*_x"}, Temporary: []string{"TMP_*", "?ad-*"},
		},
		lineage.NamespaceRule{
			Namespace: "paths", Shape: lineage.ShapePath, Case: lineage.CaseUpper,
			Partitions: []string{"*=*"}, Temporary: []string{"run-*", "a?b"},
		},
		lineage.NamespaceRule{Namespace: "*", Temporary: []string{"a*b"}, Staging: []string{"*_?_"}},
	)
	for _, seed := range [][2]string{
		{"s3a://Bucket//", "//a//dt=1/"},
		{"tables", "x.stg_y_x__tmp1"},
		{"paths", "/run-1/RUN-2/dt=1"},
		{"kafka://b,a:1,", "x"},
		{"file:/a/b/", "/"},
		{"postgres://[::1]:", "ŉ.ß.İ"},
		{"hdfs://:", "/\xff"},
		{"abfss://c@a.blob.core.windows.net:1", `a\.b`},
		{"tables", `"x".[Y].` + "`z__tmp`"},
		{"tables", `x."stg_a_x".""`},
		{"tables", `"x"$20240101`},
		{"jdbc:kafka://u@a,kafka://b", "x"},
	} {
		f.Add(seed[0], seed[1])
	}
	f.Fuzz(func(t *testing.T, namespace, name string) {
		raw := lineage.DatasetID{Namespace: namespace, Name: name}
		for _, rules := range []*lineage.NameRules{presets, custom, nil} {
			once := rules.Resolve(raw)
			again := rules.Resolve(once.DatasetID)
			require.Equal(t, once.DatasetID, again.DatasetID, "applying rules to what they gave changes it")
			require.Equal(t, once.Environment, again.Environment)
			if once.Misfit != "" {
				require.Equal(t, raw.Name, once.Name, "a name that does not fit was touched")
			}
			if name != "" {
				require.NotEmpty(t, once.Name)
			}
		}
	})
}

func TestRegisteredRulesStandInTheLogWithTheirPresetsFilledIn(t *testing.T) {
	rules := rulesOf(t, lineage.NamespaceRule{Preset: "s3"})
	said := lineage.Attribution{EventTime: tenOClock, By: "ana", Reason: "one name for each table"}
	payload, err := lineage.EncodeFact(lineage.NameRuleRegistration{Rules: rules.Set()}, said)
	require.NoError(t, err)
	require.Contains(t, string(payload), `"s3://*"`)
	event, err := lineage.Decode(lineage.FormatPlatform, payload, lineage.DefaultLimits())
	require.NoError(t, err)
	require.Equal(t, lineage.NameRuleRegistration{Rules: rules.Set()}, event.Fact)

	payload, err = lineage.EncodeFact(lineage.NameRuleRegistration{Rules: lineage.NameRuleSet{Namespaces: []lineage.NamespaceRule{{Preset: "s4"}}}}, said)
	require.NoError(t, err)
	_, err = lineage.Decode(lineage.FormatPlatform, payload, lineage.DefaultLimits())
	require.ErrorContains(t, err, "namespaces[0].preset")
}

func TestDismissalNamesADataset(t *testing.T) {
	said := lineage.Attribution{EventTime: tenOClock, By: "ana"}
	for name, want := range map[string]string{"orders": "", "": "fact.dataset.name"} {
		payload, err := lineage.EncodeFact(lineage.NameDismissal{Dataset: lineage.DatasetID{Namespace: "w", Name: name}}, said)
		require.NoError(t, err)
		_, err = lineage.Decode(lineage.FormatPlatform, payload, lineage.DefaultLimits())
		if want == "" {
			require.NoError(t, err)
		} else {
			require.ErrorContains(t, err, want)
		}
	}
}

func TestColumnsFollowTheCaseOfTheirPlatform(t *testing.T) {
	set := lineage.NameRuleSet{}
	for _, preset := range []string{"bigquery", "snowflake", "postgres", "mysql", "kafka"} {
		set.Namespaces = append(set.Namespaces, lineage.NamespaceRule{Preset: preset})
	}
	set.Namespaces = append(set.Namespaces, lineage.NamespaceRule{Namespace: "exact", Case: lineage.CaseLower, Columns: lineage.CasePreserve})
	rules, err := lineage.NewNameRules(set)
	require.NoError(t, err)
	for namespace, want := range map[string]lineage.NameCase{
		"bigquery": lineage.CaseLower, "snowflake://account": lineage.CaseUpper, "postgresql://db:5432": lineage.CaseLower,
		"mysql://db:3306": lineage.CaseLower, "kafka://b:9092": lineage.CasePreserve, "exact": lineage.CasePreserve, "unknown": lineage.CasePreserve,
	} {
		require.Equal(t, want, rules.Columns(namespace), namespace)
	}
	_, err = lineage.NewNameRules(lineage.NameRuleSet{Namespaces: []lineage.NamespaceRule{{Namespace: "n", Columns: "Lower"}}})
	require.ErrorContains(t, err, `namespaces[0].columns: "Lower" is no case rule`)
	var nothing *lineage.NameRules
	require.Equal(t, lineage.CasePreserve, nothing.Columns("n"))
}
