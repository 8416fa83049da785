// Package prefault asks the system for the memory that a call is going to touch, before it is touched.
//
// A page that is touched first costs a trap into the system, and in many virtual machines one more out of them, which
// takes longer than all that is done with it. The hook is a new process at every call and touches hundreds. To have them
// made ready together is a few system calls. It changes nothing but time: where a system does not know the request or
// refuses it, pages come one by one as ever.
package prefault
