package redact

// What the tests outside the package ask too.
var (
	IsReference   = isReference
	IsPlaceholder = isPlaceholder
)
