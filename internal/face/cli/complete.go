package cli

import (
	"maps"
	"slices"
	"strings"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/format/importer"
	"github.com/batopo/batopo/internal/choose/advise"
	"github.com/batopo/batopo/internal/train"

	"github.com/spf13/cobra"
)

// flagValues are those of flags that take one of a few words and do not complete them themselves.
func flagValues() map[string][]string {
	formats := make([]string, len(importer.Formats))
	for k, f := range importer.Formats {
		formats[k] = f.Name + ":"
	}
	return map[string][]string{
		"objective": {string(design.Rate), string(design.Time)},
		"purpose":   {string(design.Consensus), string(design.Training)},
		"dtype":     {string(cluster.FP32), string(cluster.Mixed), string(cluster.BF16)},
		"backend":   {string(cluster.NCCL), string(cluster.Gloo)},
		"wire":      {"fp32", string(design.BF16), string(design.FP16)},
		"momentum":  {string(train.Local), string(train.QuasiGlobal)},
		"optimizer": {string(advise.AdamW), string(advise.SGD)},
		"norm":      {string(advise.BatchNorm), string(advise.GroupNorm)},
		"rule":      ruleNames(),
		"form":      {"gossip", "whole", "parts"},
		"structure": formats, "links": formats, "rates": formats, "network": formats,
	}
}

// fileEndings are those of the files that commands take as arguments.
var fileEndings = map[string][]string{
	"plan": {"yaml", "yml"}, "optimize": {"yaml", "yml"}, "schedule": {"yaml", "yml"}, "cluster show": {"yaml", "yml"},
	"verify": {"json"}, "export": {"json"}, "replan": {"json"},
	"simulate": graphEndings, "weights": graphEndings,
	"draw":    append([]string{"yaml", "yml"}, graphEndings...),
	"compare": append([]string{"yaml", "yml"}, graphEndings...),
	"train":   append([]string{"yaml", "yml"}, graphEndings...),
}

var graphEndings = []string{"json", "npy", "csv", "g6", "graphml", "txt", "edges"}

// completeValues lets the shell complete values of flags, and files by what they are called.
func completeValues(root *cobra.Command) {
	values := flagValues()
	for _, c := range root.Commands() {
		completeValues(c)
		for _, name := range slices.Sorted(maps.Keys(values)) {
			if _, own := c.GetFlagCompletionFunc(name); own || c.Flags().Lookup(name) == nil {
				continue
			}
			directive := cobra.ShellCompDirectiveNoFileComp
			if strings.HasSuffix(values[name][0], ":") {
				directive |= cobra.ShellCompDirectiveNoSpace // the name of a file follows
			}
			_ = c.RegisterFlagCompletionFunc(name, cobra.FixedCompletions(values[name], directive))
		}
		if c.Name() == "import" {
			c.ValidArgsFunction = completeFormat
		} else if endings, ok := fileEndings[strings.TrimPrefix(c.CommandPath(), "batopo ")]; ok {
			c.ValidArgsFunction = cobra.FixedCompletions(endings, cobra.ShellCompDirectiveFilterFileExt)
		}
	}
}

// completeFormat offers the formats as first argument, then files.
func completeFormat(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveDefault
	}
	var out []string
	for _, f := range importer.Formats {
		out = append(out, f.Name+"\t"+f.About)
	}
	return out, cobra.ShellCompDirectiveNoFileComp
}
