// Package verdict holds results against what the BA-Topo paper prints and against what this
// project's own documents claim: numbers side by side, sentences as predicates.
//
// Every sentence is asked of up to three subjects: the numbers that the paper prints, the
// paper's method as reproduced here, and the best plans found here. A sentence whose rows
// are missing stays open.
package verdict
