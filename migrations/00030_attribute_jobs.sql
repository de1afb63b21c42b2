-- What is said of a node as such is read from the words: the latest that counts, of those that the caller may see. A table of what
-- holds could only tell it for callers from whom nothing is hidden.

-- +goose Up

ALTER TABLE attribute_word ADD COLUMN job_id uuid; -- the job that said it, by a run or a declaration; null: a person, or whoever described a dataset

UPDATE attribute_word w SET job_id = r.job_id
FROM run_event e JOIN run r ON r.projection_id = e.projection_id AND r.run_key = e.run_key
WHERE e.projection_id = w.projection_id AND e.log_offset = w.log_offset;

UPDATE attribute_word w SET job_id = n.node_id
FROM declaration d JOIN node n ON n.projection_id = d.projection_id AND n.kind = 2 AND n.namespace = d.job_namespace AND n.name = d.job_name
WHERE d.projection_id = w.projection_id AND d.log_offset = w.log_offset AND d.job_name <> '';

DROP TABLE node_attribute;
