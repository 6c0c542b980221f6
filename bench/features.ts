// For each request, the time of PostgreSQL by module, and the log that it writes by table.
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Client } from 'pg'
import type { Machine } from './machine.ts'

const root = join(import.meta.dirname, '..')

export interface Feature {
  readonly name: string
  readonly each: number
}

export interface Features {
  readonly micros: readonly Feature[]
  readonly bytes: readonly Feature[]
}

/**
 * Starts to count. Call the result with the number of requests to end the count. Undefined with the embedded
 * database, which has no counters.
 */
export async function countFeatures({
  postgres,
}: Machine): Promise<((count: number) => Promise<Features>) | undefined> {
  if (postgres === undefined) return undefined
  const { sql } = postgres
  await sql.query('create extension if not exists pg_walinspect')
  await sql.query('select pg_stat_statements_reset()')
  const { rows: began } = await sql.query('select pg_current_wal_lsn() as at')
  return (count) => featuresSince(sql, began[0].at, count)
}

async function featuresSince(sql: Client, began: string, count: number): Promise<Features> {
  const { rows: statements } = await sql.query(
    `select query, total_exec_time + total_plan_time as ms from pg_stat_statements
    where dbid = (select oid from pg_database where datname = current_database())`,
  )
  const { rows: tables } = await sql.query(
    `select coalesce(relname, 'commits and the rest') as name, sum(bytes)::float8 as bytes
    from (
      select coalesce(nullif(toast.relname, null), class.relname) as relname, info.bytes
      from (
        select relfilenode, sum(record_length + block_fpi_length)::float8 as bytes
        from pg_get_wal_block_info($1, pg_current_wal_lsn()) group by relfilenode
      ) as info
      left join pg_class as class on class.relfilenode = info.relfilenode
      left join pg_index on pg_index.indexrelid = class.oid
      left join pg_class as toast on toast.oid = pg_index.indrelid
    ) as named
    group by 1`,
    [began],
  )
  const modules = moduleTexts()
  const byModule = new Map<string, number>()
  for (const { query, ms } of statements) {
    const name = moduleOf(modules, query)
    byModule.set(name, (byModule.get(name) ?? 0) + (ms * 1000) / count)
  }
  const bytes = tables.map((row) => ({ name: row.name, each: row.bytes / count }))
  const micros = [...byModule].map(([name, each]) => ({ name, each }))
  return { micros: largestFirst(micros), bytes: largestFirst(bytes) }
}

function largestFirst(features: readonly Feature[]): Feature[] {
  return features.filter(({ each }) => each >= 0.5).sort((one, other) => other.each - one.each)
}

function moduleTexts(): (readonly [text: string, module: string])[] {
  const files = globSync('{src,sandbox,drivers}/**/*.ts', { cwd: root }).filter(
    (path) => !path.endsWith('.test.ts'),
  )
  const texts = files.flatMap((path) => {
    const module = path.replace(/\.ts$/, '')
    const source = readFileSync(join(root, path), 'utf8')
    return [...source.matchAll(/`([^`]*)`/g)].flatMap(([, template = '']) =>
      template
        .split(/\$\{[^}]*\}/)
        .map(plain)
        .filter(
          (text) => text.length >= fixedMin && /\b(select|from|insert|update|delete|where)\b/.test(text),
        )
        .map((text) => [text, module] as const),
    )
  })
  return texts.sort(([one], [other]) => other.length - one.length)
}

/** A shorter part of SQL could be in the statements of several modules. */
const fixedMin = 25

function moduleOf(modules: readonly (readonly [string, string])[], query: string): string {
  const text = plain(query)
  return (
    modules.find(([part]) => text.includes(part))?.[1] ??
    (/^(begin|commit)/i.test(text) ? 'transactions' : 'other')
  )
}

function plain(sql: string): string {
  return sql.replace(/\s+/g, ' ').trim()
}
