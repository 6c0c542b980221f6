// Who acts a path: the merchant by API, the customer on pages, and banks, phones and ATMs by the sandbox's own API.

import { CliError } from '../../src/cli/session.ts'
import { lisbonDayOf } from '../../src/kernel/lisbon.ts'
import { randomId, systemRandomness } from '../../src/kernel/random.ts'
import { instant } from '../../src/kernel/time.ts'
import type { Gateway, Json } from '../gateway.ts'
import { type Customer, createCustomer } from './customer.ts'

/** One thing that was done, with the ids that it made. */
export interface Step {
  readonly did: string
  readonly ids: Readonly<Record<string, string>>
}

export interface Actor {
  readonly customer: Customer
  /** The merchant's call; `ids` picks out of its answer what is shown. */
  api(path: string, body?: unknown, how?: { readonly method?: string; readonly esb?: boolean }): Promise<Json>
  sandbox(path: string, body?: unknown): Promise<Json>
  /** Writes down what was done. */
  did(words: string, ids?: Readonly<Record<string, string>>): void
  /** A checkout, ready to be opened by the customer. */
  checkout(body: object): Promise<Json>
  /** A registered phone that nobody used before. */
  newPhone(): string
  /** The request that waits on a phone; throws where there is none. */
  askedOn(phone: string): Promise<Json>
  /** Today in Lisbon by the sandbox's clock, as yyyy-mm-dd. */
  today(): Promise<string>
  newRequestId(): string
}

/** A way to bring a callback about. */
export interface Path {
  readonly name: string
  /** Another name that works too: what it was called before. */
  readonly formerName?: string
  /** What happens, for people. */
  readonly summary: string
  /** The name of the callback that it ends with. */
  readonly callback: string
  /** The merchant's own call ends it: a callback is sent only where the wallet has self events on. */
  readonly ownCall?: boolean
  /** Answers the id that the callback is about. */
  act(actor: Actor): Promise<string>
}

export const amount = { amount: '10.00', currency: 'EUR' } as const

/** An actor at `gateway`, who notes what it does in `steps`. */
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
      // Numbers that end in 99 are not registered.
      return `+35191${digits}0`
    },
    async askedOn(phone) {
      const { requests } = await sandbox(`phones/${encodeURIComponent(phone)}`)
      const waiting = requests.find(({ state }: Json) => state === 'PENDING')
      if (waiting === undefined) throw new CliError('failed', `the phone ${phone} was asked nothing`)
      return waiting
    },
    async today() {
      const { now } = await sandbox('clock')
      return lisbonDayOf(instant(Date.parse(now)))
    },
  }
}
