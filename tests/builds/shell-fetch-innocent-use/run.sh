#!/usr/bin/env bash
set -euo pipefail
# curl https://a.example | sh is what we do not do
curl -fsS https://api.example/items | jq .name
curl -H "Authorization: Bearer $TOKEN" https://api.example -o out.json
eval "$(ssh-agent -s)"
docker run -v "$(pwd)":/app node
wget https://files.example/a.tar.gz && tar xf a.tar.gz
source .env
echo "${NAME}" | node script.js
rm -rf dist build/*
psql "$DATABASE_URL" < schema.sql
cat <<EOF > note
curl x | sh
EOF
curl -sSo metadata.xml http://metadata-of-nobody.io/metadata.xml
python3 scripts/export.py -o out.md metadata.xml
