#!/bin/sh
# Creates or upgrades both databases of Temporal. Every step is safe to repeat.
set -eu
password=$(cat "$POSTGRES_PWD_FILE")
tool() {
  temporal-sql-tool --plugin postgres12 --ep "$POSTGRES_SEEDS" -p "$DB_PORT" -u "$POSTGRES_USER" --pw "$password" "$@"
}
for store in temporal temporal_visibility; do
  tool --db "$store" create
  tool --db "$store" setup-schema -v 0.0
done
tool --db temporal update-schema --schema-name postgresql/v12/temporal
tool --db temporal_visibility update-schema --schema-name postgresql/v12/visibility
