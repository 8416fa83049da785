package main

import (
	"testing"
	"time"
)

func TestMoment(t *testing.T) {
	now := time.Date(2026, 3, 5, 16, 30, 0, 0, time.Local)
	tests := []struct{ text, want string }{
		{"14:00", "2026-03-05 14:00:00"},
		{"14:00:30", "2026-03-05 14:00:30"},
		{"today 09:15", "2026-03-05 09:15:00"},
		{"today", "2026-03-05 00:00:00"},
		{"yesterday", "2026-03-04 00:00:00"},
		{"yesterday 14:00", "2026-03-04 14:00:00"},
		{"2026-02-28", "2026-02-28 00:00:00"},
		{"2026-02-28 07:08", "2026-02-28 07:08:00"},
		{"2026-02-28T07:08", "2026-02-28 07:08:00"},
		{"2026-02-28 07:08:09", "2026-02-28 07:08:09"},
		{"90m", "2026-03-05 15:00:00"},
		{"2d", "2026-03-03 16:30:00"},
		{"d", ""}, {"soon", ""}, {"25:00", ""}, {"yesterday noon", ""}, {"2026-13-01", ""},
	}
	for _, tt := range tests {
		got, err := moment("--since", tt.text, now)
		if tt.want == "" {
			if err == nil {
				t.Errorf("%q is read as %s", tt.text, got)
			}
		} else if err != nil || got.Format(time.DateTime) != tt.want {
			t.Errorf("%q is %s (%v), want %s", tt.text, got.Format(time.DateTime), err, tt.want)
		}
	}
}
