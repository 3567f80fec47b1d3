#!/usr/bin/env bash
# Everything measured in docs/research/links.md, in about 40 minutes. Needs root, iproute2, iperf3, Go, PyTorch,
# dataset-fashion-mnist, bible-kjv and bible-kjv-text. Predictions are made first, and are committed before this runs
# again. In python/, python3 -m net FOLDER --add measures again what the machine disturbed.
#   scripts/links.sh [predict|measure|run|follow|headline|mended|table] …   one part or several; default: all
set -euo pipefail
cd "$(dirname "$0")/.."
out=$PWD/experiments/links/results
networks="nodes-3to1 two-racks slow-pair two-servers"
trained="nodes-3to1 two-racks"
python=/usr/bin/python3
mkdir -p "$out"
go build -o /tmp/batopo-links-bin/ ./cmd/batopo ./experiments/links
part() { echo "== $1, $(date -u +%H:%M:%S), load $(cut -d' ' -f1-3 /proc/loadavg)"; }

predict() {
	for n in $networks; do
		/tmp/batopo-links-bin/links -make -cluster "python/net/clusters/$n.yaml" -plans "$out/$n" -o "$out/$n.json"
	done
	/tmp/batopo-links-bin/batopo optimize python/net/clusters/equal.yaml --edges 12 --quiet -o "$out/equal.json" >/dev/null
	/tmp/batopo-links-bin/batopo schedule python/net/clusters/equal.yaml --form parts --quiet -o "$out/equal-exact.json" \
		>/dev/null
	for n in $trained; do # what net.tasks trains: the size of the model, and about how long its gradient takes here
		recommend "$n" clothes 0.204MB
		recommend "$n" characters 0.169MB
	done
}
recommend() {
	/tmp/batopo-links-bin/batopo plan "python/net/clusters/$1.yaml" --message "$3" --compute 10ms --evaluations 4000 \
		--quiet --json |
		$python -c 'import json,sys; json.dump(json.load(sys.stdin)["recommended"], sys.stdout)' > "$out/$1/ours-$2.json"
}
measure() { (cd python && nice -n -15 $python -m net.accuracy -o "$out/accuracy.json"); }
run() {
	(cd python && $python -m net "$out")
	for n in $networks; do # the same plans, priced on what measure found
		/tmp/batopo-links-bin/links -cluster "$out/$n.measured.yaml" -message-mb 1 -compute-ms 300 -plans "$out/$n" \
			-o "$out/$n.again.json"
	done
}
follow() {
	for way in "" -exact; do # a static graph, and an all-reduce
		(cd python && nice -n -15 $python -m net.change /tmp/batopo-links-bin/batopo "$out/equal$way.json" \
			-o "$out/change$way.json")
	done
}
headline() {
	for n in $trained; do
		for task in clothes characters; do
			(cd python && $python -m net.headline "$n" "$out/$n" --task $task -o "$out/$n.$task.json")
		done
	done
}
mended() { # what the model says now, beside what it said before measuring
	for n in $networks; do
		/tmp/batopo-links-bin/links -cluster "python/net/clusters/$n.yaml" -plans "$out/$n" -o "$out/$n.mended.json"
	done
}
table() { (cd python && $python -m net.table "$out" -o ../docs/images/links.svg); }

for name in "${@:-predict measure run follow headline mended table}"; do
	for one in $name; do
		part "$one"
		$one
	done
done
