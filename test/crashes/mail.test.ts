// Death while mail is sent.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { databasesOr } from '../database.ts'
import { startMortalWorld } from '../gateway-here.ts'
import type { Json, World } from '../world.ts'
import { kills } from './kills.ts'

const mailsPerCrash = 12

describe.each(databasesOr('pglite'))('on %s', (kind) => {
  let world: World
  beforeAll(async () => {
    world = await startMortalWorld(kind)
    for (const mail of ['reference', 'reference_reminder']) {
      const { status } = await world.request(`/api/v2/mails/kinds/${mail}`, {
        method: 'PUT',
        headers: { authorization: `Comporta ${world.shop.api_key}`, 'content-type': 'application/json' },
        body: '{"enabled":true}',
      })
      expect(status).toBe(200)
    }
  })
  afterAll(() => world.stop())

  const boxOf = async (to: string): Promise<Json[]> =>
    (await world.request(`/sandbox/api/mail?to=${to}`)).body.elements

  it.each(kills.mail)(
    'killed at "%s" (%i), each mail is sent, and again only if its answer was lost',
    async (point, count) => {
      const addresses = Array.from(
        { length: mailsPerCrash },
        (_, n) => `${point.length}-${count}-${n}@example.com`,
      )
      await world.armCrash(point, count)
      const answers = await Promise.allSettled([
        ...addresses.map((email) =>
          world.shop.post('/api/v2/mb/pay', {
            ...{ amount: 10, currency: 'EUR', method: 'MB', type: 'PAYMENT', client: { email } },
            ext_invoiceid: email,
          }),
        ),
        world.crashed(),
      ])
      await world.restart()
      const answered = addresses.filter((_, n) => {
        const answer = answers[n]
        return answer?.status === 'fulfilled' && (answer.value as Json)?.status === 200
      })
      // A mail of the dead process is sent after the end of its lease.
      await world.advance('PT5M')
      for (const to of answered) {
        const box = await world.eventually(async () => {
          const found = await boxOf(to)
          return found.length > 0 && found
        })
        expect(new Set(box.map(({ message_id }) => message_id)).size).toBe(1)
        // The process may have sent another mail and died before it marked it as sent.
        expect(box[0].times).toBeLessThanOrEqual(2)
      }
      await world.eventually(
        async () => (await world.shop.get('/api/v2/mails?status=WAITING&kind=reference')).body.total === 0,
      )
      expect((await world.cli('audit')).json).toMatchObject({ ok: true, problems: [] })
    },
  )
})
