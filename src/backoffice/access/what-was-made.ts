// Objects created by a request, read from its answer for the action log.
import { maskedIban } from '../../bank-files/index.ts'
import type { Change } from '../../http/index.ts'
import { readIban } from '../../kernel/values/ibans.ts'

const things: readonly (readonly [path: RegExp, thing: string])[] = [
  [/\/checkout$/, 'checkout'],
  [/\/payment_links$/, 'payment link'],
  [/\/mandate\/mbway$/, 'mandate'],
  [/\/mb\/reference$/, 'reference'],
  [/\/charge$/, 'charge'],
  [/\/(mb\/pay|payouts|refund|capture|release)$/, 'operation'],
]

interface Created {
  readonly id?: string
  readonly mandate_id?: string
  readonly mb?: { readonly entity: string; readonly ref: string }
  readonly status?: string
  readonly state?: string
  readonly amount?: number
  readonly payment?: Created
  readonly authorization?: Created
  readonly subscription?: Created
  readonly splits?: { readonly elements: readonly Share[] }
}

interface Share {
  readonly amount: string | number
  readonly merchant_wallet: { readonly public_id: string }
}

export function whatWasMade(url: string, answer: string, body: unknown): readonly Change[] | undefined {
  if (url.endsWith('/split')) return dividedIn(JSON.parse(answer) as Created)
  const thing = things.find(([path]) => path.test(url))?.[1]
  if (thing === undefined) return undefined
  const made = JSON.parse(answer) as Created
  const { id = made.mandate_id, mb } = made
  const name = id ?? (mb === undefined ? '' : `${mb.entity} ${mb.ref}`)
  const { status, state, amount } = made.payment ?? made.authorization ?? made.subscription ?? made
  const words = [
    status ?? state ?? 'payable',
    ...(amount === undefined ? [] : [amount.toFixed(2)]),
    ...accountIn(url, body),
  ]
  return [{ field: `${thing} ${name}`, old: '', new: words.join(' ') }]
}

/** The account of a refund, because a person can name any. */
function accountIn(url: string, body: unknown): readonly string[] {
  const { iban } = (body ?? {}) as { iban?: unknown }
  const electronic = url.endsWith('/refund') && typeof iban === 'string' ? readIban(iban) : undefined
  return electronic === undefined ? [] : [`to ${maskedIban(electronic)}`]
}

function dividedIn({ id, splits }: Created): readonly Change[] {
  const shares = splits?.elements ?? []
  const words = shares.map((one) => `${one.merchant_wallet.public_id} ${one.amount}`)
  return [{ field: `shares of operation ${id}`, old: '', new: words.join(', ') }]
}
