// Resets a database to the demo world before each seed.
import { sandboxMigrations } from '../../../../sandbox/migrations/index.ts'
import { type Database, migrate, statement } from '../../../../src/storage/index.ts'

export async function makeTables(database: Database): Promise<void> {
  await migrate(database)
  await migrate(database, sandboxMigrations)
}

const keep = `
  create schema if not exists simulation;
  create table simulation.kept as
    select format('%I.%I', schemaname, tablename) as name,
      format('simulation.%I', schemaname || '_' || tablename) as copy,
      (select string_agg(format('%I', column_name), ', ' order by ordinal_position)
        from information_schema.columns
        where table_schema = schemaname and table_name = tablename and is_generated = 'NEVER') as columns
    from pg_tables where schemaname not in ('pg_catalog', 'information_schema', 'simulation');
  create table simulation.numbers as
    select format('%I.%I', schemaname, sequencename) as name, last_value from pg_sequences
    where schemaname <> 'simulation';
  do $$
  declare one record; filled boolean;
  begin
    for one in select * from simulation.kept loop
      execute format('select exists (select from %s)', one.name) into filled;
      if filled then execute format('create table %s as table %s', one.copy, one.name);
      else update simulation.kept set copy = null where name = one.name;
      end if;
    end loop;
  end $$;
  create function simulation.go_back() returns void language plpgsql as $$
  declare one record; filled boolean; touched text[] := '{}';
  begin
    set local session_replication_role = replica;
    for one in select * from simulation.kept loop
      execute format('select exists (select from %s)', one.name) into filled;
      if filled then touched := touched || one.name; end if;
    end loop;
    execute 'truncate ' || array_to_string(touched, ', ') || ' cascade';
    for one in select * from simulation.kept where copy is not null loop
      execute format('insert into %s (%s) overriding system value select %s from %s',
        one.name, one.columns, one.columns, one.copy);
    end loop;
    perform setval(name::regclass, coalesce(last_value, 1), last_value is not null) from simulation.numbers;
  end $$`

const goBack = statement('select simulation.go_back()')

export async function rememberRows(database: Database): Promise<() => Promise<void>> {
  await database.run(statement(keep))
  return async () => {
    await database.run(goBack)
  }
}
