// Mandates of MB WAY. SPG has no versions of a mandate, so the driver counts them.
import type { RailRequest } from '../../../src/connections/index.ts'
import { cents } from '../../../src/kernel/money.ts'
import type {
  MobileWallet,
  NotReceived,
  UnknownAnswer,
  WalletMandateAnswer,
  WalletMandateChange,
  WalletMandateHistory,
  WalletMandateRequest,
  WalletPaymentRequest,
} from '../../../src/rails/index.ts'
import { centsOf, type SpgReply } from '../client.ts'
import {
  createOnce,
  declined,
  type NotedChange,
  type NotedMandate,
  notedAs,
  notFound,
  type Spg,
  within,
} from '../requests.ts'
import { merchantTransactionIdOf, phoneOf } from '../rules.ts'
import { changesWith, type SeenMandate, stateAfter } from './mandate-rules.ts'

const nameLengthMax = 45

type Verbs = Pick<MobileWallet, 'requestMandate' | 'withdrawMandate' | 'mandateHistory' | 'cancelMandate'>

export interface Mandates extends Verbs {
  /** SPG's id of an active mandate for the merchant and phone of the payment. */
  usableFor(request: WalletPaymentRequest): Promise<string | undefined>
  /** Asks SPG after a notification, and records each change. */
  look(key: string, isRefused: boolean): Promise<void>
}

interface Known {
  readonly request: RailRequest
  readonly noted: NotedMandate
  readonly transactionId: string
}

export function mandatesOf(spg: Spg): Mandates {
  const { requests } = spg
  const [asking, looking] = [createOnce(), createOnce()]

  return {
    async requestMandate(asked, signal) {
      signal?.throwIfAborted()
      return asking(asked.key, () => ask(within(spg, signal), asked))
    },
    async mandateHistory(key, afterVersion): Promise<WalletMandateHistory | UnknownAnswer> {
      const noted = notedAs(await requests.find(key), 'mandate')
      if (noted?.decline !== undefined) return { kind: 'changes', changes: [] }
      const known = await resolve(spg, key)
      if (known === undefined) return notFound
      const changes = await looking(key, () => look(spg, known))
      return {
        kind: 'changes',
        changes: changes.filter(({ version }) => version > afterVersion).map(changeOf),
      }
    },
    async withdrawMandate(key, signal) {
      signal?.throwIfAborted()
      return (await end(within(spg, signal), key, 'withdrawn')) as Awaited<
        ReturnType<Verbs['withdrawMandate']>
      >
    },
    async cancelMandate(key, signal) {
      signal?.throwIfAborted()
      const { request } = await requests.begin(key, 'cancel')
      if (request.steps.creation === undefined) return { kind: 'cancelled' }
      return (await end(within(spg, signal), key, 'cancelled')) as Awaited<ReturnType<Verbs['cancelMandate']>>
    },
    async usableFor({ mandate: key, merchant, phone }) {
      const request = key === undefined ? undefined : await requests.find(key)
      const noted = notedAs(request, 'mandate')
      if (noted === undefined || request?.walletId !== merchant.id || noted.phone !== phoneOf(phone))
        return undefined
      return stateAfter(noted.changes).state === 'active' ? request.ids.mandate : undefined
    },
    async look(key, isRefused) {
      const known = await resolve(spg, key)
      if (known === undefined) return
      const noted = isRefused ? { ...known.noted, refused: true } : known.noted
      if (isRefused) await note(spg, key, noted)
      await looking(`${key} ${isRefused}`, () => look(spg, { ...known, noted }))
    },
  }
}

async function ask(
  spg: Spg,
  { key, merchant, phone: e164, kind, expires }: WalletMandateRequest,
): Promise<WalletMandateAnswer | UnknownAnswer> {
  const { client, requests, clock } = spg
  const before = await requests.find(key)
  if (before?.steps.creation === undefined && clock.now() >= expires) return declined('expired')
  const started = await requests.begin(key, 'creation')
  const seen = notedAs(started.request, 'mandate')
  if (seen?.decline !== undefined) return declined(seen.decline)
  if (started.request.steps.cancel !== undefined) return declined('withdrawn')
  if (started.before !== 'new' && (await resolve(spg, key)) !== undefined) return { kind: 'waiting' }
  const noted: NotedMandate = { kind: 'mandate', phone: phoneOf(e164), expires, changes: [] }
  await requests.record(key, 'asked', { answer: noted })
  const reply = await client.post('/mbway-mandates/creation', {
    body: {
      ...client.merchant(merchantTransactionIdOf(key)),
      mandate: {
        mandateType: kind,
        aliasMBWAY: noted.phone,
        customerName: merchant.name.slice(0, nameLengthMax),
      },
    },
  })
  if (reply.kind === 'taken' && reply.body.paymentStatus !== 'Declined') {
    await noteCreation(spg, key, noted, reply.body.transactionId ?? reply.body.transactionID)
    return { kind: 'waiting' }
  }
  // If SPG refuses the repetition, the first request may have arrived.
  if (started.before !== 'new')
    return { kind: 'unknown', why: 'SIBS took the first request, or refuses both' }
  const status = reply.kind === 'refused' ? reply.code : 'Declined'
  await requests.record(key, 'creation', { status, answer: { ...noted, decline: 'refused' } })
  return declined('refused')
}

async function noteCreation(
  { requests }: Spg,
  key: string,
  answer: NotedMandate,
  id: string | undefined,
): Promise<void> {
  if (id === undefined) throw new Error('SIBS named no transaction')
  await requests.record(key, 'creation', { providerId: id, ids: { creation: id }, answer })
}

/** Undefined if SPG never received the request. */
async function resolve(spg: Spg, key: string): Promise<Known | undefined> {
  const { client, requests } = spg
  const request = await requests.find(key)
  const noted = notedAs(request, 'mandate')
  const transactionId = request?.ids.creation
  if (request !== undefined && noted !== undefined && transactionId !== undefined)
    return { request, noted, transactionId }
  if (request?.steps.creation === undefined) return undefined
  const id = merchantTransactionIdOf(key)
  const reply = await client.get(`/payments/status?merchantTransactionId=${id}`)
  if (reply.kind === 'unknown') return undefined
  if (reply.kind === 'refused') throw new Error('SIBS refuses to say')
  const found = reply.body.transactionID
  if (noted === undefined || found === undefined) throw new Error('the request was not noted')
  await noteCreation(spg, key, noted, found)
  return resolve(spg, key)
}

async function look(spg: Spg, { request, noted, transactionId }: Known): Promise<readonly NotedChange[]> {
  const { client, clock } = spg
  const reply = await client.post(`/mbway-mandates/${transactionId}/inquiry`, {
    ...{ body: {}, phone: noted.phone },
  })
  const seen = seenOf(reply)
  const changes = changesWith(noted.changes, seen, {
    isOver: clock.now() >= noted.expires,
    isRefused: noted.refused === true,
  })
  if (changes.length > noted.changes.length) await note(spg, request.key, { ...noted, changes }, { reply })
  const isLive = seen.status === 'ACTV' || seen.status === 'SSPN'
  if (isLive && stateAfter(changes).state === 'over') await endAfterAll(spg, request.key)
  return changes
}

async function endAfterAll(spg: Spg, key: string): Promise<void> {
  const { logger } = spg
  logger.warn({ request: key }, 'a mandate that has ended here is active at SIBS: cancelling it there')
  const known = await resolve(spg, key)
  if (known !== undefined) await cancelAtSpg(spg, known)
}

async function note(
  { requests }: Spg,
  key: string,
  answer: NotedMandate,
  { reply, status }: { readonly reply?: SpgReply; readonly status?: string } = {},
): Promise<void> {
  const id = reply?.kind === 'taken' ? reply.body.mandate?.mandateId : undefined
  const named = id === undefined ? {} : { providerId: id, ids: { mandate: id } }
  await requests.record(key, 'look', { answer, ...named, ...(status !== undefined && { status }) })
}

async function cancelAtSpg({ client }: Spg, { request, noted, transactionId }: Known): Promise<SpgReply> {
  return client.post(`/mbway-mandates/${transactionId}/cancel`, {
    body: client.merchant(merchantTransactionIdOf(request.key, 'x')),
    ...{ phone: noted.phone },
  })
}

async function end(
  spg: Spg,
  key: string,
  wanted: 'withdrawn' | 'cancelled',
): Promise<{ readonly kind: 'withdrawn' | 'cancelled' | 'over' } | UnknownAnswer | NotReceived> {
  const known = await resolve(spg, key)
  if (known === undefined) return notFound
  const { state } = stateAfter(await look(spg, known))
  const fresh = (await resolve(spg, key)) ?? known
  if (state === 'over')
    return {
      kind:
        wanted === 'cancelled' ? 'cancelled' : fresh.request.status === 'withdrawn' ? 'withdrawn' : 'over',
    }
  if (wanted === 'withdrawn' && state !== 'requested') return { kind: 'over' }
  const reply = await cancelAtSpg(spg, fresh)
  if (reply.kind !== 'taken') return { kind: 'unknown', why: 'SIBS does not end the mandate now' }
  const kind = state === 'requested' ? 'expired' : 'cancelled'
  const changes = [...fresh.noted.changes, { version: fresh.noted.changes.length + 1, kind } as const]
  await note(spg, key, { ...fresh.noted, changes }, { status: wanted })
  return { kind: wanted }
}

function seenOf(reply: SpgReply): SeenMandate {
  if (reply.kind === 'unknown') return { status: 'unknown', limit: undefined, expiryDate: undefined }
  if (reply.kind === 'refused') throw new Error('SIBS refuses to say')
  const { mandateStatus: status = '', amountLimit, mandateExpirationDate: expiry } = reply.body.mandate ?? {}
  return { status, limit: centsOf(amountLimit), expiryDate: /^\d{4}-\d{2}-\d{2}/.exec(expiry ?? '')?.[0] }
}

function changeOf(change: NotedChange): WalletMandateChange {
  return 'limit' in change ? { ...change, limit: cents(BigInt(change.limit)) } : change
}
