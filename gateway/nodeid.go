package gateway

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"

	"github.com/headwater-data/headwater/lineage"
)

// idKey is the secret behind the node ids in answers. A plain hash of a node's name would let a caller test guesses of
// names that it may not see against whatever it reads.
type idKey []byte

// id is the node's id in answers: the same in every answer under one key.
func (k idKey) id(node lineage.Node) string {
	hashed := hmac.New(sha256.New, k)
	id := node.ID()
	hashed.Write(id[:])
	return hex.EncodeToString(hashed.Sum(nil)[:16])
}
