-- Who may call: producers that send events and users that ask questions. Tokens are stored hashed.

-- +goose Up

CREATE TABLE principal (
    name         text        PRIMARY KEY,
    kind         text        NOT NULL CHECK (kind IN ('producer', 'user')),
    roles        text[]      NOT NULL DEFAULT '{}',
    namespaces   text[]      NOT NULL DEFAULT '{}', -- a producer's scope: exact namespaces, or prefixes ending in *
    token_sha256 bytea       NOT NULL UNIQUE,       -- tokens are 256 random bits, so a plain hash is enough
    created_at   timestamptz NOT NULL DEFAULT clock_timestamp(),
    revoked_at   timestamptz
);
