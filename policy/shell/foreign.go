package shell

func powerLine(args []Word) (Word, bool)              { return Word{}, false }
func cmdLine(args []Word) (Word, bool)                { return Word{}, false }
func (r *reader) power(line string, e *env, at place) {}
func (r *reader) cmd(line string, e *env, at place)   {}
func (r *reader) foreign(c Command, line func([]Word) (Word, bool), read func(string, *env, place), e *env, at place) {
	r.emit(c, e, at)
}
