-- What was known at an earlier time is found as fast as what is known now.

-- +goose Up

-- One look finds what was believed at some offset, whether or not it was corrected since. What is believed now keeps
-- indexes of its own, which corrections do not fill.
DROP INDEX write_flow_corrected_by_output;
DROP INDEX write_flow_corrected_by_content;
CREATE INDEX write_flow_recorded_by_output ON write (output_id, recorded_to, recorded_from, valid_to, valid_from)
    WHERE level = 1;
CREATE INDEX write_flow_recorded_by_content ON write (content_id, recorded_to, recorded_from, valid_to, valid_from)
    WHERE level = 1;
