package session

import (
	"strconv"

	"github.com/tidwall/gjson"

	"github.com/stepgate/stepgate/redact"
)

// head is what Recall needs of the newest line.
type head struct {
	seq    int64
	totals Totals
}

// readHead reads a chained line; false for any other, and for one that cannot be read. decode does more and costs more.
func readHead(raw []byte) (h head, ok bool) {
	if !gjson.ValidBytes(raw) {
		return head{}, false
	}
	v := gjson.GetManyBytes(raw, "v", "kind", "seq", "unchained", "totals")
	ok = v[0].Raw == strconv.Itoa(Version) && v[1].Str != "" && v[3].Type != gjson.True &&
		readNumber(v[2], &h.seq) && h.seq > 0 && readTotals(v[4], &h.totals)
	return h, ok
}

// readPast reads of a call's line what the history keeps, and what was done with it and which judge was asked.
func readPast(raw []byte) (p Past, did, judge string, ok bool) {
	if !gjson.ValidBytes(raw) {
		return Past{}, "", "", false
	}
	v := gjson.GetManyBytes(raw, "v", "call_id", "tool", "input", "did", "judge", "outcome")
	p = Past{CallID: v[1].Str, Tool: v[2].Str, Human: v[6].Str}
	if v[3].Exists() {
		p.Input.UnmarshalJSON([]byte(v[3].Raw)) // takes any document
	}
	return p, v[4].Str, v[5].Str, v[0].Raw == strconv.Itoa(Version)
}

// readTotals is what json.Unmarshal does for totals as append writes them; a test compares the two, field by field.
func readTotals(v gjson.Result, t *Totals) bool {
	return readObject(v, func(name string, v gjson.Result) bool {
		switch name {
		case "calls":
			return readNumber(v, &t.Calls)
		case "allowed":
			return readNumber(v, &t.Allowed)
		case "asked":
			return readNumber(v, &t.Asked)
		case "budget":
			return readNumber(v, &t.Budget)
		case "denied":
			return readNumber(v, &t.Denied)
		case "flagged":
			return readNumber(v, &t.Flagged)
		case "would_deny":
			return readNumber(v, &t.WouldDeny)
		case "skipped":
			return readNumber(v, &t.Skipped)
		case "results":
			return readNumber(v, &t.Results)
		case "errors":
			return readNumber(v, &t.Errors)
		case "failed":
			return readNumber(v, &t.Failed)
		case "failing":
			return readNumber(v, &t.Failing)
		case "in":
			return readNumber(v, &t.In)
		case "out":
			return readNumber(v, &t.Out)
		case "unlocked":
			return readNumber(v, &t.Lost)
		case "plan":
			t.Plan = new(Ref)
			return readRef(v, t.Plan)
		case "later":
			return readList(v, &t.Later, readRef)
		case "heard":
			return readString(v, &t.Heard)
		case "missed":
			return readTruth(v, &t.Missed)
		case "spent":
			return readNumber(v, &t.Spent)
		case "mode":
			return readString(v, &t.Mode)
		case "was":
			return readString(v, &t.Was)
		case "root":
			return t.Root.UnmarshalJSON([]byte(v.Raw)) == nil
		case "tags":
			return readList(v, &t.Tags, readTag)
		case "state":
			return readState(v, &t.State)
		case "unhealthy":
			return readTruth(v, &t.Unhealthy)
		case "doubt":
			return readTruth(v, &t.Doubt)
		case "open":
			return readList(v, &t.Open, readOpenAsk)
		case "pid":
			return readNumber(v, &t.PID)
		case "pid_start":
			return readNumber(v, &t.PIDStart)
		case "made_at":
			return readNumber(v, &t.MadeAt)
		case "made_bits":
			return readNumber(v, &t.MadeBits)
		case "gen":
			return readNumber(v, &t.Gen)
		}
		return true
	})
}

func readRef(v gjson.Result, r *Ref) bool {
	return readObject(v, func(name string, v gjson.Result) bool {
		switch name {
		case "at":
			return readNumber(v, &r.At)
		case "hash":
			return readString(v, &r.Hash)
		case "void":
			return readTruth(v, &r.Void)
		}
		return true
	})
}

func readOpenAsk(v gjson.Result, a *OpenAsk) bool {
	return readObject(v, func(name string, v gjson.Result) bool {
		switch name {
		case "call_id":
			return readString(v, &a.CallID)
		case "agent_id":
			return readString(v, &a.AgentID)
		case "seq":
			return readNumber(v, &a.Seq)
		}
		return true
	})
}

func readTag(v gjson.Result, t *redact.Tag) bool {
	return readObject(v, func(name string, v gjson.Result) bool {
		switch name {
		case "kind":
			return readString(v, &t.Kind)
		case "n":
			return readNumber(v, &t.N)
		case "mac":
			return readString(v, &t.MAC)
		}
		return true
	})
}

// readObject hands over the members until one cannot be read.
func readObject(v gjson.Result, member func(name string, v gjson.Result) bool) bool {
	ok := v.IsObject()
	if ok {
		v.ForEach(func(k, v gjson.Result) bool {
			ok = member(k.Str, v)
			return ok
		})
	}
	return ok
}

func readList[T any](v gjson.Result, list *[]T, each func(gjson.Result, *T) bool) bool {
	ok := v.IsArray()
	if ok {
		v.ForEach(func(_, v gjson.Result) bool {
			var e T
			ok = each(v, &e)
			*list = append(*list, e)
			return ok
		})
	}
	return ok
}

func readNumber[T int | int64](v gjson.Result, to *T) bool {
	n, err := strconv.ParseInt(v.Raw, 10, 64)
	*to = T(n)
	return err == nil && int64(*to) == n
}

func readTruth(v gjson.Result, to *bool) bool {
	*to = v.Type == gjson.True
	return v.IsBool()
}

func readString(v gjson.Result, to *string) bool {
	*to = v.Str
	return v.Type == gjson.String
}
