package principal

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/headwater-data/headwater/lineage"
	"github.com/headwater-data/headwater/policy"
)

// What callers of a Store tell apart.
var (
	// ErrNotFound means that no principal with a good token fits.
	ErrNotFound = errors.New("no such principal")
	// ErrExists means that the name is taken, by a principal with a good token or by one of another kind.
	ErrExists = errors.New("the name is taken")
)

// Store keeps principals in PostgreSQL. It is safe for concurrent use.
type Store struct {
	pool *pgxpool.Pool
}

// NewStore reads and writes principals through the pool.
func NewStore(pool *pgxpool.Pool) *Store { return &Store{pool: pool} }

// A revoked name can be registered again, with a new token, so that its events keep their idempotency keys.
const addSQL = `
INSERT INTO principal (name, kind, roles, namespaces, token_sha256)
VALUES ($1, $2, $3, $4, $5)
ON CONFLICT (name) DO UPDATE
SET roles = excluded.roles, namespaces = excluded.namespaces, token_sha256 = excluded.token_sha256,
    created_at = clock_timestamp(), revoked_at = NULL
WHERE principal.revoked_at IS NOT NULL AND principal.kind = excluded.kind`

// Add registers a principal and returns its token, which cannot be had again. Its namespaces are kept without the
// secrets in them, which is how events are read. The error is ErrExists where the name is taken.
func (s *Store) Add(ctx context.Context, p policy.Principal) (Token, error) {
	token := NewToken()
	digest := token.Digest()
	tag, err := s.pool.Exec(ctx, addSQL, p.Name, p.Kind, nonNil(p.Roles), withoutSecrets(p.Namespaces), digest[:])
	switch {
	case err != nil:
		return "", fmt.Errorf("add principal %q: %w", p.Name, err)
	case tag.RowsAffected() == 0:
		return "", fmt.Errorf("add principal %q: %w", p.Name, ErrExists)
	}
	return token, nil
}

const revokeSQL = `
UPDATE principal SET revoked_at = clock_timestamp() WHERE name = $1 AND kind = $2 AND revoked_at IS NULL`

// Revoke ends a principal's token. The error is ErrNotFound where no such principal has a good one.
func (s *Store) Revoke(ctx context.Context, kind policy.PrincipalKind, name string) error {
	tag, err := s.pool.Exec(ctx, revokeSQL, name, kind)
	switch {
	case err != nil:
		return fmt.Errorf("revoke %s %q: %w", kind, name, err)
	case tag.RowsAffected() == 0:
		return fmt.Errorf("revoke %s %q: %w", kind, name, ErrNotFound)
	}
	return nil
}

const listSQL = `
SELECT name, kind, roles, namespaces, created_at, revoked_at FROM principal WHERE kind = $1 ORDER BY name`

// List gives all principals of a kind by name, revoked ones too.
func (s *Store) List(ctx context.Context, kind policy.PrincipalKind) ([]Registration, error) {
	rows, _ := s.pool.Query(ctx, listSQL, kind) // the error comes back from CollectRows
	registrations, err := pgx.CollectRows(rows, scan)
	if err != nil {
		return nil, fmt.Errorf("list %ss: %w", kind, err)
	}
	return registrations, nil
}

const byTokenSQL = `
SELECT name, kind, roles, namespaces, created_at, revoked_at FROM principal
WHERE token_sha256 = $1 AND revoked_at IS NULL`

// ByToken finds whose token it is. The error is ErrNotFound for a token that nobody has or that was revoked.
func (s *Store) ByToken(ctx context.Context, digest Digest) (policy.Principal, error) {
	rows, _ := s.pool.Query(ctx, byTokenSQL, digest[:]) // the error comes back from CollectExactlyOneRow
	registration, err := pgx.CollectExactlyOneRow(rows, scan)
	switch {
	case errors.Is(err, pgx.ErrNoRows):
		return policy.Principal{}, ErrNotFound
	case err != nil:
		return policy.Principal{}, fmt.Errorf("look up a token: %w", err)
	}
	return registration.Principal, nil
}

func scan(row pgx.CollectableRow) (Registration, error) {
	var (
		r         Registration
		revokedAt *time.Time
	)
	err := row.Scan(&r.Name, &r.Kind, &r.Roles, &r.Namespaces, &r.CreatedAt, &revokedAt)
	if revokedAt != nil {
		r.RevokedAt = *revokedAt
	}
	return r, err
}

func withoutSecrets(namespaces []string) []string {
	kept := make([]string, len(namespaces))
	for i, namespace := range namespaces {
		kept[i] = lineage.WithoutSecrets(namespace)
	}
	return kept
}

// nonNil keeps nil, which pgx writes as NULL, out of columns that have none.
func nonNil(texts []string) []string {
	if texts == nil {
		return []string{}
	}
	return texts
}
