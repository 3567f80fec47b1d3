package importer_test

import (
	"io"
	"runtime"
	"strings"
	"testing"

	"github.com/batopo/batopo/format/importer"
)

const twoGPUs = "\tGPU0\tGPU1\tCPU Affinity\nGPU0\t X \tPIX\t0-7\nGPU1\tPIX\t X \t0-7\n"

func TestDamageIsExplained(t *testing.T) {
	for _, tc := range []struct{ name, format, text, want string }{
		{"a cell", "nvidia-smi", strings.Replace(twoGPUs, "GPU1\tPIX", "GPU1\tP?X", 1),
			`line 3: row GPU1, column GPU0 is "P?X"`},
		{"a cell of the first row", "nvidia-smi", strings.Replace(twoGPUs, " X \tPIX", " X \tP1X", 1),
			`line 2: row GPU0, column GPU1 is "P1X"; it must be one of`},
		{"a cell is missing", "nvidia-smi", "GPU0 X\nGPU1 PIX X\n", `line 1: row GPU0, column GPU1 is ""`},
		{"both sides disagree", "nvidia-smi", strings.Replace(twoGPUs, "GPU1\tPIX", "GPU1\tSYS", 1),
			"row GPU1, column GPU0 is SYS, but row GPU0, column GPU1 is PIX"},
		{"cut off", "nvidia-smi", "\tGPU0\tGPU1\tGPU2\nGPU0\t X \tPIX\tSYS\nGPU1\tPIX\t X \tSYS\n",
			"GPU2 has a column and no row; is the end of the table missing?"},
		{"cut off before the cards", "nvidia-smi", "\tGPU0\tNIC0\nGPU0\t X \tPIX\n",
			"NIC0 has a column and no row; is the end of the table missing?"},
		{"cut off before the last card", "nvidia-smi", "\tGPU0\tmlx5_0\tmlx5_1\nGPU0\t X \tPIX\tPIX\nmlx5_0\tPIX\t X \tPIX\n",
			"mlx5_1 has a column and no row"},
		{"two machines", "nvidia-smi", twoGPUs + twoGPUs, "line 5: GPU0 has a second row"},
		{"another program", "nvidia-smi", "hello\n", "no row begins with GPU0"},
		{"no cards at all of NV0", "nvidia-smi", strings.ReplaceAll(twoGPUs, "PIX", "NV0"), "row GPU0, column GPU1"},
		{"truncated XML", "nccl", `<system version="1"><cpu numaid="0"><pci busid="1" class="0x0302`, "line 1, column"},
		{"entity bomb", "nccl",
			`<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">]><system>&b;</system>`,
			"damaged: XML syntax error"},
		{"deep XML", "nccl", strings.Repeat("<pci>", 100_000), "more than 64 levels"},
		{"much XML", "nccl", "<system>" + strings.Repeat("<a/>", 200_000) + "</system>", "or 131072 elements"},
		{"no GPU", "nccl", `<system version="1"><cpu numaid="0"/></system>`, "no GPU"},
		{"other XML", "nccl", `<topology/>`, `the outermost element is "topology"`},
		{"count of links", "nccl", `<system version="1"><cpu><pci busid="1"><gpu dev="0">` + "\n" +
			`<nvlink target="2" count="l2"/></gpu></pci></cpu></system>`,
			`line 2, column 32: count of <nvlink> is "l2"; it must be a number`},
		{"speed of a card", "nccl", `<system version="1"><cpu><nic><net name="mlx5_0" speed="fast"/></nic></cpu></system>`,
			`speed of <net> is "fast"`},
		{"hwloc link speed", "hwloc", `<topology version="2.0"><object type="Machine" pci_link_speed="NaN"/></topology>`,
			`pci_link_speed of <object> is "NaN"`},
		{"nccl version", "nccl", `<system version="3"/>`, `version is "3"; this program reads 1 and 2`},
		{"nccl sides disagree", "nccl", `<system version="1"><cpu><pci busid="1"><gpu dev="0"><nvlink target="2" count="4"/>` +
			`</gpu></pci><pci busid="2"><gpu dev="1"><nvlink target="1" count="9"/></gpu></pci></cpu></system>`,
			"GPU1 has 9 NVLinks to GPU0, which has 4 to it"},
		{"p2p cell", "p2p", "Bidirectional Bandwidth Matrix (GB/s)\n D\\D 0 1\n 0 1 x2\n 1 2 1\n",
			`line 3: row 0, column 1 is "x2"`},
		{"p2p short row", "p2p", "Bandwidth Matrix (GB/s)\n 0 1 2\n 1 2\n", "row 1 has 1 columns for 2 devices"},
		{"csv cell", "csv", "0,1\n?,0\n", `line 2: row 1, column 0 is "?"`},
		{"csv negative", "csv", "0,1\n-3,0\n", `line 2: row 1, column 0 is "-3"`},
		{"csv not square", "csv", "0,1,2\n1,0\n", "row 0 has 3 columns; a matrix of 2 rows has 2"},
		{"csv names in two orders", "csv", ",a,b\nb,0,1\na,2,0\n",
			`row 0 is "b" and column 0 "a"; both must name the nodes in the same order`},
		{"nvbandwidth cell", "nvbandwidth",
			`{"nvbandwidth":{"testcases":[{"name":"device_to_device_memcpy_read_ce",` +
				`"bandwidth_matrix":[["N/A","1"],["fast","N/A"]]}]}}`, `row 1, column 0 is "fast"`},
		{"nvbandwidth without pairs", "nvbandwidth", `{}`, "no test between devices"},
		{"iperf3 stopped", "iperf3", `{"start":{"connected":[]},"error":"error - unable to connect to server: Connection refused"}`,
			"iperf3 ended with an error: unable to connect to server: Connection refused; measure again, or leave"},
		{"iperf3 cut off", "iperf3", `{"start":`, "not JSON as iperf3 -J writes it"},
		{"osu cell", "osu", "# OSU MPI Bandwidth Test v7.4\n# Size Bandwidth (MB/s)\n1 1.5\n2 3x\n",
			`line 4: the rate of messages of 2 bytes is "3x"`},
		{"osu short row", "osu", "# OSU MPI Bandwidth Test v7.4\n1 1.5\n4194304\n",
			"line 3: messages of 4194304 bytes have no rate"},
		{"osu cut off", "osu", "# OSU MPI Bandwidth Test v7.4\n# Size Bandwidth (MB/s)\n", "did the benchmark end early"},
		{"osu latency", "osu", "# OSU MPI Latency Test v7.4\n1 1.5\n", "no test of bandwidth"},
		{"osu of something else", "osu", "1 1.5\n", "is this what osu_bw prints"},
		{"osu not finite", "osu", "# OSU MPI Bandwidth Test\n1 NaN\n", `of 1 bytes is "NaN"`},
		{"nccl-tests cell", "nccl-tests", `{"config":{"nthreads":1,"ngpus":2,"devices":[{"hostname":"a","device":0}]},` +
			`"results":[{"size":8,"out_of_place":{"bus_bw":1.5},"in_place":{"bus_bw":"fast"}}]}`,
			`results[0].in_place.bus_bw is "\"fast\""`},
		{"nccl-tests cut off", "nccl-tests", `{"config":{"nthreads":1,"ng`, "not JSON as nccl-tests write it"},
		{"nccl-tests without results", "nccl-tests", `{"config":{"nthreads":1,"ngpus":2}}`, "did the test end early"},
		{"nccl-tests wrong values", "nccl-tests", `{"out_of_bounds":{"count":3,"okay":false}}`, "3 values came out wrong"},
		{"nccl-tests of one rank", "nccl-tests", `{"config":{"nthreads":1,"ngpus":1,"devices":[{"hostname":"a"}]},` +
			`"results":[{"in_place":{"bus_bw":1}}]}`, "the ranks must be between 2 and"},
		{"nccl-tests of too many", "nccl-tests",
			`{"config":{"nthreads":2000000000,"ngpus":2000000000,"devices":[{"hostname":"a"}]},` +
				`"results":[{"in_place":{"bus_bw":1}}]}`, "the ranks must be between 2 and"},
		{"nccl-tests twice", "nccl-tests", `{"config":{"nthreads":1,"ngpus":1,"devices":[{"hostname":"a"},` +
			`{"hostname":"a"}]},"results":[{"in_place":{"bus_bw":1}}]}`, `lists device "a-gpu0" twice`},
		{"no gml", "gml", "hello\n", `ends where the value of "hello" belongs`},
		{"gml list", "gml", "graph [ node [ id 0 ]", "ends before its lists do"},
		{"gml end", "gml", "graph [ node [ id 0 ] node [ id 1 ] edge [ source 0 target 7 ] ]",
			`the target of an edge is "7", which is no node`},
		{"gml capacity", "gml", "graph [ node [ id 0 ] node [ id 1 ]\nedge [ source 0 target 1 capacity much ] ]",
			`line 2: the capacity of an edge is "much"`},
		{"gml capacity twice", "gml", "graph [ node [ id 0 ] node [ id 1 ]\n" +
			"edge [ source 0 target 1 capacity 1 capacity 2 ] ]", `line 2: "capacity" is given twice`},
		{"gml id twice", "gml", "graph [ node [ id 0 id 1 ] node [ id 1 ] ]", `line 1: "id" is given twice`},
		{"gml arc twice", "gml", "graph [ directed 1 node [ id 0 ] node [ id 1 ] edge [ source 0 target 1 ]\n" +
			"edge [ source 0 target 1 ] ]", "line 2: a second edge from 0 to 1"},
		{"slurm range", "slurm", "SwitchName=a Nodes=n[3-1]\n", `line 1: the range "3-1"`},
		{"slurm bracket", "slurm", "SwitchName=a Nodes=n[1-2\n", "line 1: the host list"},
		{"slurm huge range", "slurm", "SwitchName=a Nodes=n[1-4000000000]\n", "more hosts than any cluster"},
		{"slurm circle", "slurm", "SwitchName=a Switches=b\nSwitchName=b Switches=a\n", "no switch may be under itself"},
		{"slurm unknown switch", "slurm", "SwitchName=a Switches=b\n", "the switch b is named, but not described"},
		{"slurm key", "slurm", "SwitchName=a Node=b\n", `unknown key "Node"`},
		{"slurm block", "slurm-yaml", "- topology: a\n  block: {}\n", `the topology "a" is no tree`},
		{"slurm key twice", "slurm", "SwitchName=a Nodes=b Nodes=c\n", `line 1: the key "Nodes" is given twice`},
		{"slurm many ranges", "slurm", strings.Repeat("SwitchName=a Nodes=n[1-131072]\n", 100_000),
			"line 7: the host lists name more hosts than any cluster"},
		{"slurm long name", "slurm", "SwitchName=a Nodes=" + strings.Repeat("a", 100_000) + "[1-131072]\n",
			"has more than 200 bytes around its range"},
		{"topograph many ranges", "topograph",
			"blocks:\n- switch: a\n  nodes: [" + strings.Repeat(`"n[1-131072]", `, 10_000) + "]\n",
			"block 0: the host lists name more hosts than any cluster"},
		{"yaml alias", "slurm-yaml", "- topology: &a b\n", "line 1: anchors, aliases and tags"},
		{"deep yaml in one line", "slurm-yaml", "- " + strings.Repeat("[", 100_000) + "]", "line 1: nested more than 16"},
		{"deep yaml in many lines", "topograph", strings.Repeat("[\n", 100_000), "line 17: nested more than 16"},
		{"deep yaml without brackets", "topograph", strings.Repeat("- ", 100_000) + "a", "line 1: nested more than 16"},
	} {
		f, err := importer.Find(tc.format)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := f.Read(strings.NewReader(tc.text)); err == nil || !strings.Contains(err.Error(), tc.want) {
			t.Errorf("%s: the error is\n  %v\nwant it to contain\n  %s", tc.name, err, tc.want)
		}
	}
}

// endless is a file of the given number of bytes.
type endless struct {
	text string
	left int
}

func (e *endless) Read(b []byte) (int, error) {
	if e.left <= 0 {
		return 0, io.EOF
	}
	n := min(copy(b, e.text), e.left)
	e.left -= n
	return n, nil
}

func TestLargeFilesAreRefusedInLittleMemory(t *testing.T) {
	for _, f := range importer.Formats {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, err := f.Read(&endless{strings.Repeat("1,2\t<a>{ [\n", 1000), 100 << 20})
		runtime.ReadMemStats(&after)
		if err == nil || !strings.Contains(err.Error(), "larger than") {
			t.Errorf("%s: 100 MB: %v", f.Name, err)
		}
		// Reading 16 MiB into a slice that doubles takes up to five times as much.
		if used := after.TotalAlloc - before.TotalAlloc; used > 100<<20 {
			t.Errorf("%s: %d MB allocated for a file that is too large", f.Name, used>>20)
		}
	}
}
