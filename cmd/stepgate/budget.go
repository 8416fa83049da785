package main

import (
	"encoding/json"
	"fmt"

	"github.com/stepgate/stepgate/hook/session"
	"github.com/stepgate/stepgate/policy"
)

type budgetCmd struct {
	Show  budgetShowCmd  `cmd:"" default:"withargs" help:"Show what is used up."`
	Reset budgetResetCmd `cmd:"" help:"Begin to count anew."`
}

// Help is printed below the flags.
func (budgetCmd) Help() string {
	return `With risk_budget = N, a call that would be asked about is denied once N calls of the task
were. A task ends with your next prompt; denied calls cost nothing.

Examples:
  stepgate config set risk_budget 3
  stepgate budget reset`
}

type budgetShowCmd struct {
	Session string `help:"Which session; this project's newest if not given." placeholder:"ID"`
	JSON    bool   `name:"json" help:"Print it as JSON."`
}

type budgetResetCmd struct {
	Session string `help:"Which session; this project's newest if not given." placeholder:"ID"`
}

func (c budgetShowCmd) Run(a *app) error {
	g, r, err := a.logged(c.Session)
	if err != nil {
		return err
	}
	t, budget := r.mem.Totals, g.Config.RiskBudget
	if c.JSON {
		return json.NewEncoder(a.out).Encode(map[string]int{"risk_budget": budget, "spent": t.Spent, "ask_limit": g.Policy.AskLimit, "asked": t.Budget})
	}
	if budget == 0 {
		fmt.Fprintf(a.out, "no risk budget; this task had %s to be asked about\n", policy.Many(t.Spent, "call"))
	} else {
		fmt.Fprintf(a.out, "%d of %d asks of this task are used up\n", min(t.Spent, budget), budget)
	}
	_, err = fmt.Fprintf(a.out, "%d of %d asks of the judge and of triggers in this session\n", t.Budget, g.Policy.AskLimit)
	return err
}

func (c budgetResetCmd) Run(a *app) error {
	if err := a.needPerson("budget reset"); err != nil {
		return err
	}
	_, r, err := a.logged(c.Session)
	if err != nil {
		return err
	}
	err = r.note(session.Line{Kind: session.KindNote, Event: "budget_reset"}, func(t *session.Totals) { t.Spent = 0 })
	if err == nil {
		_, err = fmt.Fprintln(a.out, "the budget of this task is whole again")
	}
	return err
}
