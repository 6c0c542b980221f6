// Columns of sealed secrets, and their re-encryption.
import { setImmediate as breathe } from 'node:timers/promises'
import { crashPoint } from '../../kernel/crash-points.ts'
import type { Randomness } from '../../kernel/random.ts'
import { type Keyring, reseal, SealBroken, sealedVersion } from '../../kernel/sealing.ts'
import { type Database, type Executor, statement } from '../database.ts'
import type { ColumnType } from '../tables/column.ts'
import { rowSet } from '../tables/table.ts'

/** Rows that are locked at a time. A payment waits for them only a few milliseconds. */
const rowsPerBatch = 100

export interface SealedColumnOptions<Key extends string> {
  readonly name: string
  readonly table: string
  readonly column: string
  readonly key: Readonly<Record<Key, ColumnType>>
  readonly also?: readonly string[]
  associatedDataOf(row: Readonly<Record<string, unknown>>): string
}

export interface SealingKeys {
  readonly keyring: Keyring
  readonly random: Randomness
}

export interface SealedColumn {
  readonly name: string
  countVersions(db: Executor): Promise<ReadonlyMap<number, number>>
  /** Seals older secrets again in batches. It skips locked rows and damaged secrets. */
  resealOnce(database: Database, keys: SealingKeys): Promise<Sweep>
}

interface Sweep {
  readonly resealed: number
  readonly broken: number
}

interface Batch extends Sweep {
  readonly rows: readonly Readonly<Record<string, unknown>>[]
}

export function sealedColumn<Key extends string>(options: SealedColumnOptions<Key>): SealedColumn {
  const keyColumns = Object.keys(options.key) as Key[]
  const statements = statementsFor(options, keyColumns)

  async function resealBatch(tx: Executor, keys: SealingKeys, last?: Batch['rows'][number]): Promise<Batch> {
    const current = Buffer.alloc(sealedVersion.bytes)
    current.writeUInt32BE(keys.keyring.current)
    const rows =
      last === undefined
        ? await tx.run(statements.selectFirst, [current, rowsPerBatch])
        : await tx.run(statements.selectNext, [
            current,
            rowsPerBatch,
            ...keyColumns.map((name) => last[name]),
          ])
    const fresh = rows.flatMap((row) => {
      const sealed = resealed(row.sealed as Uint8Array, options.associatedDataOf(row), keys)
      return sealed === undefined ? [] : [{ ...row, sealed } as Record<Key | 'sealed', unknown>]
    })
    if (fresh.length > 0) await tx.run(statements.update, statements.input.parameters(fresh))
    return { rows, resealed: fresh.length, broken: rows.length - fresh.length }
  }

  return {
    name: options.name,
    async countVersions(db) {
      const rows = await db.run(statements.count)
      return new Map(rows.map(({ version, secrets }) => [Number.parseInt(version, 16), Number(secrets)]))
    },
    async resealOnce(database, keys) {
      const sweep = { resealed: 0, broken: 0 }
      let last: Batch['rows'][number] | undefined
      do {
        const batch = await database.transaction((tx) => resealBatch(tx, keys, last))
        sweep.resealed += batch.resealed
        sweep.broken += batch.broken
        last = batch.rows.at(-1)
        if (batch.resealed > 0) crashPoint('secrets re-encrypted in part')
        await breathe()
      } while (last !== undefined)
      return sweep
    },
  }
}

/** Returns undefined for a damaged secret, so that it does not stop the others. */
function resealed(
  sealed: Uint8Array,
  associatedData: string,
  { keyring, random }: SealingKeys,
): Buffer | undefined {
  try {
    return reseal(keyring, sealed, associatedData, random)
  } catch (error) {
    if (error instanceof SealBroken) return undefined
    throw error
  }
}

function statementsFor<Key extends string>(
  { table, column, key, also = [] }: SealedColumnOptions<Key>,
  keyColumns: readonly Key[],
) {
  const version = `substring(${column} from ${sealedVersion.offset + 1} for ${sealedVersion.bytes})`
  const keyList = keyColumns.join(', ')
  const cursor = keyColumns.map((name, index) => `$${index + 3}::${key[name]}`).join(', ')
  // Rows that refer to these can still be written, because the key of the row does not change.
  const selectWhere = (condition: string) =>
    statement<Record<string, unknown>>(`
      select ${[...keyColumns, ...also].join(', ')}, ${column} as sealed from ${table}
      where ${version} < $1 ${condition}
      order by ${keyList} limit $2 for no key update skip locked`)
  const input = rowSet<Key | 'sealed'>({ ...key, sealed: 'bytea' } as Record<Key | 'sealed', ColumnType>)
  return {
    input,
    selectFirst: selectWhere(''),
    selectNext: selectWhere(`and (${keyList}) > (${cursor})`),
    update: statement(`
      with input as (${input.source})
      update ${table} set ${column} = input.sealed from input
      where ${keyColumns.map((name) => `${table}.${name} = input.${name}`).join(' and ')}`),
    count: statement<{ version: string; secrets: bigint }>(`
      select encode(${version}, 'hex') as version, count(*) as secrets from ${table}
      where ${column} is not null group by 1`),
  }
}
