package verdict

// A Result says whether a claim survived its check. The zero value is Open.
type Result uint8

// What a check can find.
const (
	Open  Result = iota // could not be decided
	Holds               // as claimed
	Fails               // not as claimed
)

func (r Result) String() string { return [...]string{"open", "holds", "fails"}[r] }
