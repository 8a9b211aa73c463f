#!/usr/bin/env bash
# Builds the sdist and the wheel, installs the wheel into an empty environment, and uses it in an empty folder.
# Usage: package.sh [PYTHON …]   The wheel is tried with each PYTHON (default: python3).
set -euo pipefail
cd "$(dirname "$0")/.."
root=$PWD
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
pythons=("${@:-python3}")

"${pythons[0]}" -m venv "$work/build"
"$work/build/bin/pip" install --quiet build
"$work/build/bin/python" -m build --outdir "$work/dist" "$root" > "$work/built" 2>&1 || { tail -40 "$work/built"; exit 1; }

tar -tzf "$work"/dist/*.tar.gz > "$work/names"
for name in docs/index.md tests/conftest.py CHANGELOG.md LICENSE rules/hex/hex.rules; do
    grep -q "/$name\$" "$work/names" || { echo "the sdist lacks $name"; exit 1; }
done

for python in "${pythons[@]}"; do
    "$python" -m venv "$work/env"
    "$work/env/bin/pip" install --quiet "$(echo "$work"/dist/*.whl)[lsp,web]"
    mkdir "$work/empty"
    cd "$work/empty"
    export LUDOGLOT_CACHE="$work/cache" XDG_DATA_HOME="$work/data" HOME="$work"
    ludoglot=$work/env/bin/ludoglot
    "$ludoglot" --version
    "$ludoglot" games > games.txt && [ "$(wc -l < games.txt)" -ge 25 ]
    "$ludoglot" play trias --seats bot:random,bot:random,bot:random --lang it > played.txt
    "$ludoglot" check hex
    "$ludoglot" rulebook hex --lang hu --out rules.html && grep -q '<html lang="hu"' rules.html
    "$ludoglot" new my-game > new.txt && "$ludoglot" check my-game && "$ludoglot" test my-game > tested.txt
    "$ludoglot" packs new dominant-species my-rules > pack.txt
    "$ludoglot" test tic-tac-toe > tested.txt
    "$ludoglot" lsp < /dev/null
    "$ludoglot" serve --port 0 > served.txt & serving=$!
    for _ in $(seq 300); do grep -q http served.txt && break; sleep 0.1; done
    address=$(grep -o 'http://[0-9.:]*[0-9]' served.txt)
    "$work/env/bin/python" -c 'import sys, urllib.request as u
for path in ("", "/static/page.css", "/static/table.js"): assert u.urlopen(sys.argv[1] + path).status == 200' "$address"
    kill $serving
    "$work/env/bin/python" -c 'import ludoglot; print(ludoglot.__version__, ludoglot.load("hex").start(seed=1).options[0])'
    cd "$root"
    rm -rf "$work/env" "$work/empty" "$work/cache" "$work/data"
done
