-- Name rules: the names of nodes as people mean them, not as producers spell them.

-- +goose Up

-- The rules under which the projection folds, as the JSON of lineage.NameRuleSet; null: names as they are. They never
-- change: other rules take effect by a replay into another projection.
ALTER TABLE projection ADD COLUMN name_rules json;
ALTER TABLE projection ADD COLUMN name_rules_revision text NOT NULL DEFAULT ''; -- lineage.NameRules.Revision
