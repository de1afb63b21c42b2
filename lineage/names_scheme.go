package lineage

import (
	"regexp"
	"slices"
	"strings"
)

// namespaceScheme says how the namespaces of one scheme are spelled.
type namespaceScheme struct {
	// name is the scheme that is written.
	name string
	// port is the one that a host without a port means; empty where there is none.
	port string
	// hosts are endings of hosts that mean the same; the first is written.
	hosts []string
}

// azureHosts are the two doors of one storage account.
// Source: https://learn.microsoft.com/azure/storage/blobs/data-lake-storage-introduction-abfs-uri.
var azureHosts = []string{".dfs.core.windows.net", ".blob.core.windows.net"}

// namespaceSchemes are the schemes whose namespaces producers spell in several ways, by each way to write the scheme.
// The schemes and the ports in them are those of OpenLineage's naming conventions (https://openlineage.io/docs/spec/naming);
// the default ports are those of the products.
var namespaceSchemes = map[string]namespaceScheme{
	"s3": {name: "s3"}, "s3a": {name: "s3"}, "s3n": {name: "s3"},
	"gs": {name: "gs"}, "gcs": {name: "gs"},
	"abfss": {name: "abfss", hosts: azureHosts}, "abfs": {name: "abfss", hosts: azureHosts},
	"wasbs": {name: "abfss", hosts: azureHosts}, "wasb": {name: "abfss", hosts: azureHosts},
	"hdfs":     {name: "hdfs", port: "8020"},
	"dbfs":     {name: "dbfs"},
	"file":     {name: "file"},
	"postgres": {name: "postgres", port: "5432"}, "postgresql": {name: "postgres", port: "5432"},
	"mysql":    {name: "mysql", port: "3306"},
	"redshift": {name: "redshift", port: "5439"},
	"mssql":    {name: "mssql", port: "1433"}, "sqlserver": {name: "mssql", port: "1433"},
	"oracle":       {name: "oracle", port: "1521"},
	"snowflake":    {name: "snowflake"},
	"bigquery":     {name: "bigquery"},
	"trino":        {name: "trino", port: "8080"},
	"databricks":   {name: "databricks"},
	"unitycatalog": {name: "unitycatalog"},
	"awsathena":    {name: "awsathena"},
	"hive":         {name: "hive"}, "thrift": {name: "hive"}, // the metastore's own address is thrift://…
	"kafka":       {name: "kafka", port: "9092"},
	"azurecosmos": {name: "azurecosmos"},
	"azurekusto":  {name: "azurekusto"},
	"cassandra":   {name: "cassandra", port: "9042"},
	"crate":       {name: "crate"},
	"db2":         {name: "db2", port: "50000"},
	"oceanbase":   {name: "oceanbase", port: "2881"},
	"spanner":     {name: "spanner"},
	"teradata":    {name: "teradata", port: "1025"},
}

// laterSchemes are those of the second and further brokers of a list, where each has one.
var laterSchemes = regexp.MustCompile(`,(?:\s*[\w+.-]+://)+`)

// spelled writes a namespace as namespaces of its scheme are: scheme and hosts in lower case, the usual scheme and that alone,
// every port, no user, brokers in one order, no slash at the end. A namespace of any other scheme stays as it is.
func spelled(namespace string) string {
	scheme, rest, _ := strings.Cut(namespace, ":")
	if strings.EqualFold(scheme, "jdbc") {
		scheme, rest, _ = strings.Cut(rest, ":")
	}
	known, ok := namespaceSchemes[strings.ToLower(scheme)]
	if !ok {
		return namespace
	}
	rest = strings.TrimRight(rest, "/")
	authority, hierarchical := strings.CutPrefix(rest, "//")
	if !hierarchical {
		return known.without(rest)
	}
	authority, path, hasPath := strings.Cut(laterSchemes.ReplaceAllString(authority, ","), "/")
	var hosts []string
	for host := range strings.SplitSeq(strings.ToLower(authority), ",") {
		if host = strings.TrimSpace(known.withoutUser(host)); host != "" {
			hosts = append(hosts, known.host(host))
		}
	}
	if len(hosts) == 0 {
		return known.without(strings.TrimRight("/"+strings.TrimLeft(path, "/"), "/"))
	}
	slices.Sort(hosts)
	text := known.name + "://" + strings.Join(slices.Compact(hosts), ",")
	if hasPath {
		text += "/" + path
	}
	return text
}

// without spells a namespace that names no host: file, file:/data.
func (s namespaceScheme) without(rest string) string {
	if rest == "" {
		return s.name
	}
	return s.name + ":" + rest
}

// withoutUser leaves out who logs in. In Azure the container stands there.
func (s namespaceScheme) withoutUser(host string) string {
	if len(s.hosts) > 0 {
		return host
	}
	return host[strings.LastIndexByte(host, '@')+1:]
}

// host completes one host. A port that is no number, such as None, is none.
func (s namespaceScheme) host(host string) string {
	if s.port != "" {
		colon := strings.LastIndexByte(host, ':')
		if colon < 0 || strings.HasSuffix(host, "]") { // the colons of [::1] are not before a port
			host += ":" + s.port
		} else if strings.Trim(host[colon+1:], "0123456789") != "" || colon == len(host)-1 {
			host = host[:colon+1] + s.port
		}
	}
	for _, ending := range s.hosts {
		if name, ok := strings.CutSuffix(host, ending); ok {
			return name + s.hosts[0]
		}
	}
	return host
}
