package projection

import (
	"strconv"
	"strings"
)

// in puts a projection's number in the place of each {} of a query, so that `FROM write_p{}` reads its partition. A query
// of the partition is planned for that table alone, and an index answers it that does not hold projection_id.
func (id ID) in(query string) string { return strings.ReplaceAll(query, "{}", strconv.Itoa(int(id))) }
