#!/bin/sh
# Makes the secrets that docker-compose.yml hands to the containers, in deploy/secrets/. What is there already stays.
set -eu
folder=${1:-$(dirname "$0")/secrets}
# The folder keeps others out; inside a container the files belong to nobody that runs there and must be readable.
mkdir -p "$folder"
chmod 700 "$folder"
random() { od -An -N32 -tx1 /dev/urandom | tr -d ' \n'; }
keep() {
  [ -s "$folder/$1" ] || printf '%s\n' "$2" > "$folder/$1"
  chmod 444 "$folder/$1"
}
keep postgres-password "$(random)"
keep database-password "$(random)"
keep database-url "postgres://mcp:$(cat "$folder/database-password")@postgres:5432/mcp"
keep api-key-pepper "$(random)"
