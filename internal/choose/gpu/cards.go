package gpu

import "strings"

// cards are GPUs by what their names contain, upper case, as drivers and importers write them; the first that fits
// counts. Names that say their memory come before those that do not.
var cards = []struct {
	name string
	gb   float64
}{
	{"GB200", 186}, {"B300", 268}, {"B200", 180}, {"GH200", 96}, {"H200", 141}, {"H100 NVL", 94}, {"H100", 80},
	{"H800", 80}, {"H20", 96}, {"A100-SXM4-80GB", 80}, {"A100 80GB", 80}, {"A100-SXM-80GB", 80}, {"A100-80GB", 80},
	{"A100", 40}, {"A800", 80}, {"A40", 48}, {"A30", 24}, {"A10", 24}, {"A16", 16}, {"A2", 16},
	{"L40", 48}, {"L4", 24}, {"V100-SXM2-32GB", 32}, {"V100-SXM3-32GB", 32}, {"V100-32GB", 32}, {"V100", 16},
	{"P100", 16}, {"P40", 24}, {"T4", 16}, {"K80", 12}, {"RTX PRO 6000", 96}, {"RTX 6000 ADA", 48}, {"A6000", 48},
	{"RTX 5090", 32}, {"RTX 5080", 16}, {"RTX 4090", 24}, {"RTX 4080", 16}, {"RTX 3090", 24}, {"RTX 3080", 10},
	{"RTX 2080 TI", 11}, {"GTX 1080 TI", 11}, {"MI355", 288}, {"MI350", 288}, {"MI325", 256}, {"MI300X", 192},
	{"MI300A", 128}, {"MI250", 64}, {"MI210", 64}, {"MI100", 32},
}

// CardGB is the memory of a card, by its name; 0: it is not known.
func CardGB(name string) float64 {
	name = strings.ToUpper(name)
	for _, c := range cards {
		if names(name, c.name) {
			return c.gb
		}
	}
	return 0
}

// names reports whether a name contains a card's: L40 is no L4.
func names(name, card string) bool {
	for rest := name; ; {
		before, after, found := strings.Cut(rest, card)
		if !found {
			return false
		}
		letter := func(b byte) bool { return b >= '0' && b <= '9' }
		alone := before == "" || !letter(before[len(before)-1]) && before[len(before)-1] != 'R'
		if alone && (after == "" || !letter(after[0])) {
			return true
		}
		rest = after
	}
}
