package report

// What tests outside the package measure and check directly.
var (
	TextWidth    = textWidth
	InDejaVu     = dejaVu.width
	DisplayWidth = displayWidth
)
