package work_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/batopo/batopo"
	"github.com/batopo/batopo/internal/face/server/work"
)

// kept is what a job of six equal machines leaves for other prices: its question, and a plan of eight edges beside an
// all-reduce, which has no plan.
func kept(t *testing.T) (asked json.RawMessage, plans string) {
	t.Helper()
	c, err := batopo.Equal(6)
	if err != nil {
		t.Fatal(err)
	}
	plan, err := batopo.Optimize(t.Context(), c, batopo.Options{MaxEdges: 8, Evaluations: 50})
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(plan)
	if err != nil {
		t.Fatal(err)
	}
	return json.RawMessage(`{"cluster":{"format":"batopo.cluster/v1","nodes":6,"bandwidth":9.76},"max_edges":8}`),
		fmt.Sprintf(`[{"name":"batopo, 8 edges","found":true,"plan":%s},{"name":"ring all-reduce"}]`, text)
}

// Twice the message takes twice as long, a latency counts once a round, and a computation comes on top of it.
func TestRepriceIsUnderTheLoadAskedFor(t *testing.T) {
	asked, plans := kept(t)
	price := func(r work.PriceRequest) (work.Load, work.Alternative) {
		answer, err := work.Reprice(t.Context(), asked, strings.NewReader(plans), r)
		if err != nil {
			t.Fatal(err)
		}
		allReduces := 0
		var found work.Alternative
		for _, a := range answer.Alternatives {
			if a.Found {
				found = a
			} else {
				allReduces++
			}
		}
		if !found.Recommended || allReduces == 0 || answer.Advice != nil {
			t.Errorf("%d all-reduces beside %+v", allReduces, found)
		}
		return answer.Load, found
	}
	_, now := price(work.PriceRequest{})
	message, compute, latency := 2*48.8976, 100.0, 7.0
	if load, a := price(work.PriceRequest{MessageMB: &message}); load.MessageMB != message ||
		a.CommunicationMS < 1.9999*now.CommunicationMS || a.CommunicationMS > 2.0001*now.CommunicationMS {
		t.Errorf("twice the message: %v ms, %v before", a.CommunicationMS, now.CommunicationMS)
	}
	if _, a := price(work.PriceRequest{LatencyMS: &latency}); a.CommunicationMS < now.CommunicationMS+latency-1e-9 ||
		a.CommunicationMS > now.CommunicationMS+latency+1e-9 {
		t.Errorf("with 7 ms of latency: %v ms, %v before", a.CommunicationMS, now.CommunicationMS)
	}
	if load, a := price(work.PriceRequest{ComputeMS: &compute}); load.ComputeMS == nil || *load.ComputeMS != compute ||
		a.IterationMS != compute+now.CommunicationMS {
		t.Errorf("with 100 ms of computation: %v ms an iteration", a.IterationMS)
	}
}

// What is damaged is named first where it comes first, and nothing behind it is read.
func TestRepriceOfDamagedJobs(t *testing.T) {
	asked, plans := kept(t)
	for _, tc := range []struct{ asked, plans, want string }{
		{`{"cluster":`, `[`, "unexpected end of JSON input"},
		{`{"cluster":{"format":"batopo.cluster/v1","nodes":1,"bandwidth":9.76}}`, plans, "nodes"},
		{string(asked), `[{"name":`, "unexpected EOF"},
		{string(asked), `[{"name":"x","found":true,"plan":{"nodes":6}}]`, ""},
	} {
		_, err := work.Reprice(t.Context(), json.RawMessage(tc.asked), strings.NewReader(tc.plans), work.PriceRequest{})
		if err == nil || !strings.Contains(err.Error(), tc.want) {
			t.Errorf("%.60s, %.60s: %v, want %q", tc.asked, tc.plans, err, tc.want)
		}
	}
}
