// Payments without a checkout: `POST /api/v2/payment` (CONTRACT section 12).
import { type Static, type TProperties, Type } from 'typebox'
import {
  type App,
  answers,
  callerOf,
  currencySchema,
  described,
  filledSchema,
  flagOf,
  impliedWordSchema,
  oneOfSchema,
  parseAmount,
  requestAmount,
  requestIdSchema,
} from '../http/index.ts'
import { type Created, claimOf, type IdempotencyKey, withIdempotency } from '../idempotency/index.ts'
import type { Cents } from '../kernel/money.ts'
import { newId } from '../kernel/random.ts'
import { deny, ok, type Result, refuse, unwrap } from '../kernel/result.ts'
import type { Caller } from '../kernel/values/permissions.ts'
import { webAddress } from '../kernel/values/web-address.ts'
import type { Core } from '../module.ts'
import { admitPayment, insertOperations, pathOf } from '../operations/for-movements.ts'
import {
  amountWithinRange,
  askedSplit,
  clientOf,
  clientSchema,
  type FindWallet,
  itemsOf,
  itemsSchema,
  type MerchantReferences,
  merchantReferenceFields,
  merchantReferencesOf,
  type NewOperation,
  openedOperation,
  operationOnWire,
  operationSchema,
  splitSchema,
  storeSchema,
} from '../operations/index.ts'
import type { Executor } from '../storage/index.ts'
import { unavailableReason, type Wallet } from '../wallets/index.ts'
import { factsOf, type Method } from './list.ts'

interface DirectDeps extends Pick<Core, 'database' | 'clock' | 'random' | 'mode'> {
  readonly wallets: { get(walletId: bigint): Promise<Wallet>; readonly findByPublicId: FindWallet }
}

export interface DirectPayments {
  readonly fields: TProperties
  readonly described: string
  readonly bodyDescribed: string
  readonly examples: { readonly request: object; readonly answer: object }
  /**
   * Reads the payer. The returned function opens the payment after all other checks. It returns undefined if
   * the idempotency key was used before.
   */
  read(body: object): Result<(asked: AskedDirectly) => Promise<Created | undefined>>
}

export interface AskedDirectly {
  readonly wallet: Wallet
  readonly caller: Caller
  readonly type: 'PAYMENT' | 'AUTH'
  readonly amount: Cents
  opening(phone: string, change?: Partial<Pick<NewOperation, 'phone' | 'underApproval'>>): DirectOpening
}

export interface DirectOpening {
  readonly id: string
  readonly operation: NewOperation
  readonly answer: string
  open(tx: Executor): Promise<boolean>
}

type Listed = readonly { readonly code: Method; readonly direct?: DirectPayments }[]

function bodyOf(methods: readonly { readonly code: Method; readonly direct: DirectPayments }[]) {
  const [first, ...others] = methods.map(({ code }) => code)
  return Type.Object(
    {
      method: impliedWordSchema(first ?? '', others),
      type: oneOfSchema(['PAYMENT', 'AUTH'], 'Whether it is paid, or reserved to be captured.'),
      amount: requestAmount('Amount that the customer approves, in euros.'),
      currency: currencySchema,
      ...(Object.assign({}, ...methods.map(({ direct }) => direct.fields)) as unknown as Record<
        never,
        never
      >),
      callback: Type.Optional(
        described(
          filledSchema(2048),
          'Address for the callbacks of this operation: absolute, https in production. Default: the address of the wallet.',
          { format: 'uri' },
        ),
      ),
      ...merchantReferenceFields,
      items: Type.Optional(itemsSchema),
      client: Type.Optional(clientSchema),
      store: Type.Optional(storeSchema),
      split: Type.Optional(splitSchema),
      instant: Type.Optional(flagOf('Accepted for compatibility; has no effect.')),
      request_id: Type.Optional(requestIdSchema),
    },
    {
      title: 'DirectPaymentRequest',
      description: methods.map(({ direct }) => direct.bodyDescribed).join(' '),
      examples: methods.map(({ direct }) => direct.examples.request),
    },
  )
}

type DirectBody = Static<ReturnType<typeof bodyOf>>

interface Draft {
  readonly method: Method
  readonly type: 'PAYMENT' | 'AUTH'
  readonly amount: Cents
  readonly pay: (asked: AskedDirectly) => Promise<Created | undefined>
  readonly merchantReferences: MerchantReferences
  readonly callbackUrl: string | undefined
  readonly store: bigint | undefined
}

export function directPaymentRoutes(deps: DirectDeps, listed: Listed): (app: App) => void {
  const methods = listed.flatMap(({ code, direct }) => (direct === undefined ? [] : [{ code, direct }]))
  const [first] = methods
  if (first === undefined) return () => undefined

  function methodOf({ method: asked, type: word }: DirectBody) {
    const code = (asked ?? first?.code ?? '').toUpperCase()
    const method = methods.find((each) => each.code === code)
    if (method === undefined)
      return refuse('invalid_parameter', `method must be ${methods.map((each) => each.code).join(' or ')}`)
    const type = (['PAYMENT', 'AUTH'] as const).find((known) => known === word.toUpperCase())
    if (type === undefined) return refuse('invalid_parameter', 'type must be PAYMENT or AUTH')
    return type === 'AUTH' && !factsOf(method.code).holds
      ? refuse('invalid_parameter', `type must be PAYMENT with the method ${code}`)
      : ok({ method, type })
  }

  function read(body: DirectBody, { stores }: Wallet): Draft {
    const { method, type } = unwrap(methodOf(body))
    const amount = unwrap(amountWithinRange(unwrap(parseAmount(body.amount, 'amount')), 'amount'))
    if (body.currency.toUpperCase() !== 'EUR') deny('invalid_parameter', 'currency must be EUR')
    const pay = unwrap(method.direct.read(body))
    const callbackUrl = body.callback ? unwrap(webAddress(body.callback, 'callback', deps.mode)) : undefined
    if (body.store !== undefined && !stores.includes(body.store))
      deny('invalid_parameter', 'store must be one of the stores of the wallet')
    return {
      ...{ method: method.code, type, amount, pay, callbackUrl },
      merchantReferences: merchantReferencesOf(body),
      store: body.store === undefined ? undefined : BigInt(body.store),
    }
  }

  async function pay(body: DirectBody, caller: Caller, key: IdempotencyKey | undefined) {
    const wallet = await deps.wallets.get(caller.walletId)
    const draft = read(body, wallet)
    const { method, type, amount } = draft
    if (!wallet.methods.includes(method)) return deny('access_denied', unavailableReason(wallet, method))
    const split = unwrap(
      await askedSplit(deps.wallets.findByPublicId, {
        ...{ value: body.split, field: 'split', amount, wallet, caller, prices: [method] },
      }),
    )

    function opening(
      phone: string,
      change: Partial<Pick<NewOperation, 'phone' | 'underApproval'>> = {},
    ): DirectOpening {
      const now = deps.clock.now()
      const id = newId(now, deps.random)
      const operation: NewOperation = {
        ...draft.merchantReferences,
        ...{ id, walletId: wallet.id, type, status: 'PENDING', method, amount, currency: 'EUR' },
        channel: 'API',
        store: draft.store,
        items: itemsOf(body.items),
        client: { phone, ...clientOf(body.client) },
        callbackUrl: draft.callbackUrl,
        split,
        instant: body.instant || undefined,
        attemptId: id,
        underApproval: true,
        createdAt: now,
        ...change,
      }
      const answer = JSON.stringify(operationOnWire(openedOperation(operation), wallet))
      const claim = claimOf(key, { resourceId: id, href: pathOf(id), body: answer })
      return {
        ...{ id, operation, answer },
        async open(tx) {
          const [opened = false] = await insertOperations(tx, [{ operation, claim }])
          const payment = { operationId: id, amount, field: 'amount' }
          if (opened) unwrap(await admitPayment(deps, wallet, payment, tx))
          return opened
        },
      }
    }
    return draft.pay({ wallet, caller, type, amount, opening })
  }

  return (app) => {
    app.post(
      '/api/v2/payment',
      {
        config: {
          auth: { permission: 'checkout' },
          refusals: [
            'missing_parameter',
            'invalid_parameter',
            'not_found',
            'below_minimum_amount',
            'above_maximum_amount',
            'illegal_state',
            'limit_reached',
            'period_total_reached',
            'too_many_requests',
            'rail_unavailable',
          ],
        },
        schema: {
          operationId: 'createMobilePayment',
          summary: 'Ask for a payment or an authorization on a phone',
          description: methods.map(({ direct }) => direct.described).join(' '),
          tags: ['Mobile wallet'],
          body: bodyOf(methods),
          response: answers(operationSchema, first.direct.examples.answer),
        },
      },
      async (request, reply) =>
        withIdempotency(request, reply, {
          work: (key) => pay(request.body, callerOf(request), key),
        }) as never,
    )
  }
}
