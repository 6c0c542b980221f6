// A merchant's stored cards, newest first, without sealed data.
import { type Instant, toTimestamp } from '../../../kernel/time.ts'
import { type Database, type RowOf, type StoredRowOf, statement } from '../../../storage/index.ts'
import { storedCards } from './model.ts'
import { isOver } from './rules.ts'

const listed = storedCards.pick(
  'token',
  'bin',
  'last4',
  'brand',
  'valdate',
  'verificationStatus',
  'createdAt',
  'modifiedAt',
  'voidedAt',
)

export interface ListedCard extends RowOf<typeof listed> {
  readonly expired: boolean
}

const selectOf = (condition: string) =>
  statement<StoredRowOf<typeof listed>>(`
  select ${listed.list()}
  from stored_cards
  where wallet_id = $1 and kept_for = 'merchant'
    and (created_at, token) < ($2, $3::uuid)
    and ($4::boolean or voided_at is null)${condition}
  order by created_at desc, token desc
  limit $5`)

const selectCards = selectOf('')
const selectByLast4 = selectOf(' and last4 = $6')
const afterAll = { createdAt: 'infinity', token: 'ffffffff-ffff-ffff-ffff-ffffffffffff' }

export interface CardCursor {
  readonly createdAt: Instant
  readonly token: string
}

export async function listCards(
  database: Database,
  walletId: bigint,
  { last4, withDeleted }: { readonly last4?: string | undefined; readonly withDeleted: boolean },
  { before, limit }: { readonly before?: CardCursor | undefined; readonly limit: number },
  now: Instant,
): Promise<ListedCard[]> {
  const { createdAt, token } =
    before === undefined ? afterAll : { ...before, createdAt: toTimestamp(before.createdAt) }
  const parameters = [walletId, createdAt, token, withDeleted, limit]
  const rows =
    last4 === undefined
      ? await database.run(selectCards, parameters)
      : await database.run(selectByLast4, [...parameters, last4])
  return rows.map(listed.read).map((card) => {
    const [month, year] = card.valdate.split('/').map(Number)
    return { ...card, expired: isOver({ month: month ?? 0, year: year ?? 0 }, now) }
  })
}
