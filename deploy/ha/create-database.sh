#!/bin/sh
# Patroni runs this once, when the first member of a new cell accepts writes: it creates the gateways' role and database.
set -eu

password=${DATABASE_PASSWORD:?see database.env}
case $password in
*[!A-Za-z0-9]*)
  echo "create-database.sh: DATABASE_PASSWORD may have letters and digits only" >&2
  exit 1
  ;;
esac
psql --no-psqlrc --quiet --set ON_ERROR_STOP=1 "$1" <<SQL
set log_statement = 'none';
create role comporta login password '$password';
create database comporta owner comporta;
SQL
