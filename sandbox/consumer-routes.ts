// Routes of test consumers with a balance (CONTRACT section 15).
import { Type } from 'typebox'
import { type App, amountOnWire, dateOnWire, parseAmount } from '../src/http/index.ts'
import { cents } from '../src/kernel/money.ts'
import { deny, ok, type Result, refuse, unwrap } from '../src/kernel/result.ts'
import { fieldsOf, textOf } from './body-fields.ts'
import type { Administration, Consumer } from './gateway.ts'
import { sandboxJson } from './route-options.ts'

const balanceCentsMax = 9_999_999n

export function consumerRoutes(
  administration: Pick<Administration, 'createConsumer' | 'findConsumer'>,
): (app: App) => void {
  return (app) => {
    app.post('/sandbox/api/consumers', sandboxJson, async ({ body }) => {
      const fields = fieldsOf(body)
      const email = unwrap(textOf(fields, 'email', 'ana@example.com'))
      const pin = unwrap(textOf(fields, 'pin', '0471'))
      const phone = fields.phone == null ? undefined : unwrap(textOf(fields, 'phone', '+351911234567'))
      const balance = unwrap(balanceOf(fields.balance))
      const consumer = { email, pin, ...(phone === undefined ? {} : { phone }) }
      return onWire(unwrap(await administration.createConsumer(consumer, balance)))
    })

    app.get(
      '/sandbox/api/consumers/:email',
      { ...sandboxJson, schema: { hide: true, params: Type.Object({ email: Type.String() }) } },
      async ({ params }) => {
        const consumer = await administration.findConsumer(params.email)
        return onWire(consumer ?? deny('not_found', `there is no consumer ${params.email}`))
      },
    )
  }
}

function balanceOf(value: unknown): Result<ReturnType<typeof cents>> {
  if (value === undefined || value === null) return ok(cents(0))
  const balance = parseAmount(value, 'balance')
  if (!balance.ok) return balance
  return balance.value >= 0n && balance.value <= balanceCentsMax
    ? balance
    : refuse('invalid_parameter', 'balance must be from 0 to 99999.99')
}

function onWire({ walletId, email, balance, lockedUntil, reference }: Consumer) {
  return {
    wallet_id: Number(walletId),
    email,
    balance: amountOnWire(balance),
    bank_reference: reference,
    locked_until: lockedUntil === undefined ? null : dateOnWire(lockedUntil),
  }
}
