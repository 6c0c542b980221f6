// Plays the merchant by the API, the customer on the pages, and the networks by the sandbox's API.
import { CliError } from '../../src/cli/session.ts'
import { lisbonDayOf } from '../../src/kernel/lisbon.ts'
import { randomId, systemRandomness } from '../../src/kernel/random.ts'
import { instant } from '../../src/kernel/time.ts'
import type { Gateway, Json } from '../gateway.ts'
import { type Customer, createCustomer } from './customer.ts'

export interface Step {
  readonly did: string
  readonly ids: Readonly<Record<string, string>>
}

export interface Actor {
  readonly customer: Customer
  api(path: string, body?: unknown, how?: { readonly method?: string; readonly esb?: boolean }): Promise<Json>
  sandbox(path: string, body?: unknown): Promise<Json>
  did(words: string, ids?: Readonly<Record<string, string>>): void
  checkout(body: object): Promise<Json>
  newPhone(): string
  /** The request that waits on a phone. Throws if the phone has no request. */
  askedOn(phone: string): Promise<Json>
  /** Today in Lisbon by the sandbox's clock, as yyyy-mm-dd. */
  today(): Promise<string>
  newRequestId(): string
}

/** One way to cause a callback. */
export interface Path {
  readonly name: string
  readonly formerName?: string
  readonly summary: string
  readonly callback: string
  /** The last step is a call of the merchant, so its callback needs self events. */
  readonly ownCall?: boolean
  act(actor: Actor): Promise<string>
}

export const amount = { amount: '10.00', currency: 'EUR' } as const

export function createActor(gateway: Gateway, steps: Step[], stopped: AbortSignal): Actor {
  const { url, esbToken } = gateway.place
  const thanks = `${url}/sandbox/thanks`
  const newRequestId = () => randomId(systemRandomness)
  const did: Actor['did'] = (words, ids = {}) => void steps.push({ did: words, ids })

  const api: Actor['api'] = async (path, body, { method, esb = false } = {}) => {
    if (esb && esbToken === undefined)
      throw new CliError('no_esb_token', 'the card API needs an ESB token: set COMPORTA_ESB_TOKEN')
    return gateway.ask(path, {
      ...(body !== undefined && { body }),
      ...(method !== undefined && { method }),
      ...(esb && { headers: { 'proxy-authorization': `ESBToken=${esbToken}` } }),
    })
  }
  const sandbox: Actor['sandbox'] = (path, body) =>
    gateway.ask(`/sandbox/api/${path}`, body === undefined ? {} : { body })

  return {
    customer: createCustomer(stopped),
    api,
    sandbox,
    did,
    newRequestId,
    async checkout(body) {
      const asked = { request_id: newRequestId(), url_confirm: thanks, url_cancel: thanks, ...body }
      const made = await api('/api/v2/checkout', asked)
      const { payment, authorization, subscription } = made
      const operation = payment?.id ?? authorization?.id
      did('the merchant made a checkout', {
        checkout_id: made.id,
        ...(operation !== undefined && { operation_id: operation }),
        ...(subscription !== undefined && { subscription_id: subscription.id }),
      })
      return made
    },
    newPhone() {
      const digits = [...systemRandomness.bytes(6)].map((byte) => byte % 10).join('')
      // The number ends in 0, because nobody has the numbers that end in 99.
      return `+35191${digits}0`
    },
    async askedOn(phone) {
      const { requests } = await sandbox(`phones/${encodeURIComponent(phone)}`)
      const waiting = requests.find(({ state }: Json) => state === 'PENDING')
      if (waiting === undefined) throw new CliError('failed', `no request waits on the phone ${phone}`)
      return waiting
    },
    async today() {
      const { now } = await sandbox('clock')
      return lisbonDayOf(instant(Date.parse(now)))
    },
  }
}
