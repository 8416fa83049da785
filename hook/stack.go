package hook

// stackSize is about what the line of a call needs, found by measuring.
const stackSize = 24 << 10

// growStack makes the stack of its goroutine large at once: a function's frame is made room for when the function is
// entered, whether the frame is used or not. Otherwise the stack is doubled, and copied, four times on the way down the
// line, which is dear in a new process. Call it with false.
//
//go:noinline
func growStack(use bool) {
	if use {
		var frame [stackSize]byte
		touch(&frame)
	}
}

//go:noinline
func touch(*[stackSize]byte) {}
