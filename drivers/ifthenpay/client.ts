// Calls to ifthenpay: JSON over HTTPS. The driver ignores the content type of answers.
import type { Cents } from '../../src/kernel/money.ts'
import type { Instant } from '../../src/kernel/time.ts'
import { isObject, type Json, jsonOf, referenceOf, textOf } from '../shared/texts.ts'
import { centsOf, paidAtOf } from './rules.ts'
import type { IfthenpaySettings } from './settings.ts'

/**
 * The driver does not know whether ifthenpay executed the call. The message contains only the HTTP status, because a
 * body can contain personal data.
 */
export class IfthenpayUnclear extends Error {
  readonly code: string
  readonly status: number

  constructor(status: number, what: string) {
    super(`ifthenpay answered ${status}: ${what}`)
    this.code = `IFTHENPAY_${status}`
    this.status = status
  }
}

/** A payment in ifthenpay's list, which contains only paid orders. */
export interface ListedPayment {
  readonly orderId: string
  readonly requestId: string
  readonly entity: string
  readonly reference: string
  readonly amount: Cents
  readonly paidAt: Instant | undefined
}

export type IfthenpayClient = ReturnType<typeof createClient>

export function createClient(
  settings: IfthenpaySettings,
  { fetch }: { readonly fetch: typeof globalThis.fetch },
) {
  const { apiBase, paymentsPath, callbackPath, backofficeKey, antiPhishingKey, mbwayKey } = settings

  async function textAt(path: string, init: RequestInit, signal?: AbortSignal): Promise<string> {
    const headers = { accept: 'application/json', 'content-type': 'application/json' }
    const asked = { ...init, headers, redirect: 'error', ...(signal && { signal }) } as const
    const response = await fetch(apiBase + path, asked)
    return response.ok ? response.text() : fail(response.status, 'no success')
  }
  const send = async (path: string, init: RequestInit, signal?: AbortSignal): Promise<Json> =>
    jsonOf(await textAt(path, init, signal)) ?? fail(200, 'no JSON object')

  const post = (path: string, body: Json, signal?: AbortSignal) =>
    send(path, { method: 'POST', body: JSON.stringify(body) }, signal)

  return {
    post,
    /** ifthenpay's code for the state of an MB WAY request. */
    async statusOf(requestId: string, signal?: AbortSignal): Promise<string> {
      const query = new URLSearchParams({ mbWayKey: mbwayKey, requestId })
      const { Status } = await send(`/spg/payment/mbway/status?${query}`, { method: 'GET' }, signal)
      // ifthenpay failed, or the key is wrong.
      return Status === '999' ? fail(200, 'status 999') : textOf(Status)
    },
    /** ifthenpay answers a text that begins with OK (by public clients). A second registration replaces the address. */
    async registerCallback(entidade: string, subentidade: string, urlCb: string): Promise<void> {
      const body = { chave: backofficeKey, entidade, subentidade, apKey: antiPhishingKey, urlCb }
      const text = await textAt(callbackPath, { method: 'POST', body: JSON.stringify(body) })
      if (!/^"?OK/.test(text)) fail(200, `no callback for ${entidade}`)
    },
    /** The payments of one order. Throws if ifthenpay refuses the key, or if an amount is missing. */
    async paymentsOf(orderId: string, signal?: AbortSignal): Promise<readonly ListedPayment[]> {
      const answer = await post(paymentsPath, { boKey: backofficeKey, orderId }, signal)
      return listedIn(answer).filter((payment) => payment.orderId === orderId)
    },
  }
}

/** The documents describe a list. One real answer had a single payment in place of the list. */
function listedIn(answer: Json): readonly ListedPayment[] {
  const status = answer.status === undefined ? 200 : Number(answer.status)
  if (status !== 200) return fail(status, 'it lists no payments')
  const { payments = 'requestId' in answer ? answer : [] } = answer
  return (Array.isArray(payments) ? payments : [payments]).filter(isObject).map((one) => {
    const amount = centsOf(one.amount) ?? fail(status, 'a payment without an amount')
    const [orderId, requestId, entity] = [one.orderId, one.requestId, one.entity].map(textOf)
    return {
      ...{ orderId: orderId ?? '', requestId: requestId ?? '', entity: entity ?? '', amount },
      reference: referenceOf(one.reference),
      paidAt: paidAtOf(textOf(one.paymentDate)),
    }
  })
}

/** The reason of a refusal. Undefined if ifthenpay refused the key, because this says nothing about the order. */
export function refusalIn({ Message }: Json): string | undefined {
  return /unauthori[sz]ed/i.test(textOf(Message)) ? undefined : 'not_permitted'
}

function fail(status: number, what: string): never {
  throw new IfthenpayUnclear(status, what)
}
