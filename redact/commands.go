package redact

// commandRule says where one command takes a secret.
type commandRule struct {
	sub  string // a word that must stand among the first arguments
	flag string // for the rule after: what the argument begins with
	how  how
	nth  uint8 // for rules without a flag: the argument, counted from 1 without flags
}

// ruleList is what is left to read of a class's rules.
type ruleList string

func rulesOf(class uint8) ruleList {
	return ruleList(commandRules[rulesFrom[class-1]:rulesFrom[class]])
}

// next reads a rule; it says whether there was one.
func (l *ruleList) next(r *commandRule) bool {
	t := string(*l)
	if t == "" {
		return false
	}
	r.how, r.nth = how(t[0]), t[1]
	n := int(t[2])
	r.sub, t = t[3:3+n], t[3+n:]
	n = int(t[0])
	r.flag = t[1 : 1+n]
	*l = ruleList(t[1+n:])
	return true
}

// lookCommand gives a command's class; 0: none.
func lookCommand(name string) uint8 {
	if len(name) < 2 || name[0] >= 128 || commandThen[name[0]]&(1<<(name[1]&63)) == 0 {
		return 0
	}
	lo, hi := int(commandFrom[name[0]]), int(commandFrom[name[0]+1])
	for lo < hi {
		a := (lo + hi) / 2
		for a > lo && commandNames[a-1] < 0x80 {
			a--
		}
		e := a
		for commandNames[e] < 0x80 {
			e++
		}
		switch n := commandNames[a:e]; {
		case n == name:
			return commandNames[e] - 0x80
		case n < name:
			lo = e + 1
		default:
			hi = a
		}
	}
	return 0
}
