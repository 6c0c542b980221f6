// Mandates of MB WAY: asked for, looked at after each notification, and ended. Their versions are counted here.
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
import { createOnce, declined, type NotedChange, type NotedMandate, notedOf, type Spg } from '../requests.ts'
import { merchantTransactionIdOf, phoneOf } from '../rules.ts'
import { changesWith, type SeenMandate, stateAfter } from './mandate-rules.ts'

/** SPG's limit for names. */
const nameLengthMax = 45

type Verbs = Pick<MobileWallet, 'requestMandate' | 'withdrawMandate' | 'mandateHistory' | 'cancelMandate'>

export interface Mandates extends Verbs {
  /** SPG's id of the mandate that a payment names, where it is active and of the payment's merchant and phone. */
  usableFor(request: WalletPaymentRequest): Promise<string | undefined>
  /** Looks at it after a notification, so that each change that SPG reports is counted. */
  look(key: string, isRefused: boolean): Promise<void>
}

/** A mandate that SPG has. */
interface Known {
  readonly request: RailRequest
  readonly noted: NotedMandate
  /** SPG's id of the request that made it. */
  readonly transactionId: string
}

const notFound: NotReceived = { kind: 'not_found' }

export function mandatesOf({ client, tools }: Spg): Mandates {
  const { requests, clock, logger } = tools
  const [asking, looking] = [createOnce(), createOnce()]

  async function ask(
    { key, merchant, phone: e164, kind, expires }: WalletMandateRequest,
    signal: AbortSignal | undefined,
  ): Promise<WalletMandateAnswer | UnknownAnswer> {
    const before = await requests.find(key)
    if (before?.steps.creation === undefined && clock.now() >= expires) return declined('expired')
    const begun = await requests.begin(key, 'creation')
    const seen = mandateOf(begun.request)
    if (seen?.decline !== undefined) return declined(seen.decline)
    if (begun.request.steps.cancel !== undefined) return declined('withdrawn')
    if (begun.before !== 'new' && (await resolve(key, signal)) !== undefined) return { kind: 'waiting' }
    const noted: NotedMandate = { kind: 'mandate', phone: phoneOf(e164), expires, changes: [] }
    // Should the answer be lost, this is needed to ask what became of it.
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
      signal,
    })
    if (reply.kind === 'taken' && reply.body.paymentStatus !== 'Declined') {
      await noteCreation(key, noted, reply.body.transactionId ?? reply.body.transactionID)
      return { kind: 'waiting' }
    }
    // Sent again, it may be refused because it had arrived.
    if (begun.before !== 'new')
      return { kind: 'unknown', why: 'SIBS took the first request, or refuses both' }
    const status = reply.kind === 'refused' ? reply.code : 'Declined'
    await requests.record(key, 'creation', { status, answer: { ...noted, decline: 'refused' } })
    return declined('refused')
  }

  async function noteCreation(key: string, answer: NotedMandate, id: string | undefined): Promise<void> {
    if (id === undefined) throw new Error('SIBS named no transaction')
    await requests.record(key, 'creation', { providerId: id, ids: { creation: id }, answer })
  }

  /** Undefined where SPG never got the request. */
  async function resolve(key: string, signal?: AbortSignal): Promise<Known | undefined> {
    const request = await requests.find(key)
    const noted = mandateOf(request)
    const transactionId = request?.ids.creation
    if (request !== undefined && noted !== undefined && transactionId !== undefined)
      return { request, noted, transactionId }
    if (request?.steps.creation === undefined) return undefined
    const id = merchantTransactionIdOf(key)
    const reply = await client.get(`/payments/status?merchantTransactionId=${id}`, signal)
    if (reply.kind === 'unknown') return undefined
    if (reply.kind === 'refused') throw new Error('SIBS refuses to say')
    const found = reply.body.transactionID
    if (noted === undefined || found === undefined) throw new Error('the request was not noted')
    await noteCreation(key, noted, found)
    return resolve(key, signal)
  }

  /** What SPG shows now, added to what was seen before. */
  async function look(
    { request, noted, transactionId }: Known,
    signal?: AbortSignal,
  ): Promise<readonly NotedChange[]> {
    const reply = await client.post(`/mbway-mandates/${transactionId}/inquiry`, {
      ...{ body: {}, phone: noted.phone, signal },
    })
    const seen = seenOf(reply)
    const changes = changesWith(noted.changes, seen, {
      isOver: clock.now() >= noted.expires,
      isRefused: noted.refused === true,
    })
    if (changes.length > noted.changes.length) await note(request.key, { ...noted, changes }, { reply })
    const isLive = seen.status === 'ACTV' || seen.status === 'SSPN'
    if (isLive && stateAfter(changes).state === 'over') await endAfterAll(request.key)
    return changes
  }

  /** It ended here while SPG did not answer, or too late for whoever asked: nothing is to be charged under it. */
  async function endAfterAll(key: string): Promise<void> {
    logger.warn({ request: key }, 'a mandate that is over here is active at SIBS: it is cancelled there')
    const known = await resolve(key)
    if (known !== undefined) await cancelAtSpg(known)
  }

  async function note(
    key: string,
    answer: NotedMandate,
    { reply, status }: { readonly reply?: SpgReply; readonly status?: string } = {},
  ): Promise<void> {
    const id = reply?.kind === 'taken' ? reply.body.mandate?.mandateId : undefined
    // Notifications of later changes name the mandate.
    const named = id === undefined ? {} : { providerId: id, ids: { mandate: id } }
    await requests.record(key, 'look', { answer, ...named, ...(status !== undefined && { status }) })
  }

  async function cancelAtSpg(
    { request, noted, transactionId }: Known,
    signal?: AbortSignal,
  ): Promise<SpgReply> {
    return client.post(`/mbway-mandates/${transactionId}/cancel`, {
      body: client.merchant(merchantTransactionIdOf(request.key, 'x')),
      ...{ phone: noted.phone, signal },
    })
  }

  async function end(
    key: string,
    wanted: 'withdrawn' | 'cancelled',
    signal: AbortSignal | undefined,
  ): Promise<{ readonly kind: 'withdrawn' | 'cancelled' | 'over' } | UnknownAnswer | NotReceived> {
    const known = await resolve(key, signal)
    if (known === undefined) return notFound
    const { state } = stateAfter(await look(known, signal))
    const fresh = (await resolve(key, signal)) ?? known
    if (state === 'over') return { kind: wanted === 'cancelled' ? 'cancelled' : overOrWithdrawn(fresh) }
    if (wanted === 'withdrawn' && state !== 'requested') return { kind: 'over' }
    const reply = await cancelAtSpg(fresh, signal)
    if (reply.kind !== 'taken') return { kind: 'unknown', why: 'SIBS does not end the mandate now' }
    const kind = state === 'requested' ? 'expired' : 'cancelled'
    const changes = [...fresh.noted.changes, { version: fresh.noted.changes.length + 1, kind } as const]
    await note(key, { ...fresh.noted, changes }, { status: wanted })
    return { kind: wanted }
  }

  function overOrWithdrawn({ request }: Known): 'withdrawn' | 'over' {
    return request.status === 'withdrawn' ? 'withdrawn' : 'over'
  }

  return {
    async requestMandate(asked, signal) {
      signal?.throwIfAborted()
      return asking(asked.key, () => ask(asked, signal))
    },
    async mandateHistory(key, afterVersion): Promise<WalletMandateHistory | UnknownAnswer> {
      const noted = mandateOf(await requests.find(key))
      if (noted?.decline !== undefined) return { kind: 'changes', changes: [] }
      const known = await resolve(key)
      if (known === undefined) return notFound
      const changes = await looking(key, () => look(known))
      return {
        kind: 'changes',
        changes: changes.filter(({ version }) => version > afterVersion).map(changeOf),
      }
    },
    async withdrawMandate(key, signal) {
      signal?.throwIfAborted()
      return (await end(key, 'withdrawn', signal)) as Awaited<ReturnType<Verbs['withdrawMandate']>>
    },
    async cancelMandate(key, signal) {
      signal?.throwIfAborted()
      const { request } = await requests.begin(key, 'cancel')
      if (request.steps.creation === undefined) return { kind: 'cancelled' }
      return (await end(key, 'cancelled', signal)) as Awaited<ReturnType<Verbs['cancelMandate']>>
    },
    async usableFor({ mandate: key, merchant, phone }) {
      const request = key === undefined ? undefined : await requests.find(key)
      const noted = mandateOf(request)
      if (noted === undefined || request?.walletId !== merchant.id || noted.phone !== phoneOf(phone))
        return undefined
      return stateAfter(noted.changes).state === 'active' ? request.ids.mandate : undefined
    },
    async look(key, isRefused) {
      const known = await resolve(key)
      if (known === undefined) return
      const noted = isRefused ? { ...known.noted, refused: true } : known.noted
      if (isRefused) await note(key, noted)
      await looking(`${key} ${isRefused}`, () => look({ ...known, noted }))
    },
  }
}

function mandateOf(request: RailRequest | undefined): NotedMandate | undefined {
  const noted = notedOf(request)
  return noted?.kind === 'mandate' ? noted : undefined
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
