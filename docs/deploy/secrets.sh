#!/bin/sh
# Makes the secrets of docs/deploy/compose.yaml, by chance, once. The folder is for its owner alone; the files are mounted
# into containers, whose user must read them.
set -eu
cd "$(dirname "$0")"
if [ -e secrets ]; then echo "docs/deploy/secrets is there already; nothing is changed" >&2; exit 0; fi
umask 077
mkdir secrets.part
cd secrets.part
random() { od -An -tx1 -N "$1" /dev/urandom | tr -d ' \n'; }
random 10 > s3_access_key_id
random 32 > s3_secret_access_key
random 32 > digest_secret
random 32 > prefect_auth
printf '{"identities": [{"name": "paperlake", "credentials": [{"accessKey": "%s", "secretKey": "%s"}], "actions": ["Admin", "Read", "Write", "List"]}]}\n' \
  "$(cat s3_access_key_id)" "$(cat s3_secret_access_key)" > s3.json
chmod 0444 ./*
cd ..
mv secrets.part secrets
