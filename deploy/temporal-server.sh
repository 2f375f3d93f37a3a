#!/bin/sh
# The image knows its database password as a variable only.
set -eu
POSTGRES_PWD=$(cat "$POSTGRES_PWD_FILE")
export POSTGRES_PWD
exec /etc/temporal/entrypoint.sh
