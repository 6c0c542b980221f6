// A merchant's program that pays all the time, repeats requests without an answer, and remembers everything.
import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Agent, getGlobalDispatcher, request, setGlobalDispatcher } from 'undici'
import type { Cell } from '../../../../tools/ha/cell.ts'
import { type Receiver, startReceiver } from '../../../receiver.ts'
import { type CardWorld, storeCard } from '../../../stored-cards.ts'
import { type Answer, cards, type DemoMerchant, type Json } from '../../../world.ts'

const payers = 8
const pauseMs = 60
/** After an unknown result the program waits before it repeats the request, longer each time. */
const repeatMs = 1_000
const repeatMsMax = 8_000
/** Longer than the gateway allows any request to take. */
const answerMsMax = 40_000
const checksAtOnce = 16

export interface Payment {
  readonly key: string
  /** Milliseconds since the start. All times in this file have this form. */
  readonly sentAt: number
  /** The end of the first attempt, if it brought no clear answer. */
  unclearAt?: number
  answeredAt?: number
  id?: string
  status?: string
}

export type Shop = Awaited<ReturnType<typeof openShop>>

/** @param address address at which the gateways reach the receiver of callbacks */
export async function openShop(cell: Cell, address: string) {
  const tls = { ca: cell.authority, timeout: 5_000 }
  const dispatcher = new Agent({
    connect: tls,
    connections: 256,
    headersTimeout: answerMsMax,
    bodyTimeout: answerMsMax,
  })
  // The simulated browser of the customer uses the global `fetch`, so this sets its connections.
  const usual = getGlobalDispatcher()
  setGlobalDispatcher(dispatcher)
  const receiver = await startReceiver(address)
  const file = join(cell.folder, 'gateway1', 'gateway', 'demo.json')
  const [merchant] = (JSON.parse(readFileSync(file, 'utf8')) as { merchants: DemoMerchant[] }).merchants
  if (merchant === undefined) throw new Error(`${file} has no merchant`)
  const { api_key, esb_token } = merchant
  const authorization = `Comporta ${api_key}`

  async function send(
    method: 'GET' | 'POST',
    path: string,
    body?: unknown,
    more: object = {},
  ): Promise<Answer> {
    const headers = { authorization, 'content-type': 'application/json', ...more }
    const sent = body === undefined ? {} : { body: JSON.stringify(body) }
    const answer = await request(cell.publicUrl + path, { dispatcher, method, headers, ...sent })
    const text = await answer.body.text()
    return { status: answer.statusCode, headers: new Headers(), text, body: jsonIn(text) }
  }

  const world: CardWorld = {
    shop: {
      esb_token,
      get: (path) => send('GET', path),
      post: (path, body, more) => send('POST', path, body, more),
    },
    receiver,
  }
  const token = await storeCard(world, cards.frictionless.number)
  const before = await totalOf('')
  const begun = performance.now()
  const now = () => performance.now() - begun
  const payments: Payment[] = []
  const answers: number[] = []
  const refused: string[] = []
  const repeating: Promise<void>[] = []
  let isOver = false

  async function totalOf(filter: string): Promise<number> {
    return (await send('GET', `/api/v2/operations?type=PAYMENT${filter}`)).body.total
  }

  /** Sends a payment once. True if the answer was clear. */
  async function attempt(payment: Payment): Promise<boolean> {
    const { key } = payment
    const body = {
      request_id: key,
      ext_invoiceid: key,
      ...{ method: 'CC', amount: 10, currency: 'EUR', card: { token } },
      callback: receiver.url(`/paid/${key}`),
      cardsecure_url_confirm: 'https://shop.example/ok',
      cardsecure_url_cancel: 'https://shop.example/no',
    }
    const answer = await send('POST', '/prows/v2/payment', body, {
      'proxy-authorization': `ESBToken=${esb_token}`,
    }).catch(() => undefined)
    if (answer === undefined || answer.status >= 500 || answer.status === 409 || answer.status === 429)
      return false
    if (answer.status !== 200) refused.push(`payment ${key}: ${answer.status} ${answer.text.slice(0, 300)}`)
    payment.answeredAt = now()
    if (answer.status === 200) answers.push(payment.answeredAt)
    payment.id = answer.body?.id ?? answer.body?.operation_id
    payment.status = answer.body?.status
    return true
  }

  async function repeat(payment: Payment): Promise<void> {
    for (let wait = repeatMs; ; wait = Math.min(2 * wait, repeatMsMax)) {
      await pause(wait)
      if (await attempt(payment)) return
    }
  }

  async function payWithoutPause(): Promise<void> {
    while (!isOver) {
      const payment: Payment = { key: randomUUID(), sentAt: now() }
      payments.push(payment)
      if (await attempt(payment)) await pause(pauseMs)
      else {
        payment.unclearAt = now()
        repeating.push(repeat(payment))
        await pause(repeatMs)
      }
    }
  }

  const paying = Array.from({ length: payers }, payWithoutPause)
  return {
    now,
    payments,
    refused,
    receiver,
    /** The longest time without any answer to a payment between two moments, in seconds. */
    gapBetween: (from: number, to: number) => longestGap(answers, from, to),
    answeredSince: (from: number) => answers.some((at) => at > from),
    /** Stops new payments, and waits until every payment has an answer. */
    async end(): Promise<void> {
      isOver = true
      await Promise.all(paying)
      await Promise.all(repeating)
    },
    /** Compares every answer with the API at the end. Returns the differences. */
    async verdict(): Promise<string[]> {
      const violations = [...refused]
      const made = (await totalOf('')) - before
      if (made !== payments.length)
        violations.push(`${payments.length} payments were sent, and ${made} exist`)
      const remaining = payments.values()
      const check = async () => {
        for (const { key, id, status } of remaining) {
          const { total, elements } = (
            await send('GET', `/api/v2/operations?type=PAYMENT&ext_invoiceid=${key}`)
          ).body
          const [found] = elements as { id: string; status: string }[]
          if (total !== 1 || found?.id !== id || found?.status !== status)
            violations.push(
              `payment ${key}: answered ${id} ${status}, and ${total} exist: ${found?.id} ${found?.status}`,
            )
        }
      }
      await Promise.all(Array.from({ length: checksAtOnce }, check))
      return violations
    },
    withoutCallback: () => payments.filter(({ key }) => !isReported(receiver, key)).map(({ key }) => key),
    async close(): Promise<void> {
      setGlobalDispatcher(usual)
      await receiver.close()
      await dispatcher.destroy()
    },
  }
}

function isReported(receiver: Receiver, key: string): boolean {
  return receiver.received(`/paid/${key}`).some(({ body }) => body.includes('COMPLETED'))
}

function longestGap(answers: readonly number[], from: number, to: number): number {
  const inside = answers.filter((at) => at > from && at < to).sort((a, b) => a - b)
  const edges = [from, ...inside, to]
  return Math.max(...edges.slice(1).map((at, place) => at - (edges[place] ?? 0))) / 1000
}

function jsonIn(text: string): Json {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds))
}
