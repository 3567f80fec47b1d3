package importer_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/batopo/batopo/format/importer"
)

// twoOfAMD is a dump of RCCL with two GPUs that have a number of xGMI links to each other.
func twoOfAMD(gcn string, links int) string {
	gpu := `<pci busid="0000:0%d:00.0" class="0x120000" link_speed="32.0 GT/s PCIe" link_width="16">` +
		`<gpu dev="%d" sm="304" gcn="%s"><xgmi target="0000:0%d:00.0" count="%d" tclass="0x120000"/></gpu></pci>`
	return `<system version="2"><cpu numaid="0">` + fmt.Sprintf(gpu, 1, 0, gcn, 2, links) +
		fmt.Sprintf(gpu, 2, 1, gcn, 1, links) + `</cpu></system>`
}

// Every generation has the rate that RCCL computes with; one that is not known has a stated rate and a warning.
func TestXGMIRates(t *testing.T) {
	for _, tc := range []struct {
		gcn   string
		links int
		gbs   float64
		known bool
	}{
		{"906", 1, 24, true}, {"gfx906", 1, 24, true}, {"908", 1, 24, true}, {"910", 4, 144, true}, {"gfx90a", 1, 36, true},
		{"gfx90a:sramecc+:xnack-", 2, 72, true}, {"940", 1, 48, true}, {"gfx942", 1, 48, true}, {"gfx950", 1, 48, true},
		{"gfx1250", 1, 24, false}, {"", 1, 24, false},
	} {
		d, err := read("nccl", strings.NewReader(twoOfAMD(tc.gcn, tc.links)))
		if err != nil {
			t.Fatalf("%s: %v", tc.gcn, err)
		}
		if links := d.Tree.NVLinks; len(links) != 1 || links[0].GBs != tc.gbs {
			t.Errorf("%s: %+v, want one pair at %g GB/s", tc.gcn, links, tc.gbs)
		}
		if !slices.ContainsFunc(d.Assumed, func(s string) bool { return strings.HasPrefix(s, "xGMI: ") }) {
			t.Errorf("%s: assumed is %q; it does not state the rate of xGMI", tc.gcn, d.Assumed)
		}
		warned := slices.ContainsFunc(d.Warnings, func(s string) bool { return strings.Contains(s, "is not known; 24 GB/s") })
		if warned == tc.known || len(d.Warnings) > 1 {
			t.Errorf("%s: warnings are %q", tc.gcn, d.Warnings)
		}
	}
}

// A provider's file says nothing about NVLink, which is a warning until another file does. GPUs are matched by number.
func TestLinksOfAnotherFile(t *testing.T) {
	machine := readFile(t, "nccl", "testdata/azure-ndv4-topo.xml")
	if len(machine.Warnings) != 1 || !strings.Contains(machine.Warnings[0], "NCCL_TOPO_DUMP_FILE") ||
		!strings.Contains(machine.Warnings[0], "--links nvidia-smi:") {
		t.Fatalf("warnings are %q", machine.Warnings)
	}
	links := &strings.Builder{} // GPUs 0 and 1 have four links, GPUs 6 and 7 have eight
	for i := range 8 {
		cells := slices.Repeat([]string{"SYS"}, 8)
		cells[i], cells[i^1] = "X", map[int]string{0: "NV4", 3: "NV8"}[i/2]
		if cells[i^1] == "" {
			cells[i^1] = "PIX"
		}
		fmt.Fprintf(links, "GPU%d %s\n", i, strings.Join(cells, " "))
	}
	table, err := read("nvidia-smi", strings.NewReader(links.String()))
	if err != nil {
		t.Fatal(err)
	}
	d, err := importer.Linked(machine, table)
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]float64{}
	for _, v := range d.Tree.NVLinks {
		got[d.Names[v.Pair[0]]+"–"+d.Names[v.Pair[1]]] = v.GBs
	}
	if len(got) != 2 || got["GPU0–GPU1"] != 80 || got["GPU6–GPU7"] != 160 || len(d.Warnings) != 0 {
		t.Errorf("links %v, warnings %q", got, d.Warnings)
	}
	if machine.Tree.NVLinks != nil {
		t.Error("the machine itself was changed")
	}
	if d, err = importer.Linked(readFile(t, "nccl", "testdata/azure-ndv5-topo.xml"),
		readFile(t, "nvidia-smi", "testdata/09-8xH100-nv18-nic0-tabs.txt")); err != nil {
		t.Fatal(err)
	}
	if d.Tree.NVSwitch == nil || d.Tree.NVSwitch.GBs != 370.8 || d.Tree.NICs.GBs != 50 || d.Tree.NICs.At != "node" {
		t.Errorf("NVSwitch %+v, cards %+v; want 18 links of 20.6 GB/s and 400 Gb/s at every GPU", d.Tree.NVSwitch, d.Tree.NICs)
	}
	golden(t, "linked", written(t, d))
	for want, pair := range map[string][2]*importer.Description{
		"has NVLinks itself":               {d, table},
		"has none; leave it out":           {machine, machine},
		"8 GPUs, the file about NVLinks 4": {machine, readFile(t, "nccl", "testdata/azure-ncv4-4xA100-full-dump-nvlink.xml")},
		"one of the two files is none":     {machine, readFile(t, "csv", "testdata/gossipfl-15-node-wan.csv")},
	} {
		if _, err := importer.Linked(pair[0], pair[1]); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("the error is %v, want %q", err, want)
		}
	}
}

// Warnings about a machine stay with many of it.
func TestWarningsSurviveRepeating(t *testing.T) {
	d, err := importer.Repeat(readFile(t, "nccl", "testdata/azure-ndv5-topo.xml"), 2)
	if err != nil || len(d.Warnings) != 1 {
		t.Errorf("%v: warnings are %q, want the one about NVLink", err, d.Warnings)
	}
}

// A card's rate is what the file says, else its model's rate, else the fastest for its PCIe link; the last two are
// assumptions that are listed.
func TestRatesOfCards(t *testing.T) {
	const pci = `<pci busid="2" class="0x020700" `
	for _, tc := range []struct {
		card, assumed string
		gbs           float64
	}{
		{pci + `vendor="0x15b3" device="0x1021"><nic><net name="mlx5_0" speed="200000"/></nic></pci>`, "", 25},
		{pci + `vendor="0x15b3" device="0x1021" link_speed="16.0 GT/s PCIe" link_width="16"/>`, "(400 Gb/s) each, as ConnectX-7 has", 50},
		{pci + `vendor="0x15B3" device="0x101B"/>`, "(200 Gb/s) each, as ConnectX-6 has", 25},
		{pci + `vendor="0x1d0f" device="0xefa1"/>`, "(100 Gb/s) each, as EFA has", 12.5},
		{pci + `link_speed="32.0 GT/s PCIe" link_width="16"/>`, "(400 Gb/s) each, the fastest on PCIe of 32 GT/s and 16 lanes", 50},
		{pci + `link_speed="16 GT/s" link_width="16"/>`, "(200 Gb/s) each, the fastest", 25},
		{pci + `link_speed="8.0 GT/s PCIe" link_width="8"/>`, "(50 Gb/s) each, the fastest", 6.25},
		{pci + `/>`, "network cards: 12 GB/s (100 Gb/s) each", 12},
		{`<nic/>`, "network cards: 12 GB/s (100 Gb/s) each", 12},
	} {
		d, err := read("nccl", strings.NewReader(`<system version="1"><cpu numaid="0"><pci busid="1" class="0x030200" `+
			`link_speed="8 GT/s" link_width="16"><gpu dev="0"/></pci>`+tc.card+`</cpu></system>`))
		if err != nil {
			t.Fatalf("%s: %v", tc.card, err)
		}
		if d.Tree.NICs.GBs != tc.gbs || !strings.Contains(strings.Join(d.Assumed, "\n"), tc.assumed) ||
			tc.assumed == "" && len(d.Assumed) > 0 {
			t.Errorf("%s: %g GB/s, assumed %q; want %g, %q", tc.card, d.Tree.NICs.GBs, d.Assumed, tc.gbs, tc.assumed)
		}
	}
}

// Cards that no GPU uses do not slow down those in use.
func TestUnusedCardsDoNotCount(t *testing.T) {
	d, err := read("nccl", strings.NewReader(`<system version="1"><cpu numaid="0"><pci busid="5" class="0x060400">`+
		`<pci busid="1" class="0x030200"><gpu dev="0"/></pci><pci busid="6" class="0x020700"><nic>`+
		`<net speed="400000"/></nic></pci></pci><nic><net name="eth0" speed="1000"/></nic></cpu></system>`))
	if err != nil || d.Tree.NICs.GBs != 50 {
		t.Errorf("%v: %+v, want 50 GB/s", err, d.Tree.NICs)
	}
}

// A card that several libraries found is one GPU, and numbers that two libraries use do not make two GPUs of one name.
func TestOneGPUForAllLibraries(t *testing.T) {
	d := readFile(t, "hwloc", "testdata/hwloc-three-libraries.xml")
	if want := []string{"GPU0", "GPU1", "GPU2"}; !slices.Equal(d.Names, want) {
		t.Errorf("names %q, want %q", d.Names, want)
	}
	if _, err := d.Spec(); err != nil {
		t.Error(err)
	}
}

// Links of AMD's GPUs in a file of hwloc.
func TestXGMIOfHWLoc(t *testing.T) {
	gpu := `<object type="PCIDev" pci_busid="0000:0%d:00.0" pci_type="1200 [1002:74a1] [1002:74a1] 00 00" pci_link_speed="63">` +
		`<object type="OSDev" gp_index="%d" name="rsmi%d"/></object>`
	d, err := read("hwloc", strings.NewReader(`<topology version="2.0"><object type="Machine"><object type="Package">`+
		`<object type="Bridge" bridge_type="0-1">`+fmt.Sprintf(gpu, 1, 7, 0)+fmt.Sprintf(gpu, 2, 8, 1)+`</object></object></object>`+
		`<distances2 type="OSDev" nbobjs="2" name="XGMIBandwidth"><indexes>7 8</indexes>`+
		`<u64values>1000000 50000 50000 1000000</u64values></distances2></topology>`))
	if err != nil {
		t.Fatal(err)
	}
	if l := d.Tree.NVLinks; len(l) != 1 || l[0].GBs != 50 || len(d.Warnings) > 0 {
		t.Errorf("links %+v, warnings %q; want one of 50 GB/s", l, d.Warnings)
	}
}

// A processor with NVLinks, as POWER has, is no switch between GPUs: only those with a link of their own use it.
func TestProcessorsAreNoSwitches(t *testing.T) {
	gpu := `<object type="PCIDev" pci_busid="0000:0%d:00.0" pci_type="0302 [10de:15f9] [10de:116b] a1 00" pci_link_speed="8">` +
		`<object type="OSDev" gp_index="%d" name="nvml%d"/></object>`
	file := `<topology version="2.0"><object type="Machine"><info name="Architecture" value="ppc64le"/>`
	for p := range 2 {
		file += fmt.Sprintf(`<object type="Package" gp_index="%d"><object type="Bridge" bridge_type="0-1">`, 20+p) +
			fmt.Sprintf(gpu, 2*p, 10+2*p, 2*p) + fmt.Sprintf(gpu, 2*p+1, 11+2*p, 2*p+1) + `</object></object>`
	}
	d, err := read("hwloc", strings.NewReader(file+`</object><distances2hetero nbobjs="6" name="NVLinkBandwidth">`+
		`<indexes>OSDev:10 OSDev:11 OSDev:12 OSDev:13 Package:20 Package:21</indexes><u64values>`+
		`0 40000 0 0 40000 0 40000 0 0 0 40000 0 0 0 0 40000 0 40000 0 0 40000 0 0 40000 `+
		`40000 40000 0 0 0 0 0 0 40000 40000 0 0</u64values></distances2hetero></topology>`))
	if err != nil {
		t.Fatal(err)
	}
	if d.Tree.NVSwitch != nil || len(d.Tree.NVLinks) != 2 || !slices.Equal(d.Tree.NVLinks[1].Pair, []int{2, 3}) {
		t.Errorf("NVSwitch %+v, links %+v; want links 0–1 and 2–3", d.Tree.NVSwitch, d.Tree.NVLinks)
	}
	if want := "between sockets: 32 GB/s for each (POWER9)"; !slices.Contains(d.Assumed, want) {
		t.Errorf("assumed %q, want %q", d.Assumed, want)
	}
	for class, ports := range map[string]bool{"0x068000": true, "0x068001": false} {
		d, err := read("nccl", strings.NewReader(`<system version="1"><cpu numaid="0"><pci busid="1" class="0x030200">`+
			`<gpu dev="0" sm="70"><nvlink target="9" count="3" tclass="`+class+`"/></gpu></pci></cpu></system>`))
		if err != nil || (d.Tree.NVSwitch != nil) != ports || len(d.Warnings) > 0 {
			t.Errorf("class %s: %v: NVSwitch %+v, warnings %q", class, err, d.Tree.NVSwitch, d.Warnings)
		}
	}
}
