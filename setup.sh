#!/bin/sh
# `sh setup.sh LOCK` puts the packages of a lock into .venv, which it makes first, and paperlake itself; `make` calls it.
#
# By uv, in a quarter of the time that pip takes. Where a machine has none, pip brings the one of the dev lock, to a
# folder that is gone afterwards. Where uv does not get through (it reads no pip.conf), or with UV=none, pip does it all.
set -eu
lock=$1
python=${PYTHON:-python3}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

bring_uv() {
    echo "setting up: uv, as this machine has none"
    sed -n '/^uv==/,/[^\\]$/p' requirements-dev.lock >"$scratch/uv.lock"
    # by Python's own pip if it has one: to make an environment takes longer than to bring uv
    has_pip=$python
    "$python" -c "import pip" 2>/dev/null || { "$python" -m venv "$scratch/venv" && has_pip=$scratch/venv/bin/python; }
    PIP_ROOT_USER_ACTION=ignore "$has_pip" -m pip install --quiet --no-compile --no-deps --require-hashes \
        --target "$scratch/uv" --requirement "$scratch/uv.lock" &&
        uv=$scratch/uv/bin/uv
}

by_uv() {
    echo "setting up: $packages packages of $lock, by uv"
    { [ -x .venv/bin/python ] || "$uv" venv --quiet --python "$(command -v "$python")" .venv; } &&
        "$uv" pip install --quiet --python .venv --no-deps --require-hashes --requirement "$lock" &&
        "$uv" pip install --quiet --python .venv --no-deps --no-build-isolation --editable .
}

by_pip() {
    echo "setting up: $packages packages of $lock, by pip; that takes minutes"
    "$python" -m venv .venv
    .venv/bin/python -m pip install --quiet --no-compile --no-deps --require-hashes --requirement "$lock"
    .venv/bin/python -m pip install --quiet --no-deps --no-build-isolation --editable .
}

packages=$(grep -c '^[^ ].*==' "$lock")
uv=${UV:-$(command -v uv || true)}
[ -n "$uv" ] || bring_uv || uv=none
if [ "$uv" = none ] || ! by_uv; then
    by_pip
fi
