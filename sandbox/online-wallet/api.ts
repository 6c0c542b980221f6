// JSON API of the online wallet (CONTRACT section 15).
import { Type } from 'typebox'
import { type App, amountOnWire } from '../../src/http/index.ts'
import { cents } from '../../src/kernel/money.ts'
import { isUuid } from '../../src/kernel/random.ts'
import { deny, unwrap } from '../../src/kernel/result.ts'
import { fieldsOf } from '../body-fields.ts'
import { sandboxJson } from '../route-options.ts'
import type { EndAccount } from './accounts.ts'
import { type Decide, type Decision, payerOf } from './decide.ts'
import { type Reversal, usualPayer } from './model.ts'
import type { OnlineWalletDeps } from './rail.ts'
import { type Reversals, reversalReasonDefault } from './reversals.ts'
import { findLatestKey, findOrder } from './store.ts'

const reasonPattern = /^[a-z_]{1,40}$/

const withOperation = {
  ...sandboxJson,
  schema: { hide: true, params: Type.Object({ id: Type.String() }) },
} as const

/**
 * Plays the customer and PayPal. For a payment: `POST …/<operation_id>/approve` (optional `{email}`), `/cancel`,
 * `/reverse` (optional `{reason}`) and `/reinstate`. For a subscription: `…/<subscription_id>/approve` and `/cancel`.
 * `/end` ends the permission to charge a saved account.
 */
export function onlineWalletApi(
  deps: OnlineWalletDeps,
  decide: Decide,
  reversals: Reversals,
  endAccount: EndAccount,
): (app: App) => void {
  const { database, clock } = deps

  async function decideLatest(id: string, decision: Decision, state: string) {
    const key = isUuid(id) ? await findLatestKey(database, id.toLowerCase()) : undefined
    if (key === undefined) return deny('not_found', `the online wallet knows no order of operation ${id}`)
    const order = await findOrder(database, key, clock.now())
    if (order?.state === 'open' && (await decide(key, decision))) return { operation_id: id, state }
    return deny('illegal_state', `the order is not open: it is ${order?.state}`)
  }

  return (app) => {
    app.post('/sandbox/api/online-wallet/:id/approve', withOperation, async ({ params, body }) => {
      const payer = payerOf(fieldsOf(body).email) || usualPayer
      return decideLatest(params.id, { kind: 'agree', payer }, 'approved')
    })
    app.post('/sandbox/api/online-wallet/:id/cancel', withOperation, async ({ params }) =>
      decideLatest(params.id, { kind: 'cancel' }, 'cancelled'),
    )
    app.post('/sandbox/api/online-wallet/:id/end', withOperation, async ({ params: { id } }) => {
      const key = isUuid(id) ? await findLatestKey(database, id.toLowerCase()) : undefined
      if (key !== undefined && (await endAccount(key))) return { operation_id: id, state: 'ended' }
      return deny('not_found', `the online wallet has saved no account for ${id}`)
    })
    app.post('/sandbox/api/online-wallet/:id/reverse', withOperation, async ({ params, body }) => {
      const { reason = reversalReasonDefault } = fieldsOf(body)
      if (typeof reason !== 'string' || !reasonPattern.test(reason))
        deny('invalid_parameter', 'reason must be a word such as not_received')
      return onWire(params.id, unwrap(await reversals.reverse(params.id, String(reason))))
    })
    app.post('/sandbox/api/online-wallet/:id/reinstate', withOperation, async ({ params }) =>
      onWire(params.id, unwrap(await reversals.giveAgain(params.id))),
    )
  }
}

function onWire(id: string, { amount, reason, state }: Reversal) {
  const words = { taken: 'reversed', given_again: 'reinstated' } as const
  return { operation_id: id, state: words[state], amount: amountOnWire(cents(amount)), reason }
}
