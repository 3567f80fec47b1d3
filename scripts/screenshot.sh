#!/usr/bin/env bash
# Takes the picture of the page in docs/serve.md: the answer for examples/servers-4x4.yaml, in Chromium.
set -euo pipefail
cd "$(dirname "$0")/.."
folder=$(mktemp -d)
server=
trap 'kill $server; wait; rm -rf "$folder"' EXIT
go build -o "$folder/batopo" ./cmd/batopo
"$folder/batopo" serve --listen 127.0.0.1:0 --data "$folder/data" >"$folder/says" 2>/dev/null &
server=$!
until at=$(grep -o 'http://[^ ]*' "$folder/says"); do sleep 0.1; done
cluster=$(curl -sf --data-binary @examples/servers-4x4.yaml "${at}api/clusters/import?format=batopo" | jq .cluster)
job=$(curl -sf "${at}api/plan" -d "{\"purpose\": \"training\", \"cluster\": $cluster}" | jq -r .id)
until curl -sf "${at}api/jobs/$job" | jq -e '.state == "done"' >/dev/null; do sleep 0.5; done
state=$(printf '{"job":"%s","tab":"choices"}' "$job" | base64 -w 0 | tr '+/' '-_' | tr -d '=')
chromium --headless=new --no-sandbox --disable-gpu --hide-scrollbars --window-size=1200,1672 \
	--force-device-scale-factor=0.75 --virtual-time-budget=3000 --screenshot="$folder/page.png" "$at#$state" 2>/dev/null
mv "$folder/page.png" docs/images/page.png
