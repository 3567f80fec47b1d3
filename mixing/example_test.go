package mixing_test

import (
	"context"
	"fmt"

	"github.com/batopo/batopo/mixing"
)

func ExampleFamily_Build() {
	for _, name := range []string{"ring", "torus", "exponential"} {
		family, err := mixing.FindFamily(name)
		if err != nil {
			fmt.Println(err)
			return
		}
		w, err := family.Build(mixing.Params{Nodes: 16})
		if err != nil {
			fmt.Println(err)
			return
		}
		s, err := w.Spectrum(context.Background())
		if err != nil {
			fmt.Println(err)
			return
		}
		rounds, _, _ := s.Iterations(context.Background(), 1e-4)
		fmt.Printf("%s: r_asym %.4f, %d rounds to an error of 1e-4\n", name, s.RAsym, rounds)
	}
	// Output:
	// ring: r_asym 0.9493, 184 rounds to an error of 1e-4
	// torus: r_asym 0.6000, 20 rounds to an error of 1e-4
	// exponential: r_asym 0.6000, 19 rounds to an error of 1e-4
}
