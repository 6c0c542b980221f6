// Sealed secrets in the database: which master keys they lie under, and how they come under the current one.
import { setImmediate as breathe } from 'node:timers/promises'
import { crashPoint } from '../../kernel/crash-points.ts'
import type { Randomness } from '../../kernel/random.ts'
import { type Keyring, reseal, SealBroken, sealedVersion } from '../../kernel/sealing.ts'
import { type Database, type Executor, statement } from '../database.ts'
import { type ColumnType, rowSet } from '../tables/values.ts'

/** Rows locked and written at a time: a payment that wants one of them waits a few milliseconds at most. */
const rowsPerBatch = 100

export interface SealedColumnOptions<Key extends string> {
  /** What lies there, in the plural, as reports name it: `stored_cards`. */
  readonly name: string
  readonly table: string
  readonly column: string
  /** The columns of the primary key with their types. */
  readonly key: Readonly<Record<Key, ColumnType>>
  /** What else {@link associatedDataOf} reads of the row. */
  readonly also?: readonly string[]
  /** The associated data that the secret of a row was sealed with. */
  associatedDataOf(row: Readonly<Record<string, unknown>>): string
}

export interface SealingKeys {
  readonly keyring: Keyring
  readonly random: Randomness
}

/** One kind of sealed secret at rest. */
export interface SealedColumn {
  readonly name: string
  /** How many secrets lie under each version of the master key. */
  countVersions(db: Executor): Promise<ReadonlyMap<number, number>>
  /**
   * Seals everything under an older version again under the current one, batch by batch. Rows that others hold
   * are passed over; secrets that do not open are left as they are.
   */
  resealOnce(database: Database, keys: SealingKeys): Promise<Sweep>
}

interface Sweep {
  readonly resealed: number
  /** Secrets that do not open: changed, moved to another row, or sealed under a key that is gone. */
  readonly broken: number
}

interface Batch extends Sweep {
  readonly rows: readonly Readonly<Record<string, unknown>>[]
}

/** Describes a column of sealed secrets, for the rotation of master keys. */
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

/** Undefined for a secret that does not open: it is counted, and must not keep back the others. */
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
  // Referring rows may still be written meanwhile: the key of the row itself does not change.
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
