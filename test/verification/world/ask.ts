// Requests of a careful merchant. They have a key, are repeated, and are sometimes strange.
import type { Chance } from '../chance.ts'
import type { Call, Json, Merchant } from './notes.ts'
import type { WireAnswer, WireRequest } from './wire.ts'
import { remember, someUuid, type World } from './world.ts'

export interface Question {
  readonly verb: string
  readonly method: WireRequest['method']
  readonly path: string
  readonly body?: Json
  readonly makes?: boolean
  readonly marker?: string
  readonly isProbe?: boolean
}

const firstPauseMs = 50
const pauseMsMax = 2_000
const faults = [
  'acquirer=slow:1',
  'acquirer=silent',
  'acquirer=down',
  'acquirer=error:503',
  'mobile_wallet=silent',
  'mobile_wallet=down',
  'bank=down',
  'callbacks=error:500',
  'issuer=slow:1',
  'online_wallet=error:502',
]

export async function ask(
  world: World,
  merchant: Merchant,
  question: Question,
  chance: Chance,
): Promise<{ readonly status: number; readonly body: Json; readonly key: string | undefined } | undefined> {
  const key = question.makes === true ? someUuid(chance) : undefined
  const call = callOf(merchant, question, key, chance)
  const manner = chance.below(20)
  const isFaulty = chance.happens(0.1)
  const first = isFaulty ? { 'comporta-sandbox-chaos': chance.pick(faults) } : {}
  const both =
    key !== undefined && manner === 0 ? [untilClear(world, call), untilClear(world, call, first)] : []
  const [answer] = both.length > 0 ? await Promise.all(both) : [await untilClear(world, call, first)]
  if (answer === undefined) {
    world.unknownAnswer.add(async () => void (await untilClear(world, call)))
    return undefined
  }
  if (key !== undefined && answer.status === 200) remember(world, 'request', { id: key, merchant, more: {} })
  if (key !== undefined && manner === 1) await untilClear(world, call)
  if (key !== undefined && manner === 2 && answer.status === 200) await untilClear(world, twisted(call))
  return { status: answer.status, body: parsed(answer.text), key }
}

function callOf(merchant: Merchant, question: Question, key: string | undefined, chance: Chance): Call {
  const { verb, method, path, body, marker, isProbe } = question
  const inBody = key !== undefined && body !== undefined && (verb === 'store card' || chance.happens(0.5))
  const content = inBody ? { ...body, request_id: key } : body
  const headers = {
    authorization: `Comporta ${merchant.api_key}`,
    ...(content === undefined ? {} : { 'content-type': 'application/json' }),
    ...(path.startsWith('/prows/') ? { 'proxy-authorization': `ESBToken=${merchant.esb_token}` } : {}),
    ...(key === undefined || inBody ? {} : { 'idempotency-key': key }),
  }
  const request = {
    method,
    path,
    headers,
    ...(content === undefined ? {} : { body: JSON.stringify(content) }),
  }
  return { merchant, verb, request, key, marker, ...(isProbe === true ? { isProbe } : {}) }
}

function twisted(call: Call): Call {
  const body = JSON.parse(call.request.body ?? '{}')
  const inner = body.payment ?? body.authorization ?? body.subscription ?? body
  if (inner.amount !== undefined) inner.amount = (Math.round(Number(inner.amount) * 100) + 1) / 100
  else if (inner.max_amount !== undefined) inner.max_amount += 1
  else if (inner.phone !== undefined) inner.name = `${inner.name ?? ''} twisted`
  else if (inner.newCard !== undefined) inner.newCard.name = 'Rui Sousa'
  else if (inner.split?.[0] !== undefined) inner.split[0].descr = 'twisted'
  else inner.notes = 'twisted'
  const headers = { 'content-type': 'application/json', ...call.request.headers }
  return { ...call, isTwisted: true, request: { ...call.request, headers, body: JSON.stringify(body) } }
}

async function untilClear(
  world: World,
  call: Call,
  more: Readonly<Record<string, string>> = {},
): Promise<WireAnswer | undefined> {
  for (let round = 0; !world.isOver() || round === 0; round++) {
    const number = world.witness.asked(call)
    const headers = round === 0 ? { ...call.request.headers, ...more } : { ...call.request.headers }
    const answer = await world.wire.send({ ...call.request, headers })
    world.witness.answered(call, number, answer)
    if (answer !== undefined && isClear(answer)) return answer
    await world.wire.pause(Math.min(firstPauseMs * 2 ** round, pauseMsMax))
  }
  return undefined
}

/** An operation that never reached its network has failed, and its request is always answered so. */
const neverReachedNetwork = 40021

export function isClear({ status, text }: WireAnswer): boolean {
  const { code, operation_id } = parsed(text) ?? {}
  if (code === neverReachedNetwork && operation_id !== undefined) return true
  return status < 500 && status !== 429 && code !== 10014
}

export function parsed(text: string): Json {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
