#!/bin/sh
# Makes the role and the database of the store beside those of Temporal. Safe to repeat, also with a new password.
set -eu
PGPASSWORD=$(cat "$SUPERUSER_PASSWORD_FILE")
export PGPASSWORD
psql --quiet --no-psqlrc --set=ON_ERROR_STOP=1 --set=password="$(cat "$PASSWORD_FILE")" --dbname=postgres << 'SQL'
select 'create role mcp login' where not exists (select from pg_roles where rolname = 'mcp') \gexec
alter role mcp password :'password';
select 'create database mcp owner mcp' where not exists (select from pg_database where datname = 'mcp') \gexec
SQL
