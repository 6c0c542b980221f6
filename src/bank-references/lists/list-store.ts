// The list of a wallet's references with their states, newest first.
import type { Instant } from '../../kernel/time.ts'
import type { OperationStatus } from '../../operations/index.ts'
import { column, type Database, type StoredRowOf, statement } from '../../storage/index.ts'
import { type BankReference, bankReferences, type ReferenceKind, type ReferenceState } from '../model.ts'
import { stateOf } from '../rules.ts'

export interface ReferenceFilter {
  readonly state?: ReferenceState | undefined
  readonly kind?: ReferenceKind | undefined
  /** Its digits, or the first of them. */
  readonly ref?: string | undefined
}

export interface ListedReference extends BankReference {
  readonly state: ReferenceState
}

export interface ReferencePage {
  readonly references: readonly ListedReference[]
  /** Given as `before`, it brings what follows; undefined at the end. */
  readonly next: string | undefined
}

const readAtOnce = 200
/** How many references one look goes through. */
const scannedMax = 2000
const endOfIds = 'ffffffff-ffff-ffff-ffff-ffffffffffff'

const stated = bankReferences.with({
  status: column.text<OperationStatus>().optional(),
  attemptId: column.uuid().optional(),
  error: column.text().optional(),
})

const selectReferences = statement<StoredRowOf<typeof stated>>(`
  select bank_references.*, operations.status, operations.attempt_id, operations.error
  from bank_references
  left join operations on operations.wallet_id = bank_references.wallet_id
    and operations.id = bank_references.operation_id
  where bank_references.wallet_id = $1 and bank_references.id < $2
    and ($3::text is null or bank_references.kind = $3)
    and ($4::text is null or starts_with(bank_references.ref, $4))
  order by bank_references.id desc
  limit $5`)

/**
 * The wallet's references that match, newest first, as they are `now`. A page may hold fewer than `limit`, or none, and
 * still have a `next`: a look goes through 2000 references at most.
 *
 * @param before `next` of the page before
 */
export async function listReferences(
  database: Database,
  walletId: bigint,
  { state, kind, ref }: ReferenceFilter,
  { before = endOfIds, limit }: { readonly before?: string | undefined; readonly limit: number },
  now: Instant,
): Promise<ReferencePage> {
  const references: ListedReference[] = []
  let last = before
  for (let scanned = 0; scanned < scannedMax; scanned += readAtOnce) {
    const rows = await database.run(selectReferences, [walletId, last, kind ?? null, ref ?? null, readAtOnce])
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
