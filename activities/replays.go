package activities

import (
	"context"
	"errors"
	"fmt"
	"time"

	"go.temporal.io/sdk/activity"
	"go.temporal.io/sdk/temporal"

	"github.com/headwater-data/headwater/archive"
	"github.com/headwater-data/headwater/eventlog"
	"github.com/headwater-data/headwater/lineage"
	"github.com/headwater-data/headwater/projection"
	"github.com/headwater-data/headwater/workflows/contract"
)

// Replays builds shadow projections and switches readers to them.
type Replays struct {
	Projections *projection.Store
	Log         *eventlog.Log
	Catalogue   *archive.Catalogue
	Archive     func(context.Context) (*archive.Archive, error)
}

// catchUpInterval is how often to look whether a projection has caught up with another.
const catchUpInterval = 50 * time.Millisecond

// CreateShadow makes the projection. One that an interrupted replay left half built, or waiting for approval, is taken
// over as it is; any other that has the name is an error.
func (a *Replays) CreateShadow(ctx context.Context, shadow contract.Shadow) error {
	names, err := a.nameRules(ctx, shadow)
	if err != nil {
		return err
	}
	_, err = a.Projections.Create(ctx, shadow.Name, names)
	if !errors.Is(err, projection.ErrExists) {
		return err
	}
	existing, err := a.find(ctx, shadow)
	if err != nil {
		return err
	}
	unfinished := existing.Status == projection.Building || existing.Status == projection.CatchingUp
	if !unfinished || existing.Resolver != projection.Resolver || existing.NameRules != names.Revision() {
		return refuse("projection %s exists and is %s, built by resolver %s under name rules %q; choose another name",
			existing.Name, existing.Status, existing.Resolver, existing.NameRules)
	}
	return a.Projections.SetStatus(ctx, existing.ID, projection.Building)
}

// nameRules are the rules to fold under: those that were asked for, else those of the projection that readers see.
func (a *Replays) nameRules(ctx context.Context, shadow contract.Shadow) (*lineage.NameRules, error) {
	if shadow.NameRules == "" {
		return a.Projections.ActiveNameRules(ctx)
	}
	head, err := a.Log.Head(ctx)
	if err != nil {
		return nil, err
	}
	if _, err := a.liveFrom(ctx, head.Offset); err != nil { // they may have been registered a moment ago
		return nil, err
	}
	names, err := a.Projections.RegisteredNameRules(ctx, shadow.NameRules)
	if errors.Is(err, projection.ErrNotFound) {
		return nil, refuse("no name rules of revision %s are registered; `headwater namespaces show` lists those that are", shadow.NameRules)
	}
	return names, err
}

// CatchUp lets the worker keep the shadow up to date from now on.
func (a *Replays) CatchUp(ctx context.Context, shadow contract.Shadow) error {
	found, err := a.find(ctx, shadow)
	if err != nil || found.Status != projection.Building {
		return err
	}
	return a.Projections.SetStatus(ctx, found.ID, projection.CatchingUp)
}

// SwitchReaders moves the readers to the shadow as soon as it has folded as much as the projection that they use.
func (a *Replays) SwitchReaders(ctx context.Context, shadow contract.Shadow) (contract.Switch, error) {
	next, err := a.find(ctx, shadow)
	if err != nil {
		return contract.Switch{}, err
	}
	for {
		before, err := a.Projections.Active(ctx)
		if err != nil {
			return contract.Switch{}, err
		}
		if before.ID == next.ID {
			return contract.Switch{To: next.Name}, nil
		}
		err = a.Projections.Switch(ctx, next.ID)
		if err == nil {
			return contract.Switch{From: before.Name, To: next.Name}, nil
		}
		if !errors.Is(err, projection.ErrBehind) {
			return contract.Switch{}, err
		}
		activity.RecordHeartbeat(ctx, err.Error())
		if err := pause(ctx, catchUpInterval); err != nil {
			return contract.Switch{}, err
		}
	}
}

// RetireShadow gives the shadow up. One that readers use by now, or that was never made, is left alone.
func (a *Replays) RetireShadow(ctx context.Context, shadow contract.Shadow) error {
	found, err := a.Projections.Get(ctx, shadow.Name)
	if errors.Is(err, projection.ErrNotFound) || err == nil && found.Status == projection.Active {
		return nil
	}
	if err != nil {
		return err
	}
	return a.Projections.SetStatus(ctx, found.ID, projection.Retired)
}

func (a *Replays) find(ctx context.Context, shadow contract.Shadow) (projection.Projection, error) {
	found, err := a.Projections.Get(ctx, shadow.Name)
	if errors.Is(err, projection.ErrNotFound) {
		return found, refuse("there is no projection %s", shadow.Name)
	}
	return found, err
}

// refuse is an error that no repetition helps.
func refuse(format string, args ...any) error {
	return temporal.NewNonRetryableApplicationError(fmt.Sprintf(format, args...), contract.RefusedInput, nil)
}
