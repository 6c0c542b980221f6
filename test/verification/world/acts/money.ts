// Money acts of merchants: captures, releases, refunds, splits, payouts, references.

import type { Chance } from '../../chance.ts'
import { ask, type Question } from '../ask.ts'
import type { Json } from '../notes.ts'
import { type Act, earlier, remember, someCents, someMerchant, type Thing, written } from '../world.ts'
import { markerOf, shares } from './parts.ts'
import { sandbox } from './sandbox.ts'

function partOf(thing: Thing, chance: Chance): { readonly amount?: number | string } {
  if (chance.happens(0.3)) return {}
  const { cents = 100 } = thing.more
  const part = chance.happens(0.1) ? cents + 1 + chance.below(100) : 1 + chance.below(Math.max(1, cents))
  return { amount: written(part, chance) }
}

function followUp(verb: 'capture' | 'release'): Act {
  return async (world, step, chance) => {
    const authorization = earlier(world, 'authorization', step)
    if (authorization === undefined) return
    const { merchant, id } = authorization
    const marker = markerOf(step, verb)
    const body = { ...partOf(authorization, chance), ext_invoiceid: marker }
    const path = `/api/v2/authorizations/${id}/${verb}`
    const answer = await ask(
      world,
      merchant,
      { verb, method: 'POST', path, body, makes: true, marker },
      chance,
    )
    if (verb === 'capture' && answer?.body?.id !== undefined)
      remember(world, 'operation', {
        id: answer.body.id,
        merchant,
        more: { cents: Math.round(answer.body.amount * 100) },
      })
  }
}

const captureTwice: Act = async (world, step, chance) => {
  const authorization = earlier(world, 'authorization', step)
  if (authorization === undefined) return
  const { merchant, id, more } = authorization
  const most = Math.floor((more.cents ?? 100) / 2) + 1
  const capture = (name: string) => {
    const marker = markerOf(step, name)
    const body = { amount: written(most, chance), ext_invoiceid: marker }
    const path = `/api/v2/authorizations/${id}/capture`
    return ask(world, merchant, { verb: 'capture', method: 'POST', path, body, makes: true, marker }, chance)
  }
  await Promise.all([capture('capture'), capture('second capture')])
}

const refund: Act = async (world, step, chance) => {
  const operation = earlier(world, 'operation', step)
  if (operation === undefined) return
  const { merchant, id, more } = operation
  const part = partOf(operation, chance)
  const marker = markerOf(step, 'refund')
  const from = chance.below(10)
  const split: Json =
    from === 0
      ? { split: [] }
      : from === 1
        ? { split: listed(shares(world, merchant, more.cents, chance)) }
        : {}
  const body = {
    type: part.amount === undefined ? 'full' : 'partial',
    ...part,
    ...split,
    ext_invoiceid: marker,
  }
  const isDry = chance.happens(0.05)
  const question: Question = {
    verb: 'refund',
    method: 'POST',
    path: `/api/v2/operations/${id}/refund`,
    body,
    makes: true,
    marker,
  }
  const dry: Question = {
    ...question,
    verb: 'preview refund',
    path: `${question.path}?dry_run=true`,
    makes: false,
  }
  await ask(world, merchant, isDry ? dry : question, chance)
}

/** Writes shares in the form of a refund's list: wallets, and their parts. */
function listed(descriptors: readonly Json[]): Json[] {
  return descriptors.map(({ merchant_wallet, amount_fraction }) => ({
    merchant_wallet,
    ...(amount_fraction === undefined ? {} : { amount_fraction }),
  }))
}

const split: Act = async (world, step, chance) => {
  const operation = earlier(world, 'operation', step)
  if (operation === undefined) return
  const { merchant, id, more } = operation
  const body = { split: shares(world, merchant, more.cents ?? 100, chance) }
  const path = `/api/v2/operations/${id}/split`
  await ask(world, merchant, { verb: 'split', method: 'POST', path, body, makes: true }, chance)
}

const makeReference: Act = async (world, step, chance) => {
  const merchant = someMerchant(world, chance)
  const cents = someCents(chance)
  const marker = markerOf(step, 'mb')
  const { now } = (await sandbox(world, 'GET', 'clock')) ?? {}
  if (now === undefined) return
  const inDays = (days: number) => new Date(Date.parse(now) + days * 86_400_000).toISOString()
  const kind = chance.below(4)
  if (kind === 3) {
    const body = { min_amount: cents / 100, max_amount: (cents + 500) / 100, ext_invoiceid: marker }
    const answer = await ask(
      world,
      merchant,
      { verb: 'make reference', method: 'POST', path: '/api/v2/mb/reference', body, makes: true },
      chance,
    )
    const mb = answer?.body?.mb
    if (mb !== undefined)
      remember(world, 'reference', { id: mb.ref, merchant, more: { ...mb, cents, centsMax: cents + 500 } })
    return
  }
  const time = [
    {},
    { expires: inDays(2 + chance.below(8)) },
    { instant: true, expires: inDays(chance.below(20) / 10 + 0.01) },
  ][kind]
  const isShared = merchant === world.merchants[0] && chance.happens(0.3)
  const division = isShared ? { split: shares(world, merchant, cents, chance) } : {}
  const body = {
    amount: written(cents, chance),
    currency: 'EUR',
    ext_invoiceid: marker,
    ...time,
    ...division,
  }
  const answer = await ask(
    world,
    merchant,
    { verb: 'pay by reference', method: 'POST', path: '/api/v2/mb/pay', body, makes: true, marker },
    chance,
  )
  const { id, mb } = answer?.body ?? {}
  if (mb === undefined) return
  remember(world, 'reference', { id: mb.ref, merchant, more: { ...mb, cents } })
  remember(world, 'operation', { id, merchant, more: { cents } })
}

const deleteReference: Act = async (world, step, chance) => {
  const reference = earlier(world, 'reference', step)
  if (reference === undefined) return
  const { merchant, more } = reference
  const body = { entity: more.entity, ref: more.ref }
  await ask(
    world,
    merchant,
    { verb: 'delete reference', method: 'DELETE', path: '/api/v2/mb/reference', body },
    chance,
  )
}

const payOut: Act = async (world, step, chance) => {
  const merchant = someMerchant(world, chance)
  const marker = markerOf(step, 'payout')
  const body = { amount: written(someCents(chance), chance), ext_invoiceid: marker, notes: 'weekly' }
  const answer = await ask(
    world,
    merchant,
    { verb: 'pay out', method: 'POST', path: '/api/v2/payouts', body, makes: true, marker },
    chance,
  )
  if (answer?.body?.id !== undefined) remember(world, 'debit', { id: answer.body.id, merchant, more: {} })
}

export const moneyActs = {
  capture: followUp('capture'),
  captureTwice,
  release: followUp('release'),
  refund,
  split,
  makeReference,
  deleteReference,
  payOut,
} as const satisfies Record<string, Act>
