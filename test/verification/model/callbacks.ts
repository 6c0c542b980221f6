// Checks callbacks: each one that is due arrived, correct and signed, and no other did.
import { createHmac } from 'node:crypto'
import type { Json, Receipt } from '../world/notes.ts'
import type { Books } from './books.ts'
import type { Notes } from './notes.ts'

/** After this many attempts the gateway gives a delivery up. */
const attemptsMax = 13
/** The API itself answers other actions of a merchant, so they need no callback. */
const owes = ['PAYMENT', 'AUTH', 'CAPTURE', 'RELEASE']

export function checkCallbacks({ receipts, feeds }: Notes, books: readonly Books[]): string[] {
  const receivedBy = new Map<number, Map<string, Receipt[]>>()
  for (const receipt of receipts) {
    const own = receivedBy.get(receipt.walletId) ?? new Map<string, Receipt[]>()
    receivedBy.set(receipt.walletId, own)
    const id = receipt.headers['webhook-id'] ?? ''
    own.set(id, [...(own.get(id) ?? []), receipt])
  }
  return books.flatMap((one) => {
    const received = receivedBy.get(one.merchant.wallet_id) ?? new Map()
    return [
      ...checkReceipts(one, received),
      ...checkEvents(one, received),
      ...checkFeeds(one, feeds),
      ...checkOwed(one),
    ]
  })
}

function checkReceipts(
  { merchant, events }: Books,
  received: ReadonlyMap<string, readonly Receipt[]>,
): string[] {
  const known = new Map(events.map((event) => [event.id, event]))
  const password = Buffer.from(`${merchant.callback_user}:${merchant.callback_secret}`).toString('base64')
  const key = Buffer.from(merchant.callback_signing_secret.replace('whsec_', ''), 'base64')
  const wrong: string[] = []
  for (const [id, copies] of received)
    for (const { headers, body } of copies) {
      const said = `callback ${id} to wallet ${merchant.wallet_id}`
      const event = known.get(id)
      if (event === undefined) wrong.push(`${said} is no event of that wallet: ${body.slice(0, 200)}`)
      else if (JSON.stringify(event.body) !== body)
        wrong.push(`${said} differs from the event: ${body.slice(0, 200)}`)
      const signed = `${id}.${headers['webhook-timestamp']}.${body}`
      const signature = `v1,${createHmac('sha256', key).update(signed).digest('base64')}`
      if (!(headers['webhook-signature'] ?? '').split(' ').includes(signature))
        wrong.push(`${said} has a wrong signature`)
      if (headers.authorization !== `Basic ${password}`) wrong.push(`${said} has a wrong password`)
    }
  return wrong
}

function checkEvents(
  { merchant, events }: Books,
  received: ReadonlyMap<string, readonly Receipt[]>,
): string[] {
  const wrong: string[] = []
  const ids = new Set<string>()
  for (const { id, event, delivery } of events) {
    const said = `event ${id} (${event}) of wallet ${merchant.wallet_id}`
    if (ids.has(id)) wrong.push(`${said} is twice in the feed`)
    ids.add(id)
    const copies = received.get(id) ?? []
    const isDelivered = ['DELIVERED', 'VERIFIED'].includes(delivery.state)
    const isGivenUp = delivery.state === 'GIVEN_UP' && delivery.attempts >= attemptsMax
    if (delivery.state === 'DELIVERED' && !copies.some(({ reply }) => reply === 200))
      wrong.push(`${said} is DELIVERED, and its receiver never answered 200`)
    if (!isDelivered && !isGivenUp)
      wrong.push(
        `${said} is ${delivery.state} after ${delivery.attempts} attempts, when everything had time to arrive`,
      )
  }
  return wrong
}

/** Checks that the events after a cursor stay the same, so that no reader misses one. */
function checkFeeds({ merchant, events }: Books, feeds: Notes['feeds']): string[] {
  const ids = events.map(({ id }) => id)
  return feeds
    .filter(({ walletId }) => walletId === merchant.wallet_id)
    .filter(({ after, ids: read }) => {
      const from = after === undefined ? 0 : ids.indexOf(after) + 1
      return read.join() !== ids.slice(from, from + read.length).join()
    })
    .map(
      ({ after }) =>
        `the feed of wallet ${merchant.wallet_id} after ${after ?? 'its beginning'} was another one before`,
    )
}

/** Checks that each ended operation has one event, and that no event is false. */
function checkOwed({ merchant, operations, events, subscriptions, mandates }: Books): string[] {
  const ends = new Map<string, Json[]>()
  const current = new Map(operations.map((operation) => [operation.id, operation]))
  const wrong = events.flatMap((event) => {
    const operation = current.get(event.body.operation_id)
    if (operation !== undefined && !['PENDING', 'USERERROR'].includes(event.event))
      ends.set(operation.id, [...(ends.get(operation.id) ?? []), event.event])
    return checkEvent(event, merchant.wallet_id, operation)
  })
  for (const { id, type, status, parent } of operations) {
    const said = ends.get(id) ?? []
    const isOwed = owes.includes(type) && ['COMPLETED', 'FAIL'].includes(status)
    if (said.length > 1)
      wrong.push(
        `operation ${id} (${type}) ended once, and has ${said.length} events of it: ${said.join(', ')}`,
      )
    if (isOwed && said.length === 0)
      wrong.push(`operation ${id} (${type} ${status}, parent ${parent}) has no event that says so`)
  }
  return [...wrong, ...checkCharges(subscriptions, events), ...checkMandates(mandates, events)]
}

function checkEvent({ id, kind, event, body }: Json, walletId: number, operation: Json): string[] {
  const said = `event ${id} (${event}) of wallet ${walletId}`
  const wrong = []
  if (body.user !== undefined && body.user !== walletId) wrong.push(`${said} names wallet ${body.user}`)
  if (kind !== 'operation' || event === 'USERERROR') return wrong
  if (operation === undefined)
    return [...wrong, `${said} is about operation ${body.operation_id}, which the wallet does not have`]
  if (event !== 'PENDING' && event !== operation.status)
    wrong.push(`${said} is about operation ${operation.id}, which is ${operation.status}`)
  const { amount, type, ext_invoiceid = null } = operation
  for (const [field, right] of Object.entries({ amount, type, ext_invoiceid }))
    if (body[field] !== right) wrong.push(`${said} has ${field} ${body[field]}, and the operation ${right}`)
  return wrong
}

function checkCharges(subscriptions: readonly Json[], events: readonly Json[]): string[] {
  const told = new Map<string, string[]>()
  for (const { kind, event, body } of events)
    if (kind === 'charge') told.set(body.charge_order_id, [...(told.get(body.charge_order_id) ?? []), event])
  return subscriptions.flatMap(({ charges }) =>
    charges
      .filter(({ id, status }: Json) => (told.get(id) ?? []).join() !== status)
      .map(
        ({ id, status }: Json) =>
          `charge ${id} is ${status}, and its events say ${told.get(id)?.join(', ') ?? 'nothing'}`,
      ),
  )
}

function checkMandates(mandates: readonly Json[], events: readonly Json[]): string[] {
  const told = new Set(
    events.filter(({ kind }) => kind === 'mandate').map(({ event, body }) => `${body.mandate_id} ${event}`),
  )
  return mandates
    .filter(
      ({ state, mandate_id }) => ['EXPIRED', 'VOIDED'].includes(state) && !told.has(`${mandate_id} ${state}`),
    )
    .map(({ state, mandate_id }) => `mandate ${mandate_id} is ${state}, and no event says so`)
}
