// Holds of the sandbox's online wallet: captures and releases.
import type { Randomness } from '../../src/kernel/random.ts'
import type { WalletFollowUp, WalletFollowUpAnswer, WalletHolds } from '../../src/rails/index.ts'
import { type Database, type Executor, statement } from '../../src/storage/index.ts'
import { movements, newTransaction } from './model.ts'

type Verb = 'capture' | 'release'

interface Movement {
  readonly allowed: boolean
  readonly transaction: string
}

const selectMovement = statement<Movement>(
  'select allowed, transaction from sandbox.wallet_movements where key = $1',
)
const lockHold = statement<{ amount: bigint }>(`
  select amount from sandbox.wallet_orders where key = $1 and intent = 'hold' and state = 'paid' for update`)
const selectMoved = statement<{ moved: bigint }>(`
  select coalesce(sum(amount), 0)::bigint as moved from sandbox.wallet_movements where hold = $1 and allowed`)
const insertMovement = statement(`
  insert into sandbox.wallet_movements (${movements.list()}) values (${movements.placeholders()})
  on conflict (key) do nothing`)
const insertCapture = statement(`
  insert into sandbox.wallet_orders
    (key, reference, merchant_name, amount, currency, return_url, language, state, payer, transaction, created_at, expires_at)
  select $1::uuid, $1::text, merchant_name, $3, currency, return_url, language, 'paid', payer, $4, created_at, expires_at
  from sandbox.wallet_orders where key = $2
  on conflict (key) do nothing`)

export function createHolds({
  database,
  random,
}: {
  readonly database: Database
  readonly random: Randomness
}): WalletHolds {
  async function follow(
    verb: Verb,
    { key, payment, amount }: WalletFollowUp,
    signal: AbortSignal | undefined,
  ): Promise<WalletFollowUpAnswer> {
    const transaction = newTransaction(random)
    return database.transaction(async (tx) => {
      signal?.throwIfAborted()
      const left = await leftOf(tx, payment)
      const [known] = await tx.run(selectMovement, [key])
      if (known !== undefined) return answerOf(known)
      const allowed = amount > 0n && amount <= left
      const movement = { key, hold: payment, verb, amount, allowed, transaction }
      await tx.run(insertMovement, movements.values(movement))
      if (allowed && verb === 'capture') await tx.run(insertCapture, [key, payment, amount, transaction])
      return answerOf({ allowed, transaction })
    })
  }

  return {
    capture: (followUp, signal) => follow('capture', followUp, signal),
    release: (followUp, signal) => follow('release', followUp, signal),
    async inquireFollowUp(key) {
      const [known] = await database.run(selectMovement, [key])
      return known === undefined ? { kind: 'not_found' } : answerOf(known)
    },
    inquireHold: (key) =>
      database.transaction(async (tx) => ({ kind: (await leftOf(tx, key)) > 0n ? 'held' : 'ended' })),
  }
}

/** Locks the hold first, so that two movements cannot take the same money. */
async function leftOf(tx: Executor, hold: string): Promise<bigint> {
  const [held] = await tx.run(lockHold, [hold])
  const [sum] = await tx.run(selectMoved, [hold])
  return held === undefined ? 0n : held.amount - (sum?.moved ?? 0n)
}

function answerOf({ allowed, transaction }: Movement): WalletFollowUpAnswer {
  return allowed
    ? { kind: 'approved', reference: transaction }
    : { kind: 'declined', decline: 'not_permitted' }
}
