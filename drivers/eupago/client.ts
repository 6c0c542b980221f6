// Calls to Eupago: its older REST calls, version 1.02, and the management API.
import type { Cents } from '../../src/kernel/money.ts'
import { type Clock, type Instant, minute, second } from '../../src/kernel/time.ts'
import { type Json, jsonOf, referenceOf, textOf } from '../shared/texts.ts'
import { centsOf, paidAtOf } from './rules.ts'
import type { EupagoSettings } from './settings.ts'

/**
 * The driver does not know whether Eupago executed the call. The message contains only the HTTP status, because a
 * body can contain personal data.
 */
class EupagoUnclear extends Error {
  readonly code: string

  constructor(status: number, what: string) {
    super(`Eupago answered ${status}: ${what}`)
    this.code = `EUPAGO_${status}`
  }
}

export interface EupagoPayment {
  readonly id: string
  readonly entity: string
  readonly reference: string
  readonly amount: Cents
  readonly paidAt: Instant | undefined
}

export type EupagoClient = ReturnType<typeof createClient>

export function createClient(
  { apiBase, apiKey, clientId, clientSecret }: EupagoSettings,
  { fetch, clock }: { readonly fetch: typeof globalThis.fetch; readonly clock: Clock },
) {
  let token: { readonly text: string; readonly until: number } | undefined

  async function send(path: string, init: RequestInit & { readonly headers?: Record<string, string> }) {
    const headers = { accept: 'application/json', 'content-type': 'application/json', ...init.headers }
    const response = await fetch(apiBase + path, { ...init, headers, redirect: 'error' })
    const body = jsonOf(await response.text())
    // A refused key, a limit, a time-out or a failure says nothing about the payment.
    const isAnswer = response.ok || (response.status >= 400 && response.status < 500)
    if (!isAnswer || body === undefined || [401, 403, 404, 408, 425, 429].includes(response.status))
      throw new EupagoUnclear(response.status, 'no answer to the question')
    return { isOk: response.ok, body }
  }

  const post = (path: string, body: object, headers: Record<string, string>, signal?: AbortSignal) =>
    send(path, { method: 'POST', body: JSON.stringify(body), headers, ...(signal && { signal }) })

  /** Reuses a token until a minute before its end. By the documents, a call does not need a new one. */
  async function authorized(): Promise<Record<string, string>> {
    if (token === undefined || token.until <= clock.now()) {
      const asked = { client_id: clientId, client_secret: clientSecret, grant_type: 'client_credentials' }
      const { isOk, body } = await post('/api/auth/token', asked, {})
      const { access_token: text, expires_in: seconds } = body
      if (!isOk || typeof text !== 'string') throw new EupagoUnclear(200, 'no token')
      token = { text, until: clock.now() + Number(seconds ?? 0) * second - minute }
    }
    return { authorization: `Bearer ${token.text}` }
  }

  return {
    /**
     * Calls the older API, with the key in the body. `estado` below zero is a refusal. Zero means only that Eupago
     * answered (observed).
     */
    async older(path: string, body: object, signal?: AbortSignal) {
      const { body: answer } = await post(`/clientes/rest_api${path}`, { chave: apiKey, ...body }, {}, signal)
      const estado = Number(answer.estado)
      if (!Number.isInteger(estado)) throw new EupagoUnclear(200, 'no estado')
      return { estado, body: answer }
    },
    /** Calls version 1.02 of the API, with the key in a header. */
    newer: (path: string, body: object, signal?: AbortSignal) =>
      post(`/api/v1.02${path}`, body, { authorization: `ApiKey ${apiKey}` }, signal),
    async refund(transaction: string, body: object, signal?: AbortSignal) {
      const path = `/api/management/v1.02/refund/${encodeURIComponent(transaction)}`
      return post(path, body, await authorized(), signal)
    },
    /** Eupago's word for the state of a refund. */
    async refundStatus(id: string): Promise<string> {
      const path = `/api/management/v1.02/refund/${encodeURIComponent(id)}`
      const { body } = await send(path, { method: 'GET', headers: await authorized() })
      return textOf((body.refundList as Json | undefined)?.status)
    },
    /**
     * Paid transactions with our identifier. The driver filters the list again, because Eupago does not document the
     * filter.
     */
    async transactionsOf(identifier: string): Promise<readonly EupagoPayment[]> {
      const query = new URLSearchParams({ identifier })
      const path = `/api/management/v1.02/transactions?${query}`
      const { isOk, body } = await send(path, { method: 'GET', headers: await authorized() })
      const { transactionList: list } = body
      if (!isOk || !Array.isArray(list)) throw new EupagoUnclear(200, 'no list of transactions')
      return list
        .filter(
          (one: Json) =>
            textOf(one.identifier) === identifier && /^(paga|transferida)$/i.test(textOf(one.status)),
        )
        .map((one: Json) => ({
          ...{ id: textOf(one.trid), entity: textOf(one.entity), reference: referenceOf(one.reference) },
          ...{ amount: amountIn(one.amount), paidAt: paidAtOf(textOf(one.datePayment)) },
        }))
    },
  }
}

/** Payments in the answer about a reference. Throws if the answer contradicts itself. */
export function paymentsIn(body: Json): readonly EupagoPayment[] {
  const { pagamentos, estado_referencia: state } = body
  const list = Array.isArray(pagamentos) ? (pagamentos as Json[]) : []
  const paid = list.filter((one) => /^paga$/i.test(textOf(one.estado ?? 'paga')))
  if (/^paga$/i.test(textOf(state)) !== paid.length > 0 && textOf(state) !== 'pendente')
    throw new EupagoUnclear(200, 'a paid reference without a payment')
  return paid.map((one) => ({
    ...{ id: textOf(one.trid), entity: textOf(body.entidade), reference: referenceOf(body.referencia) },
    amount: amountIn(one.valor),
    paidAt: paidAtOf(textOf(one.data_pagamento), textOf(one.hora_pagamento)),
  }))
}

function amountIn(value: unknown): Cents {
  const amount = centsOf(value)
  if (amount === undefined) throw new EupagoUnclear(200, 'a payment without an amount')
  return amount
}
