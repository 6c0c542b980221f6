// The records of a run: requests, operations, callbacks, payments at ATMs.
import type { Call, Json, Merchant, Receipt, Witness } from '../world/notes.ts'
import type { WireAnswer } from '../world/wire.ts'

export interface Sending {
  readonly call: Call
  readonly asked: number
  readonly answered: number
  readonly answer: WireAnswer | undefined
  readonly movedSeconds: { readonly asked: number; readonly answered: number }
}

export interface Sighting {
  readonly walletId: number
  readonly operation: Json
  readonly asked: number
  readonly answered: number
}

export interface Notes {
  readonly requests: Map<string, Sending[]>
  readonly wrong: string[]
  readonly sightings: Map<string, Sighting[]>
  readonly receipts: Receipt[]
  readonly feeds: {
    readonly walletId: number
    readonly after: string | undefined
    readonly ids: readonly string[]
  }[]
  readonly atAtm: { readonly typed: Json; readonly answer: Json }[]
  readonly consumers: Map<string, number>
  readonly merchants: Map<number, Merchant>
  readonly counts: { asked: number; unknownAnswer: number }
}

/** The gateway keeps a key for 30 days. Near that age the model accepts both results. */
export const keptSeconds = 29 * 86_400

export function createNotes(): { readonly notes: Notes; readonly witness: Witness } {
  const notes: Notes = {
    requests: new Map(),
    wrong: [],
    sightings: new Map(),
    receipts: [],
    feeds: [],
    atAtm: [],
    consumers: new Map(),
    merchants: new Map(),
    counts: { asked: 0, unknownAnswer: 0 },
  }
  let order = 0
  let movedSeconds = 0
  const movedWhenAsked = new Map<number, number>()
  return {
    notes,
    witness: {
      asked({ merchant }) {
        notes.merchants.set(merchant.wallet_id, merchant)
        notes.counts.asked += 1
        order += 1
        movedWhenAsked.set(order, movedSeconds)
        return order
      },
      answered(call, asked, answer) {
        order += 1
        const moved = { asked: movedWhenAsked.get(asked) ?? movedSeconds, answered: movedSeconds }
        movedWhenAsked.delete(asked)
        const sending = { call, asked, answered: order, answer, movedSeconds: moved }
        if (answer === undefined) notes.counts.unknownAnswer += 1
        else noteAnswer(notes, sending, answer)
        if (call.key === undefined) return
        const name = `${call.merchant.wallet_id} ${call.key}`
        const before = notes.requests.get(name)
        if (before === undefined) notes.requests.set(name, [sending])
        else before.push(sending)
      },
      received: (receipt) => void notes.receipts.push(receipt),
      paidAtAtm: (typed, answer) => void notes.atAtm.push({ typed, answer }),
      consumer: (email, cents) => void notes.consumers.set(email, cents),
      moved(seconds) {
        movedSeconds += seconds
      },
    },
  }
}

function noteAnswer(
  notes: Notes,
  { call, asked, answered, movedSeconds }: Sending,
  answer: WireAnswer,
): void {
  const { merchant, request, verb } = call
  const said = `${request.method} ${request.path} (${verb}, wallet ${merchant.wallet_id})`
  if (answer.status >= 500 && answer.status !== 503)
    notes.wrong.push(`${said} was answered ${answer.status}: ${answer.text.slice(0, 200)}`)
  if (call.isProbe === true && ![404, 403, 503, 429].includes(answer.status))
    notes.wrong.push(`${said} is about another merchant, and was answered ${answer.status}`)
  const read = /^\/api\/v2\/requests\/(.+)$/.exec(request.path)?.[1]
  const [first] = notes.requests.get(`${merchant.wallet_id} ${read}`) ?? []
  if (
    first !== undefined &&
    movedSeconds.answered - first.movedSeconds.asked < keptSeconds &&
    answer.status === 404
  )
    notes.wrong.push(`${said} made something, and is answered 404`)
  const verified = verb === 'verify forgery' && answer.status === 200
  const denied = verb === 'verify' && answer.status === 400
  if (verified || denied) notes.wrong.push(`${said} was answered ${answer.text}: ${request.body}`)
  if (answer.status !== 200 || answer.headers['idempotent-replayed'] === 'true') return
  if (call.isProbe === true || request.path.includes('dry_run')) return
  if (request.path.startsWith('/api/v2/events')) {
    const after = /[?&]after=([^&]+)/.exec(request.path)?.[1]
    const ids = JSON.parse(answer.text).events.map(({ id }: Json) => id)
    notes.feeds.push({ walletId: merchant.wallet_id, after, ids })
  }
  for (const operation of operationsIn(answer.text)) {
    const sighting = { walletId: merchant.wallet_id, operation, asked, answered }
    const seen = notes.sightings.get(operation.id)
    if (seen === undefined) notes.sightings.set(operation.id, [sighting])
    else seen.push(sighting)
  }
}

function operationsIn(text: string): Json[] {
  const found: Json[] = []
  try {
    JSON.parse(text, (_name, value) => {
      if (value?.id !== undefined && value.type !== undefined && value.amount_net !== undefined)
        found.push(value)
      return value
    })
  } catch {}
  return found
}
