// Balance, payouts and their schedule over HTTP.
import { type Static, Type } from 'typebox'
import { findBankOrder, findBankOrders } from '../bank-files/index.ts'
import {
  type App,
  type AppReply,
  type AppRequest,
  answers,
  callerOf,
  dateOnWire,
  idOf,
  idParameter,
  listOf,
  parseAmount,
  parsePage,
  sendText,
} from '../http/index.ts'
import { created, withIdempotency } from '../idempotency/index.ts'
import { lisbonDayOf } from '../kernel/lisbon.ts'
import { cents } from '../kernel/money.ts'
import { deny, unwrap } from '../kernel/result.ts'
import { nextTargetDay } from '../kernel/target-days.ts'
import { listOperations, readSharedFilter, sharedQuery } from '../operations/for-movements.ts'
import { findOperation, merchantReferencesOf, type Operation } from '../operations/index.ts'
import type { Wallet } from '../wallets/index.ts'
import { fundsOf, type PayoutsDeps, payOut, previewPayout } from './payout.ts'
import { findSchedule, lastRuns, setSchedule } from './schedule.ts'
import {
  balanceOnWire,
  balanceSchema,
  dryRunQuery,
  payoutBody,
  payoutExample,
  payoutOnWire,
  payoutSchema,
  readSchedule,
  scheduleBody,
  scheduleExample,
  scheduleInWords,
  scheduleOnWire,
  scheduleSchema,
} from './schemas.ts'

const reading = { permission: 'operations' } as const
const paying = { permission: 'payouts' } as const
const runsShown = 20
const listSchema = listOf(payoutSchema, 'PayoutList', 'A page of payouts.')

export function payoutRoutes(deps: PayoutsDeps): (app: App) => void {
  const { database, clock, wallets } = deps

  async function shown(payout: Operation, wallet: Wallet) {
    return payoutOnWire(payout, await findBankOrder(database, wallet.id, payout.id), wallet)
  }

  async function payoutOf(walletId: bigint, text: string): Promise<Operation> {
    const id = unwrap(idOf(text, 'payout'))
    const found = await findOperation(database, walletId, id)
    return found?.type === 'WALLETFUNDS' ? found : deny('not_found', `payout ${id} does not exist`)
  }

  async function order(request: AppRequest, reply: AppReply): Promise<AppReply> {
    const wallet = await wallets.get(callerOf(request).walletId)
    const body = (request.body ?? {}) as Static<typeof payoutBody>
    const amount = unwrap(parseAmount(body.amount, 'amount'))
    const asked = { amount, channel: 'API' as const, merchantReferences: merchantReferencesOf(body) }
    if (body.dry_run === true || (request.query as Static<typeof dryRunQuery>).dry_run === true) {
      return sendText(reply, JSON.stringify(await preview(wallet, asked)))
    }
    return withIdempotency(request, reply, {
      async work(key) {
        const { payout, isRepeated } = unwrap(await payOut(deps, wallet, { ...asked, key }))
        return isRepeated ? undefined : created(JSON.stringify(await shown(payout, wallet)))
      },
      async reread(id, mayMove) {
        const payout = await payoutOf(wallet.id, id)
        return payout.status === 'PENDING' && !mayMove
          ? undefined
          : JSON.stringify(await shown(payout, wallet))
      },
    })
  }

  async function preview(wallet: Wallet, asked: Parameters<typeof previewPayout>[2]) {
    const { payout, iban, funds } = unwrap(await previewPayout(deps, wallet, asked))
    const order = { party: { iban }, dueOn: nextTargetDay(lisbonDayOf(payout.createdAt)) }
    const after = { ...funds, onItsWay: cents(funds.onItsWay + asked.amount) }
    return { ...payoutOnWire(payout, order, wallet), dry_run: true, after: balanceOnWire(after) }
  }

  return (app) => {
    app.get(
      '/api/v2/balance',
      {
        config: { auth: reading },
        schema: {
          operationId: 'getBalance',
          summary: 'Read the balance, and pending payouts and refunds',
          description: 'The values at this moment.',
          tags: ['Payouts'],
          response: answers(balanceSchema, {
            balance: 120.4,
            pending_payouts: 10.5,
            available: 109.9,
            currency: 'EUR',
            date: '2026-03-01T18:30:00+0000',
          }),
        },
      },
      async (request) => {
        const wallet = await wallets.get(callerOf(request).walletId)
        return { ...balanceOnWire(await fundsOf(deps, wallet)), date: dateOnWire(clock.now()) }
      },
    )

    app.get(
      '/api/v2/payouts',
      {
        config: { auth: reading, refusals: ['invalid_parameter'] },
        schema: {
          operationId: 'listPayouts',
          summary: 'List payouts and their returns, newest first',
          description:
            'All payouts of your wallet that match all filters. A payout that the bank returned has a second payout with a negative amount.',
          tags: ['Payouts'],
          querystring: Type.Object(sharedQuery),
          response: answers(listSchema, { total: 1, elements: [payoutExample] }),
        },
      },
      async (request) => {
        const { walletId } = callerOf(request)
        const page = unwrap(parsePage(request.query))
        const filter = { ...unwrap(readSharedFilter(request.query)), types: ['WALLETFUNDS'] } as const
        const wallet = await wallets.get(walletId)
        const { total, operations } = await listOperations(database, walletId, filter, page)
        const ids = operations.map(({ id }) => id)
        const orders = await findBankOrders(database, walletId, ids)
        const elements = operations.map((payout) => payoutOnWire(payout, orders.get(payout.id), wallet))
        return { total, elements: elements as never }
      },
    )

    app.get(
      '/api/v2/payouts/:id',
      {
        config: { auth: reading, refusals: ['not_found'] },
        schema: {
          operationId: 'getPayout',
          summary: 'Read a payout',
          description: 'PENDING until the bank has paid or refused it.',
          tags: ['Payouts'],
          params: idParameter('payout'),
          response: answers(payoutSchema, payoutExample),
        },
      },
      async (request) => {
        const wallet = await wallets.get(callerOf(request).walletId)
        return (await shown(await payoutOf(wallet.id, request.params.id), wallet)) as never
      },
    )

    app.post(
      '/api/v2/payouts',
      {
        config: {
          auth: paying,
          people: { confirmed: 'always' },
          refusals: [
            'missing_parameter',
            'invalid_parameter',
            'illegal_state',
            'below_minimum_amount',
            'above_maximum_amount',
            'limit_reached',
            'amount_exceeds_remaining',
          ],
        },
        schema: {
          operationId: 'createPayout',
          summary: "Order a payout to the merchant's IBAN",
          description:
            'Needs the permission `payouts`, which no key has by default, and an IBAN, which the operator sets. The amount is not available any more.',
          tags: ['Payouts'],
          querystring: dryRunQuery,
          body: payoutBody,
          response: answers(payoutSchema, payoutExample),
        },
      },
      (request, reply) => order(request, reply) as never,
    )

    scheduleRoutes(deps, app)
  }
}

function scheduleRoutes(deps: PayoutsDeps, app: App): void {
  const { database, wallets } = deps

  app.get(
    '/api/v2/payouts/schedule',
    {
      config: { auth: reading },
      schema: {
        operationId: 'getPayoutSchedule',
        summary: 'Read the payout schedule and its last days',
        description: '`frequency` `none` means no schedule.',
        tags: ['Payouts'],
        response: answers(scheduleSchema, scheduleExample),
      },
    },
    async (request) => {
      const { walletId } = callerOf(request)
      return scheduleOnWire(
        await findSchedule(database, walletId),
        await lastRuns(database, walletId, runsShown),
      )
    },
  )

  app.put(
    '/api/v2/payouts/schedule',
    {
      config: {
        auth: paying,
        people: { confirmed: 'always' },
        refusals: ['missing_parameter', 'invalid_parameter', 'below_minimum_amount'],
      },
      schema: {
        operationId: 'setPayoutSchedule',
        summary: 'Set the payout schedule, from tomorrow on',
        description:
          'Replaces the whole schedule. Needs the permission `payouts`, which no key has by default.',
        tags: ['Payouts'],
        body: scheduleBody,
        response: answers(scheduleSchema, scheduleExample),
      },
    },
    async (request) => {
      const { walletId } = callerOf(request)
      const asked = unwrap(readSchedule(request.body))
      const before = await findSchedule(database, walletId)
      const schedule = await setSchedule(deps, await wallets.get(walletId), asked)
      const [old, now] = [scheduleInWords(before), scheduleInWords(schedule)]
      request.changes = [{ field: 'payout_schedule', old, new: now }]
      return scheduleOnWire(schedule, await lastRuns(database, walletId, runsShown))
    },
  )
}
