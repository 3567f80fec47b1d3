package collective

import "github.com/batopo/batopo/topology"

// Shards is all-reduce in two steps: everybody sends node j the share of the message that j sums, then j sends the
// sum to everybody. Slow nodes may have a share of 0. Cut into chunks, collecting and handing out run at the same
// time.
func Shards(shares []float64) *Algorithm {
	nodes := topology.InOrder(len(shares))
	reduce, gather := exchanged(nodes, shares)
	return Listed("shards", len(shares), [][]Transfer{reduce, gather})
}

// EqualShares returns n equal shares.
func EqualShares(n int) []float64 {
	shares := make([]float64, n)
	for i := range shares {
		shares[i] = 1 / float64(n)
	}
	return shares
}

// exchanged returns the two steps in which group[k] sums the k-th share. Shares of n equal parts begin at k/n
// exactly.
func exchanged(group []int, shares []float64) (reduce, gather []Transfer) {
	bounds := bounds(shares)
	for k, to := range group {
		if bounds[k+1] <= bounds[k] {
			continue
		}
		for _, from := range group {
			if from != to {
				reduce = append(reduce, Transfer{From: from, To: to, Begin: bounds[k], End: bounds[k+1], Add: true})
				gather = append(gather, Transfer{From: to, To: from, Begin: bounds[k], End: bounds[k+1]})
			}
		}
	}
	return reduce, gather
}

// bounds returns where the shares begin and end on [0, 1].
func bounds(shares []float64) []float64 {
	n := len(shares)
	at := make([]float64, n+1)
	same := true
	for k, s := range shares {
		at[k+1] = min(at[k]+s, 1)
		same = same && s == shares[0]
	}
	if same { // without rounding
		for k := range at {
			at[k] = float64(k) / float64(n)
		}
	}
	for k := n; k > 0 && (k == n || shares[k] == 0); k-- {
		at[k] = 1 // the last share that is not empty ends the message, whatever rounding left
	}
	return at
}
