// The list of a wallet's references, newest first.
import type { Instant } from '../../kernel/time.ts'
import type { OperationStatus } from '../../operations/index.ts'
import { column, type Database, type StoredRowOf, statement } from '../../storage/index.ts'
import { type BankReference, bankReferences, type ReferenceKind, type ReferenceState } from './model.ts'
import { stateOf } from './rules.ts'

export interface ReferenceFilter {
  readonly state?: ReferenceState | undefined
  readonly kind?: ReferenceKind | undefined
  readonly ref?: string | undefined
}

export interface ListedReference extends BankReference {
  readonly state: ReferenceState
}

export interface ReferencePage {
  readonly references: readonly ListedReference[]
  readonly next: string | undefined
}

const readAtOnce = 200
const scannedMax = 2000
const endOfIds = 'ffffffff-ffff-ffff-ffff-ffffffffffff'

const stated = bankReferences.with({
  status: column.text<OperationStatus>().optional(),
  attemptId: column.uuid().optional(),
  error: column.text().optional(),
})

const selectOf = (condition: string) =>
  statement<StoredRowOf<typeof stated>>(`
  select found.*, operations.status, operations.attempt_id, operations.error
  from (
    select * from bank_references
    where wallet_id = $1 and id < $2 and ($3::text is null or kind = $3)${condition}
    order by id desc
    limit $4
  ) as found
  left join operations on operations.wallet_id = found.wallet_id and operations.id = found.operation_id
  order by found.id desc`)

const refsBegin = `wallet_id = $1 and ref collate "C" between $5 and $5 || '~'`
const selectReferences = selectOf('')
const selectFew = selectOf(` and id in (select id from bank_references where ${refsBegin} offset 0)`)
const selectMany = selectOf(' and starts_with(ref, $5)')

const fewMax = 5000
const countFew = statement<{ found: bigint }>(`
  select count(*) as found
  from (select from bank_references where ${refsBegin.replaceAll('$5', '$2')} limit ${fewMax + 1}) as begun`)

async function statementFor(database: Database, walletId: bigint, ref: string | undefined) {
  if (ref === undefined) return selectReferences
  const [row] = await database.run(countFew, [walletId, ref])
  return (row?.found ?? 0n) > fewMax ? selectMany : selectFew
}

export async function listReferences(
  database: Database,
  walletId: bigint,
  { state, kind, ref }: ReferenceFilter,
  { before = endOfIds, limit }: { readonly before?: string | undefined; readonly limit: number },
  now: Instant,
): Promise<ReferencePage> {
  const references: ListedReference[] = []
  const select = await statementFor(database, walletId, ref)
  let last = before
  for (let scanned = 0; scanned < scannedMax; scanned += readAtOnce) {
    const parameters = [walletId, last, kind ?? null, readAtOnce, ...(ref === undefined ? [] : [ref])]
    const rows = await database.run(select, parameters)
    for (const row of rows) {
      const { status, attemptId, error, ...reference } = stated.read(row)
      const is = stateOf(reference, status && { status, attemptId, error }, now)
      if (state !== undefined && is !== state) continue
      if (references.length === limit) return { references, next: references.at(-1)?.id }
      references.push({ ...reference, state: is })
    }
    if (rows.length < readAtOnce) return { references, next: undefined }
    last = stated.read(rows.at(-1) as (typeof rows)[number]).id
  }
  return { references, next: last }
}
