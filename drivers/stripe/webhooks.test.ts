// The driver accepts only fresh events with Stripe's signature.
import { describe, expect, it } from 'vitest'
import type { Connection } from '../../src/connections/index.ts'
import type { Instant } from '../../src/kernel/time.ts'
import { webhook } from './webhooks.ts'

const connection = { secrets: { webhook_secret: 'whsec_test_comporta' } } as unknown as Connection
const body = '{"id":"evt_1"}'
const at = 1_700_000_000
const right = '0082cd1bb0e669b2ba637871ba909c8e6fde1076d48022e000efd8a6327bee1e'
const verify = (header: string | undefined, text = body, now = at) =>
  webhook.verify(
    connection,
    { headers: { 'stripe-signature': header }, rawBody: Buffer.from(text) },
    { clock: { now: () => (now * 1000) as Instant } as never, fetch },
  )

describe('a signature', () => {
  it('is accepted from Stripe, also next to one with an older secret', () => {
    expect(verify(`t=${at},v1=${right}`)).toMatchObject({ kind: 'accepted', id: 'evt_1' })
    expect(verify(`t=${at},v1=${'0'.repeat(64)},v1=${right}`)).toMatchObject({ kind: 'accepted' })
    expect(verify(`t=${at},v1=${right}`, body, at + 299)).toMatchObject({ kind: 'accepted' })
  })

  it.each([
    ['absent', undefined, body, at],
    ['empty', '', body, at],
    ['of another secret', `t=${at},v1=${right.replace('0', '1')}`, body, at],
    ['of another time', `t=${at + 1},v1=${right}`, body, at],
    ['of another body', `t=${at},v1=${right}`, `${body} `, at],
    ['of another scheme alone', `t=${at},v0=${right}`, body, at],
    ['too old', `t=${at},v1=${right}`, body, at + 301],
  ])('that is %s is refused', (_, header, text, now) => {
    expect(() => verify(header, text, now)).toThrow()
  })
})
