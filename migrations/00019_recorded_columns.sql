-- Column maps as they were known at an earlier time are found by one look, as flows are.

-- +goose Up

DROP INDEX write_columns_corrected_by_output;
DROP INDEX write_columns_corrected_by_content;
CREATE INDEX write_columns_recorded_by_output ON write (output_id, recorded_to, recorded_from, valid_to, valid_from)
    WHERE level = 2;
CREATE INDEX write_columns_recorded_by_content ON write (content_id, recorded_to, recorded_from, valid_to, valid_from)
    WHERE level = 2;
