package verify

// bounds rechecks the proved lower bounds and the gaps to them.
func (k *check) bounds() { k.weightsBound() }
