// What the merchant does, one API call each: refund, divide, reserve, capture, release, pay out, and look again.
import { type Comporta, type ComportaError, fromCents, type Operation, toCents } from '@comporta/sdk'
import type { Page } from '../layout.ts'
import type { Done, Order, Selling } from '../sessions.ts'
import { newReference, type Shop, type Visit } from '../shop.ts'

export const sellingPath = '/selling'

const client = { name: 'Ana Silva', email: 'ana@exemplo.pt' }
/** The API's longest page. */
const readMax = 30
const currency = 'EUR' as const

export const actions: Page['forms'] = {
  [`${sellingPath}/look`]: (shop, visit) => act(shop, visit, 'looked', async () => undefined),
  [`${sellingPath}/refund`]: (shop, visit) =>
    actOn(shop, visit, 'refunded', ({ operations }, id, amount) =>
      operations.refund(id, amount === undefined ? { type: 'full' } : { type: 'partial', amount }),
    ),
  [`${sellingPath}/capture`]: (shop, visit) =>
    actOn(shop, visit, 'captured', ({ authorizations }, id, amount) =>
      authorizations.capture(id, amount === undefined ? {} : { amount }),
    ),
  [`${sellingPath}/release`]: (shop, visit) =>
    actOn(shop, visit, 'released', ({ authorizations }, id, amount) =>
      authorizations.release(id, amount === undefined ? {} : { amount }),
    ),
  [`${sellingPath}/split`]: divide,
  [`${sellingPath}/payout`]: payOut,
  [`${sellingPath}/reserve`]: reserve,
}

/** `POST /api/v2/operations/<id>/split`: another seller gets half of it. */
async function divide(shop: Shop, visit: Visit): Promise<string> {
  const { sellerPublicId } = await shop.options.credentials()
  if (sellerPublicId === undefined) return problem(shop, visit, 'no_seller')
  return actOn(shop, visit, 'divided', ({ operations }, id) =>
    operations.split(id, { split: [{ merchant_wallet: sellerPublicId, amount_fraction: '1/2' }] }),
  )
}

/** `POST /api/v2/payouts`. */
async function payOut(shop: Shop, visit: Visit): Promise<string> {
  if (amountOf(visit) === undefined) return problem(shop, visit, 'no_amount')
  return act(shop, visit, 'paid_out', ({ payouts }, amount) => payouts.create({ amount: amount ?? '' }))
}

/** `POST /api/v2/checkout` with an `authorization`: the amount is reserved on the gateway's page. */
async function reserve(shop: Shop, visit: Visit): Promise<string> {
  const amount = amountOf(visit)
  if (amount === undefined) return problem(shop, visit, 'no_amount')
  const { session } = visit
  const basket = { tshirt: 0, mug: 0 }
  const order: Order = { reference: newReference('HOLD'), kind: 'reservation', basket, state: 'begun' }
  await shop.wantCallbacks()
  // Remembered before the call, because its callback may be faster than its answer.
  session.orders.set(order.reference, order)
  const back = shop.url(`${sellingPath}/return`, visit, {})
  const { answer: checkout, error } = await shop.ask(visit, ({ checkouts }) =>
    checkouts.create({
      authorization: { amount, currency, ext_invoiceid: order.reference, client },
      url_confirm: back,
      url_cancel: back,
    }),
  )
  if (checkout) return shop.sendTo(checkout.url_redirect, visit)
  order.state = 'refused'
  session.selling = { ...session.selling, ...outcome(undefined, error) }
  return shop.path(sellingPath, visit)
}

/** The browser is back from the checkout, which proves nothing: the shop asks what there is. */
export async function comeBack(shop: Shop, visit: Visit): Promise<string> {
  visit.session.note({ kind: 'browser', direction: 'back', path: `${shop.base}${sellingPath}/return` })
  return act(shop, visit, 'looked', async () => undefined)
}

/** Makes the call about an operation of this visitor's: the form names it, and forms are written by anybody. */
async function actOn(
  shop: Shop,
  visit: Visit,
  done: Done,
  call: (comporta: Comporta, id: string, amount: string | undefined) => PromiseLike<unknown>,
): Promise<string> {
  const { session, fields } = visit
  const own = session.selling.operations?.find(({ id }) => id === fields.operation)
  if (own === undefined) return problem(shop, visit, 'not_yours')
  return act(shop, visit, done, (comporta, amount) => call(comporta, own.id, amount))
}

/** Makes the call, and reads what has become of everything. */
async function act(
  shop: Shop,
  visit: Visit,
  done: Done,
  call: (comporta: Comporta, amount: string | undefined) => PromiseLike<unknown>,
): Promise<string> {
  const { session, fields } = visit
  if (fields.amount !== undefined && fields.amount.trim() !== '' && amountOf(visit) === undefined)
    return problem(shop, visit, 'no_amount')
  const { error } = await shop.ask(visit, (comporta) => call(comporta, amountOf(visit)))
  session.selling = { ...session.selling, ...outcome(done, error) }
  await look(shop, visit)
  return shop.path(sellingPath, visit)
}

/** Of the merchant's latest operations those of this visitor, and the balance. */
async function look(shop: Shop, visit: Visit): Promise<void> {
  const { session } = visit
  const { answer: page } = await shop.ask(visit, ({ operations }) => operations.list({ limit: readMax }))
  const { answer: account } = await shop.ask(visit, (comporta) => comporta.account.balance())
  session.selling = {
    ...session.selling,
    ...(page && { operations: ownOf(page.elements, session) }),
    ...(account && { balance: Number(toCents(account.available)) }),
  }
  session.changed()
}

/** Orders of this visitor, and what followed them: its invoice is that of the order, or its own. */
function ownOf(operations: readonly Operation[], { orders }: Visit['session']): Operation[] {
  const own = new Set<string>()
  for (const { id, parent = '', ext_invoiceid: invoice = '' } of operations.toReversed())
    if (orders.has(invoice) || own.has(parent)) own.add(id)
  return operations.filter(({ id }) => own.has(id))
}

function outcome(done: Done | undefined, error: ComportaError | undefined) {
  const refusal = error && { code: error.code, reason: error.reason ?? '' }
  return { done: error ? undefined : done, refusal, problem: undefined }
}

function problem(shop: Shop, visit: Visit, kind: NonNullable<Selling['problem']>): string {
  const { session } = visit
  session.selling = { ...session.selling, done: undefined, refusal: undefined, problem: kind }
  return shop.path(sellingPath, visit)
}

/** What was typed, with two decimals; undefined where it is empty or no amount. */
function amountOf({ fields }: Visit): string | undefined {
  const typed = (fields.amount ?? '').trim().replace(',', '.')
  return /^\d{1,5}(\.\d{1,2})?$/.test(typed) ? fromCents(toCents(typed)) : undefined
}
