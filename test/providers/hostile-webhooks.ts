// Hostile and mistaken webhooks cause no errors in the gateway.
import fc from 'fast-check'
import { expect } from 'vitest'

export interface SentWebhook {
  readonly headers: Readonly<Record<string, string>>
  /** Parameters of a webhook that comes by GET. */
  readonly query?: Readonly<Record<string, string>> | undefined
  readonly body: string
}

const oddText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.constantFrom(
    '',
    '\0',
    '\ud800',
    '__proto__',
    'n'.repeat(10_000),
    "'; drop table rail_webhooks",
    '../..',
  ),
)
const oddValue = fc.oneof(oddText, fc.jsonValue({ maxDepth: 2 }))
const names = [
  ...[
    'id',
    'type',
    'data',
    'object',
    'metadata',
    'comporta_key',
    'notificationID',
    'transactionID',
    'merchant',
  ],
  ...['transactionId', 'merchantTransactionId', 'mbwayMandate', 'mandateIdentification', 'mandateAction'],
]
const oddObject = fc.dictionary(
  fc.constantFrom(...names),
  fc.oneof(oddValue, fc.dictionary(fc.constantFrom(...names), oddValue)),
)
const signedText = fc.oneof(
  { weight: 3, arbitrary: oddObject.map((object) => JSON.stringify(object)) },
  { weight: 1, arbitrary: oddValue.map((value) => JSON.stringify(value)) },
  { weight: 1, arbitrary: oddText },
  {
    weight: 1,
    arbitrary: fc.constantFrom('null', '{"id":null}', '['.repeat(5_000), '{"__proto__":{"id":"a"}}'),
  },
)

function changed(sent: SentWebhook, at: number, other: string): SentWebhook {
  const { 'content-type': type, ...signing } = sent.headers
  const headers = Object.keys(signing)
  const which = at % (headers.length + 1)
  const name = headers[which]
  const broken = (text: string) => {
    const place = at % Math.max(1, text.length)
    return text.slice(0, place) + other + text.slice(place + 1)
  }
  return name === undefined
    ? { ...sent, body: broken(sent.body) }
    : { ...sent, headers: { ...sent.headers, [name]: broken(sent.headers[name] ?? '') } }
}

/**
 * A signed webhook is accepted or refused, the same for a repetition; a changed one is refused.
 * @param sign a webhook with this text, as the provider sends it
 * @param meaning of a header or body, without its spelling
 */
export async function expectHeld(
  sign: (text: string) => SentWebhook,
  post: (sent: SentWebhook) => Promise<{ readonly status: number }>,
  meaning: (text: string) => string = (text) => text,
): Promise<void> {
  await fc.assert(
    fc.asyncProperty(signedText, async (text) => {
      const sent = sign(text)
      const { status } = await post(sent)
      expect([200, 401]).toContain(status)
      expect((await post(sent)).status).toBe(status)
    }),
    { seed: 18, numRuns: 60, endOnFailure: true },
  )
  const character = fc.constantFrom('', '!', '\u00e9', 'A', '0', '=', ',')
  await fc.assert(
    fc.asyncProperty(fc.nat(5_000), character, async (at, other) => {
      const sent = sign('{"id":"evt_changed","notificationID":"n-changed"}')
      const nearly = changed(sent, at, other)
      const parts = ({ headers, body }: SentWebhook) => [...Object.values(headers), body].map(meaning).join()
      fc.pre(parts(nearly) !== parts(sent))
      expect((await post(nearly)).status).toBe(401)
    }),
    { seed: 18, numRuns: 60, endOnFailure: true },
  )
}

/**
 * Accepted webhooks are handled and not retried.
 * @param local address of the gateway
 */
export async function expectHandled(local: string, driver: string): Promise<void> {
  await expect
    .poll(async () => {
      const metrics = await (await fetch(`${local}/metrics`)).text()
      const count = (outcome: string) =>
        Number(
          new RegExp(`rail_webhooks_total\\{driver="${driver}",outcome="${outcome}"\\} (\\d+)`).exec(
            metrics,
          )?.[1] ?? 0,
        )
      return count('accepted') - count('handled')
    })
    .toBeLessThanOrEqual(0)
}
