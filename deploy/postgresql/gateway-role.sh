#!/bin/sh
# Creates the role `comporta`, which owns the database `comporta` and has no other rights. The image of PostgreSQL runs it on
# an empty data folder. If the superuser of an older database is `comporta`, stop the gateway and run this script with
# POSTGRES_USER=comporta: that superuser becomes `postgres` and keeps its password.
set -eu

password=${DATABASE_PASSWORD:?letters and digits, for example from openssl rand -hex 24}
# The password is part of DATABASE_URL and of the SQL below.
case $password in
*[!A-Za-z0-9]*)
  echo "gateway-role.sh: DATABASE_PASSWORD may have letters and digits only" >&2
  exit 1
  ;;
esac

psql --no-psqlrc --quiet --set ON_ERROR_STOP=1 --single-transaction \
  --username "${POSTGRES_USER:-postgres}" --dbname comporta <<SQL
do \$\$
begin
  if exists (select from pg_roles where rolname = 'comporta' and rolsuper) then
    -- The superuser of the image cannot lose its rights or rename itself.
    create role renames superuser;
    set session authorization renames;
    alter role comporta rename to postgres;
    reset session authorization;
    drop role renames;
  end if;
end \$\$;

create role comporta login password '$password';
alter database comporta owner to comporta;

do \$\$
declare
  change text;
begin
  for change in
    with made as (
      select 'schema' as kind, 'pg_namespace'::regclass as catalog, oid, quote_ident(nspname) as name
      from pg_namespace where nspname !~ '^pg_'
      union all
      select 'table', 'pg_class'::regclass, oid, oid::regclass::text
      from pg_class where relkind in ('r', 'p', 'v', 'm')
      union all
      -- The sequence of a column changes owner with its table.
      select 'sequence', 'pg_class'::regclass, oid, oid::regclass::text
      from pg_class where relkind = 'S' and not exists (
        select from pg_depend where classid = 'pg_class'::regclass and objid = pg_class.oid and deptype in ('a', 'i'))
      union all
      select 'routine', 'pg_proc'::regclass, oid, oid::regprocedure::text
      from pg_proc
    )
    select format('alter %s %s owner to comporta', kind, name)
    from made
    -- Lower numbers belong to PostgreSQL. Members of an extension keep its owner.
    where oid >= 16384
      and not exists (select from pg_depend where classid = catalog and objid = made.oid and deptype = 'e')
  loop
    execute change;
  end loop;
end \$\$;
SQL
