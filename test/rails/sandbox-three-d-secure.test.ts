// The sandbox's issuer, on both databases, by forms and JSON.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openSandbox } from '../../sandbox/index.ts'
import type { Challenge } from '../../sandbox/issuer/model.ts'
import { findChallenge, recordMove } from '../../sandbox/issuer/store.ts'
import { systemClock } from '../../src/kernel/time.ts'
import { type ARes, decodeMessage, decodeMethodData, encodeMethodData } from '../../src/rails/index.ts'
import { type Database, statement } from '../../src/storage/index.ts'
import { databaseKinds, openTestDatabase } from '../database.ts'
import { browse, call, type Page, type SandboxHost, startSandboxHost } from './sandbox-host.ts'
import {
  creqFor,
  type Decision,
  describeThreeDSecure,
  paymentQuestion,
} from './three-d-secure-conformance.ts'
import { startThreeDSServer, type ThreeDSServer } from './three-ds-server.ts'

const otps: Readonly<Record<string, string>> = { '4176660000000092': '0101', '5299910010000015': '4445' }
const [visa, mastercard] = Object.keys(otps) as [string, string]

const answers: Readonly<Record<Decision, (otp: string) => Record<string, string>[]>> = {
  'right code': (otp) => [{ otp: '9999' }, { otp }],
  'wrong codes only': () => [{ otp: '9999' }, { otp: '9998' }, { otp: '9997' }],
  cancel: () => [{ cancel: '1', otp: '' }],
}

for (const kind of databaseKinds) {
  describeThreeDSecure(`the sandbox on ${kind}`, async () => {
    const database = await openTestDatabase(kind)
    const host = await startSandboxHost(database)
    return {
      threeDSecure: host.rails.threeDSecure,
      cards: {
        frictionless: [
          ['4176660000000027', '05'],
          ['5299990270000368', '02'],
          ['378282246310005', '05'],
          ['4111111111111111', '05'],
        ],
        challenged: [
          [visa, '05'],
          [mastercard, '02'],
        ],
        rejected: '4000000000003063',
      },
      async goThrough(ares, fields, decision) {
        let page = await browse(ares.acsURL ?? '', fields)
        const otp = /code is (\d{4})/.exec(page.html)?.[1] ?? ''
        for (const answer of answers[decision](otp)) page = await browse(page.form?.action ?? '', answer)
        const { action = '', fields: { cres = '', threeDSSessionData } = {} } = page.form ?? {}
        return { url: action, cres, threeDSSessionData }
      },
      async close() {
        await host.close()
        await database.close()
      },
    }
  })
}

describe('the sandbox issuer', () => {
  let database: Database
  let host: SandboxHost
  let server: ThreeDSServer
  beforeAll(async () => {
    database = await openTestDatabase('pglite')
    host = await startSandboxHost(database)
    server = await startThreeDSServer()
  })
  beforeEach(() => {
    server.forget()
    host.logged.length = 0
  })
  afterAll(async () => {
    await host.close()
    await server.close()
    await database.close()
  })

  const challenge = async (number = visa): Promise<ARes> => {
    const ares = await host.rails.threeDSecure.authenticate(paymentQuestion(server, number))
    expect(ares.transStatus).toBe('C')
    return ares
  }
  const api = (id: string, body?: unknown) => call(`${host.baseUrl}/sandbox/api/challenges/${id}`, body)
  const answer = (id: string, body: unknown) => api(`${id}/answer`, body)
  const open = (ares: ARes) => browse(ares.acsURL ?? '', { creq: creqFor(ares) })
  const transStatusOf = (page: Page) => {
    const cres = decodeMessage('CRes', page.form?.fields.cres ?? '')
    return cres.ok ? cres.message.transStatus : undefined
  }

  describe('as JSON', () => {
    it('answers the data of its page, by either id, before any browser', async () => {
      const ares = await challenge()
      const { status, body } = await api(ares.threeDSServerTransID)
      expect(status).toBe(200)
      expect(body).toEqual({
        id: ares.acsTransID,
        threeds_server_trans_id: ares.threeDSServerTransID,
        acs_trans_id: ares.acsTransID,
        state: 'open',
        merchant: 'Demo Shop',
        amount: 1234.56,
        currency: 'EUR',
        card: '•••• 0092',
        attempts_left: 3,
        otp_hint: '0101',
        date: expect.stringMatching(/\+0000$/),
        expires: expect.stringMatching(/\+0000$/),
        reported: false,
      })
      expect((await api(ares.acsTransID.toUpperCase())).body).toEqual(body)
    })

    it('lists open challenges, newest first', async () => {
      const first = await challenge()
      const second = await challenge()
      const { body } = await call(`${host.baseUrl}/sandbox/api/challenges`)
      const ids = (body.elements as { id: string }[]).map(({ id }) => id)
      expect(ids.slice(0, 2)).toEqual([second.acsTransID, first.acsTransID])
    })

    it('authenticates and reports, and redirects a later browser', async () => {
      const ares = await challenge(mastercard)
      expect((await answer(ares.acsTransID, { otp: '1111' })).body).toEqual({
        state: 'wrong_otp',
        attempts_left: 2,
      })
      expect(server.reports).toEqual([])
      const { status, body } = await answer(ares.acsTransID, { otp: '4445' })
      expect({ status, body }).toEqual({ status: 200, body: { state: 'authenticated', attempts_left: 2 } })
      expect(server.reports).toMatchObject([
        { transStatus: 'Y', acsTransID: ares.acsTransID, interactionCounter: '02' },
      ])
      expect(transStatusOf(await open(ares))).toBe('Y')
      expect(server.reports).toHaveLength(1)
      expect((await api(ares.acsTransID)).body).toMatchObject({ state: 'authenticated', reported: true })
    })

    it('fails after three wrong codes, and cancels', async () => {
      const failed = await challenge()
      for (const left of [2, 1]) {
        const { body } = await answer(failed.acsTransID, { otp: '4445' })
        expect(body).toEqual({ state: 'wrong_otp', attempts_left: left })
      }
      const last = await answer(failed.acsTransID, { otp: '4445' })
      expect(last.body).toEqual({ state: 'failed', attempts_left: 0 })
      const cancelled = await challenge()
      const { body } = await answer(cancelled.threeDSServerTransID, { cancel: true })
      expect(body).toEqual({ state: 'cancelled', attempts_left: 3 })
      expect(server.reports).toMatchObject([
        { transStatus: 'N', acsTransID: failed.acsTransID },
        { transStatus: 'N', acsTransID: cancelled.acsTransID, challengeCancel: '01' },
      ])
      expect(transStatusOf(await open(cancelled))).toBe('N')
    })

    it('accepts no answer after the end', async () => {
      const ares = await challenge()
      await answer(ares.acsTransID, { cancel: true })
      const { status, body } = await answer(ares.acsTransID, { otp: '0101' })
      expect(status).toBe(409)
      expect(body.reason).toContain('cancelled')
      expect(server.reports).toHaveLength(1)
    })

    it.each([
      ['no answer', {}, 400, /otp/],
      ['an answer of another type', { otp: 101 }, 400, /otp/],
    ])('refuses %s', async (_, body, status, reason) => {
      const ares = await challenge()
      const refused = await answer(ares.acsTransID, body)
      expect(refused.status).toBe(status)
      expect(refused.body.reason).toMatch(reason)
      expect((await api(ares.acsTransID)).body.attempts_left).toBe(3)
    })

    it.each(['', 'x', randomUUID()])('knows no challenge %j', async (id) => {
      expect((await api(`${id || '%20'}`)).status).toBe(404)
      expect((await answer(id || '%20', { otp: '0101' })).status).toBe(404)
    })

    it('accepts one of two concurrent answers', async () => {
      const ares = await challenge()
      const both = await Promise.all([
        answer(ares.acsTransID, { otp: '0101' }),
        answer(ares.acsTransID, { cancel: true }),
      ])
      const { body } = await api(ares.acsTransID)
      expect(server.reports).toHaveLength(1)
      expect(both.some(({ status, body: answered }) => status === 200 && answered.state === body.state)).toBe(
        true,
      )
      expect(server.reports[0]?.transStatus).toBe(body.state === 'authenticated' ? 'Y' : 'N')
    })

    it('counts every wrong code of concurrent answers', async () => {
      const ares = await challenge()
      const burst = await Promise.all(
        Array.from({ length: 5 }, () => answer(ares.acsTransID, { otp: '9999' })),
      )
      // The last caller finds the challenge over, or shares its report.
      const told = burst.map(({ body, status }) => (status === 409 ? 'failed' : body.state)).sort()
      expect(told).toEqual(['failed', 'failed', 'failed', 'wrong_otp', 'wrong_otp'])
      expect(server.reports).toHaveLength(1)
    })
  })

  describe('if the 3DS server does not accept the report', () => {
    it('repeats it until it does', async () => {
      const ares = await challenge()
      server.failNext(2)
      expect((await answer(ares.acsTransID, { otp: '0101' })).body).toMatchObject({ state: 'authenticated' })
      expect(server.reports).toHaveLength(1)
      expect(JSON.stringify(host.logged)).toContain(ares.threeDSServerTransID)
    })

    it('keeps browser and answer, and reports again on request', async () => {
      const ares = await challenge()
      const page = await open(ares)
      server.failNext(8)
      const stuck = await browse(page.form?.action ?? '', { otp: '0101' })
      expect(stuck.status).toBe(503)
      expect(stuck.html).toContain('The shop does not answer')
      expect(transStatusOf(stuck)).toBeUndefined()
      expect((await api(ares.acsTransID)).body).toMatchObject({ state: 'authenticated', reported: false })
      server.failNext(4)
      expect((await answer(ares.acsTransID, { cancel: true })).status).toBe(503)
      const again = await browse(stuck.form?.action ?? '')
      expect(transStatusOf(again)).toBe('Y')
      expect(server.reports).toMatchObject([{ transStatus: 'Y' }])
    })

    it('never logs the secret address of the report', async () => {
      const ares = await challenge()
      server.failNext(4)
      await answer(ares.acsTransID, { otp: '0101' })
      expect(host.logged).toContainEqual(expect.objectContaining({ status: 503 }))
      expect(host.logged).toContainEqual(expect.objectContaining({ why: 'TypeError' }))
      expect(JSON.stringify(host.logged)).not.toContain('/results/')
    })
  })

  it('moves a challenge only from the state that was read', async () => {
    const read = (await findChallenge(database, (await challenge()).acsTransID)) as Challenge
    const wrong = { state: 'open', attemptsLeft: 2, answered: true } as const
    expect(await recordMove(database, read, wrong)).toMatchObject({ attemptsLeft: 2, interactions: 1 })
    expect(await recordMove(database, read, wrong)).toBeUndefined()
  })

  it('continues the challenge after a restart', async () => {
    const ares = await challenge()
    await answer(ares.acsTransID, { otp: '9999' })
    const second = await startSandboxHost(database)
    const url = `${second.baseUrl}/sandbox/api/challenges/${ares.acsTransID}`
    expect((await call(url)).body).toMatchObject({ state: 'open', attempts_left: 2 })
    expect((await call(`${url}/answer`, { otp: '0101' })).body).toMatchObject({ state: 'authenticated' })
    await second.close()
  })

  it('answers a repeated question with one challenge', async () => {
    const areq = paymentQuestion(server, visa)
    const both = await Promise.all([1, 2].map(() => host.rails.threeDSecure.authenticate(areq)))
    expect(both[0]).toEqual(both[1])
  })

  it('stores neither number nor name', async () => {
    await challenge()
    const rows = await database.run(
      statement<{ row: string }>('select row_to_json(challenges)::text as row from sandbox.challenges'),
    )
    const text = rows.map(({ row }) => row).join('\n')
    expect(text).toContain('"last4":"0092"')
    expect(text).not.toMatch(/\b\d{15,16}\b|Ana|Sousa/)
  })

  describe('as a page', () => {
    it('asks in the browser’s language, under a policy without exceptions', async () => {
      const ares = await challenge()
      const english = await open(ares)
      expect(english.status).toBe(200)
      expect(english.html).toContain('Demo Shop')
      expect(english.html).toContain('€1,234.56')
      expect(english.html).toContain('Sandbox: code is 0101')
      expect(english.headers.get('content-security-policy')).toMatch(/default-src 'none'.*form-action 'self'/)
      expect(english.headers.get('x-frame-options')).toBeUndefined()
      const portuguese = await browse(english.url, undefined, { 'accept-language': 'fr, pt;q=0.9, en;q=0.8' })
      expect(portuguese.html).toContain('lang="pt"')
      expect(portuguese.html).toMatch(/1[\s\u00a0]?234,56[\s\u00a0]€/)
      expect(portuguese.html).not.toMatch(/<script|style=|onload/)
    })

    it('shows the remaining tries, and does not count an empty code', async () => {
      const page = await open(await challenge())
      const empty = await browse(page.form?.action ?? '', { otp: '' })
      expect(empty.html).toContain('Enter the code')
      const wrong = await browse(page.form?.action ?? '', { otp: '1234' })
      expect(wrong.html).toContain('You have 2 tries left')
    })

    it('allows any return address, and nothing else', async () => {
      const page = await open(await challenge())
      const back = await browse(page.form?.action ?? '', { otp: '0101' })
      expect(transStatusOf(back)).toBe('Y')
      expect(back.html).toContain('<script src="/sandbox/assets/submit.js">')
      expect(back.html).toContain('<button type="submit">Continue</button>')
      const policy = back.headers.get('content-security-policy')
      expect(policy).toMatch(/default-src 'none'.*script-src 'self'/)
      expect(policy).not.toMatch(/form-action|unsafe/)
    })

    it('escapes the merchant’s name', async () => {
      const areq = paymentQuestion(server, visa, { merchantName: '<script>alert(1)</script>' })
      const page = await open(await host.rails.threeDSecure.authenticate(areq))
      expect(page.html).not.toContain('<script>')
      expect(page.html).toContain('&#60;script&#62;')
    })

    it.each([
      ['no creq', {}],
      ['an invalid creq', { creq: 'e30' }],
    ])('shows an error for %s', async (_, form) => {
      const page = await browse(`${host.baseUrl}/sandbox/issuer/challenge`, form)
      expect(page.status).toBe(400)
      expect(page.html).toContain('This request does not exist')
    })

    it('shows an error for ids that do not match', async () => {
      const ares = await challenge()
      const page = await browse(ares.acsURL ?? '', {
        creq: creqFor({ ...ares, threeDSServerTransID: randomUUID() }),
      })
      expect(page.status).toBe(404)
    })

    it('answers the 3DS method at the requested address', async () => {
      const range = await host.rails.threeDSecure.versions(mastercard)
      const threeDSServerTransID = randomUUID()
      const threeDSMethodNotificationURL = 'https://gateway.example/done?x=1&y="'
      const page = await browse(range?.methodUrl ?? '', {
        threeDSMethodData: encodeMethodData({ threeDSServerTransID, threeDSMethodNotificationURL }),
      })
      expect(page.status).toBe(200)
      expect(page.form?.action).toBe(new URL(threeDSMethodNotificationURL).href)
      expect(decodeMethodData(page.form?.fields.threeDSMethodData ?? '')).toEqual({ threeDSServerTransID })
      expect(page.headers.get('x-frame-options')).toBeUndefined()
      const wrong = { threeDSServerTransID, threeDSMethodNotificationURL: 'javascript:alert(1)' }
      const refused = await browse(range?.methodUrl ?? '', { threeDSMethodData: encodeMethodData(wrong) })
      expect(refused.status).toBe(400)
    })
  })

  it('has a method page for some cards, so that both ways are tested', async () => {
    const named = async (number: string) =>
      (await host.rails.threeDSecure.versions(number))?.methodUrl !== undefined
    expect(await Promise.all([visa, mastercard, '5299990270000368'].map(named))).toEqual([true, true, true])
    expect(await Promise.all(['4176660000000027', '378282246310005'].map(named))).toEqual([false, false])
  })

  it('waits ten minutes of the gateway’s time', async () => {
    const early = await challenge()
    await host.time.move({ advance: 'PT9M59S' })
    const late = await challenge()
    expect((await api(early.acsTransID)).body.state).toBe('open')
    const moved = await host.time.move({ advance: 'PT1S' })
    expect(moved).toMatchObject({ ok: true, value: { ran: { challenges: expect.any(Number) } } })
    expect(server.reports).toContainEqual(
      expect.objectContaining({ acsTransID: early.acsTransID, transStatus: 'N', challengeCancel: '05' }),
    )
    expect((await answer(early.acsTransID, { otp: '0101' })).status).toBe(409)
    expect(transStatusOf(await open(early))).toBe('N')
    expect((await answer(late.acsTransID, { otp: '0101' })).body.state).toBe('authenticated')
  })
})

it('accepts a base address with a final slash', async () => {
  const database = await openTestDatabase('pglite')
  const { rails } = await openSandbox({
    database,
    clock: systemClock,
    baseUrl: 'https://gateway.example/',
    random: { bytes: (length) => new Uint8Array(length).fill(7) },
    keyring: { current: 1, keys: new Map([[1, new Uint8Array(32).fill(1)]]) },
    logger: { info: () => undefined, warn: () => undefined, error: () => undefined },
    onError: () => undefined,
  })
  const range = await rails.threeDSecure.versions(visa)
  expect(range).toEqual({ version: '2.2.0', methodUrl: 'https://gateway.example/sandbox/issuer/method' })
  await database.close()
})
