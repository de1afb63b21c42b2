package gateway

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	headwaterv1 "github.com/headwater-data/headwater/gen/headwater/v1"
	"github.com/headwater-data/headwater/lineage"
)

// Answers convert the domain's words to the contract's by their numbers.
func TestTheContractNumbersItsWordsAsTheDomainDoes(t *testing.T) {
	t.Parallel()
	for state := lineage.RunUnknown; state <= lineage.RunAborted; state++ {
		require.Equal(t, "RUN_STATE_"+state.String(), headwaterv1.RunState(state).String())
	}
	for publication := lineage.Pending; publication <= lineage.RolledBack; publication++ {
		require.Equal(t, "PUBLICATION_"+strings.ToUpper(publication.String()), headwaterv1.Publication(publication).String())
	}
	require.Equal(t, headwaterv1.Origin_ORIGIN_DECLARED, headwaterv1.Origin(lineage.Declared))
	require.Equal(t, headwaterv1.Origin_ORIGIN_OBSERVED, headwaterv1.Origin(lineage.Observed))
	require.Equal(t, headwaterv1.Origin_ORIGIN_MANUAL, headwaterv1.Origin(lineage.Manual))
	require.Equal(t, headwaterv1.AliasSource_ALIAS_SOURCE_SYMLINK, headwaterv1.AliasSource(lineage.BySymlink))
	require.Equal(t, headwaterv1.AliasSource_ALIAS_SOURCE_RENAME, headwaterv1.AliasSource(lineage.ByRename))
	require.Equal(t, headwaterv1.AliasSource_ALIAS_SOURCE_REGISTRATION, headwaterv1.AliasSource(lineage.ByRegistration))
	require.Equal(t, headwaterv1.NodeAttribute_NODE_ATTRIBUTE_OWNERS, headwaterv1.NodeAttribute(lineage.OwnersAttribute))
	require.Equal(t, headwaterv1.NodeAttribute_NODE_ATTRIBUTE_TAGS, headwaterv1.NodeAttribute(lineage.TagsAttribute))
	require.Equal(t, headwaterv1.NodeAttribute_NODE_ATTRIBUTE_DOCUMENTATION, headwaterv1.NodeAttribute(lineage.DocumentationAttribute))
	require.Equal(t, headwaterv1.NodeAttribute_NODE_ATTRIBUTE_DATASET_TYPE, headwaterv1.NodeAttribute(lineage.TypeAttribute))
	require.Equal(t, headwaterv1.NodeAttribute_NODE_ATTRIBUTE_DESCRIPTIONS, headwaterv1.NodeAttribute(lineage.DescriptionsAttribute))
	require.Equal(t, headwaterv1.Derivation_DERIVATION_EXPLICIT_PAIR, headwaterv1.Derivation(lineage.ExplicitPair))
	require.Equal(t, headwaterv1.Derivation_DERIVATION_COLUMN_LINEAGE, headwaterv1.Derivation(lineage.ByColumnLineage))
	require.Equal(t, headwaterv1.Derivation_DERIVATION_INPUTS_OUTPUTS, headwaterv1.Derivation(lineage.InputsTimesOutputs))
}

func TestNodeIDsDependOnTheKeyAlone(t *testing.T) {
	t.Parallel()
	node := lineage.DatasetID{Namespace: "warehouse", Name: "raw.orders"}.Node()
	require.Equal(t, idKey("one").id(node), idKey("one").id(node))
	require.NotEqual(t, idKey("one").id(node), idKey("two").id(node))
	require.NotEqual(t, idKey("one").id(node), idKey("one").id(lineage.JobID{Namespace: "warehouse", Name: "raw.orders"}.Node()))
}
