package gateway

import (
	"encoding/json/v2"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/headwater-data/headwater/lineage"
)

// acceptedAnswer is the body of a 201.
type acceptedAnswer struct {
	EventID    string         `json:"eventId"`
	Epoch      lineage.Epoch  `json:"epoch"`
	Offset     lineage.Offset `json:"offset"`
	ReceivedAt time.Time      `json:"receivedAt"`
	Duplicate  bool           `json:"duplicate"`
}

// refusedAnswer is the body of every answer but 200 and 201.
type refusedAnswer struct {
	Code         string `json:"code"`
	Reason       string `json:"reason"`
	Path         string `json:"path,omitzero"`
	QuarantineID int64  `json:"quarantineId,omitzero"`
}

// batchAnswer is the answer of the OpenLineage API to a batch.
type batchAnswer struct {
	Status       string        `json:"status"`
	Summary      batchSummary  `json:"summary"`
	FailedEvents []failedEvent `json:"failed_events"`
}

type batchSummary struct {
	Received     int `json:"received"`
	Successful   int `json:"successful"`
	Failed       int `json:"failed"`
	Retriable    int `json:"retriable"`
	NonRetriable int `json:"non_retriable"`
}

type failedEvent struct {
	Index        int    `json:"index"`
	Reason       string `json:"reason"`
	Retriable    bool   `json:"retriable"`
	Code         string `json:"code"`
	QuarantineID int64  `json:"quarantine_id,omitzero"`
}

func answer(w http.ResponseWriter, status int, body any) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("X-Content-Type-Options", "nosniff")
	w.WriteHeader(status)
	_ = json.MarshalWrite(w, body) // a caller that left reads no answer
}

func answerRefused(w http.ResponseWriter, refused *refusal) {
	status := http.StatusBadRequest
	if refused.forbidden() {
		status = http.StatusForbidden
	}
	answer(w, status, refusedAnswer{
		Code: refused.code, Reason: refused.reason, Path: refused.path, QuarantineID: refused.quarantineID,
	})
}

// answerTooLarge answers what is over a limit. It is counted by its status and not kept.
func answerTooLarge(w http.ResponseWriter, code, format string, limit any) {
	answer(w, http.StatusRequestEntityTooLarge, refusedAnswer{Code: code, Reason: fmt.Sprintf(format, limit)})
}

// answerTurnedAway answers whom the guard did not let in.
func answerTurnedAway(w http.ResponseWriter, r *http.Request, err error) {
	forbidden, isForbidden := errors.AsType[errForbidden](err)
	noteFailure(r.Context(), err)
	switch {
	case errors.Is(err, errUnauthenticated):
		w.Header().Set("WWW-Authenticate", `Bearer realm="headwater"`)
		answer(w, http.StatusUnauthorized, refusedAnswer{Code: "unauthenticated", Reason: unauthenticatedReason})
	case isForbidden:
		answer(w, http.StatusForbidden, refusedAnswer{Code: "forbidden", Reason: forbidden.reason})
	default:
		answerUnavailable(w, r, err)
	}
}

// answerUnavailable asks the caller to send the same again later. The cause goes to the metrics and the log alone.
func answerUnavailable(w http.ResponseWriter, r *http.Request, cause error) {
	noteFailure(r.Context(), cause)
	told := overloadOf(cause)
	w.Header().Set("Retry-After", told.retryAfter)
	answer(w, told.status, refusedAnswer{Code: told.name, Reason: told.reason})
}
