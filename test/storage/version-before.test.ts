// The previous version's statements on this schema, for upgrades without downtime.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createPostgresDatabase } from '../database.ts'

/** Written by `tools/record-statements.ts` at the release. */
const before = JSON.parse(readFileSync(join(import.meta.dirname, 'statements-before.json'), 'utf8')) as {
  readonly version: string
  readonly lastMigration: string
  readonly statements: readonly string[]
}

describe(`statements of version ${before.version}`, () => {
  let client: pg.Client
  beforeAll(async () => {
    client = new pg.Client({ connectionString: await createPostgresDatabase() })
    await client.connect()
  })
  afterAll(() => client.end())

  async function notUnderstood(): Promise<string[]> {
    const problems: string[] = []
    for (const text of before.statements) {
      // The sandbox is reset with each version.
      if (/\bsandbox\./.test(text)) continue
      try {
        await client.query(`savepoint one; prepare tried as ${text}; deallocate tried`)
      } catch (error) {
        problems.push(`${(error as Error).message}: ${text}`)
        await client.query('rollback to savepoint one')
      }
    }
    return problems
  }

  it('are understood by the schema of this version', async () => {
    await client.query('begin')
    expect(await notUnderstood()).toEqual([])
    await client.query('rollback')
    expect(before.statements.length).toBeGreaterThan(400)
  })

  it('are not understood without a column', async () => {
    await client.query('begin; alter table deliveries rename column claim_id to claimed_by')
    const problems = await notUnderstood()
    await client.query('rollback')
    expect(problems.length).toBeGreaterThan(3)
    expect(problems[0]).toContain('claim_id')
  })
})

describe('migrations since then', () => {
  const folder = join(import.meta.dirname, '../../src/storage/migrations')
  const since = readdirSync(folder).filter(
    (file) => /^\d{4}-/.test(file) && file > `${before.lastMigration}.ts`,
  )

  it.each(since)('%s takes nothing away that the version before may use', (file) => {
    expect(takenAwayIn(readFileSync(join(folder, file), 'utf8'))).toEqual([])
  })

  it.each([
    ['alter table events drop column payload;', 'drop column'],
    ['drop table events;', 'drop table'],
    ['alter table events rename to happenings;', 'rename'],
    ['alter table events add column a text not null;', 'add column a text not null'],
    ['alter table events alter column kind set not null;', 'set not null'],
    ['alter table events alter column kind type integer;', 'alter column kind type'],
    ['alter table events add column b text not null default 0;', undefined],
    ['create index events_kind on events (kind);', 'create index events_kind on events'],
    ['create table fresh (a text); create unique index fresh_a on fresh (a);', undefined],
    ['create table fresh (a text not null); alter table fresh add column c text not null;', undefined],
  ])('of "%s" is said: %s', (sql, problem) => {
    expect(takenAwayIn(sql)).toEqual(problem === undefined ? [] : [problem])
  })
})

/** Small tables that payments do not write. */
const small = /^(backoffice\.\w+|suspense_entries)$/

/**
 * Changes of a migration that break or block processes of the previous version, in existing tables. Statements name
 * their columns, so additions are safe.
 */
function takenAwayIn(migration: string): string[] {
  const sql = migration.replaceAll(/\s--.*$/gm, '').toLowerCase()
  const made = new Set([...sql.matchAll(/create table (?:if not exists )?([\w.]+)/g)].map(([, name]) => name))
  const problems: string[] = []
  for (const statement of sql.split(';')) {
    // This blocks all writers: use `online-indexes.ts`.
    const [built, on] = /create (?:unique )?index \w+ on ([\w.]+)/.exec(statement) ?? []
    if (built !== undefined && !made.has(on) && !small.test(on ?? '')) problems.push(built)
    const [, table] = /\balter table (?:only )?([\w.]+)/.exec(statement) ?? []
    if (table !== undefined && made.has(table)) continue
    const patterns =
      /drop (?:table|column|function|view|type|schema)|\brename\b|set not null|alter column \w+ (?:set data )?type|add column (?:if not exists )?\w+ (?:(?!default|,)[\s\S])*not null(?![^,]*default)/g
    if (table !== undefined || /\bdrop\b/.test(statement))
      problems.push(...[...statement.matchAll(patterns)].map(([text]) => text.replaceAll(/\s+/g, ' ').trim()))
  }
  return problems
}
