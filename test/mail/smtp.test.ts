// Sending to a real mail server: TLS, sign-in, delays, refusals, greylisting, lost answers.
import { randomUUID } from 'node:crypto'
import { createServer } from 'node:net'
import { Registry } from 'prom-client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newId, systemRandomness } from '../../src/kernel/random.ts'
import { after, day, type Instant, minute, systemClock } from '../../src/kernel/time.ts'
import { createMail, createSmtpCarrier, type MailRoute } from '../../src/mail/index.ts'
import { readSmtpUrl } from '../../src/mail/settings-rules.ts'
import type { ModuleWorker } from '../../src/module.ts'
import { type Database, statement } from '../../src/storage/index.ts'
import { databaseKinds, openTestDatabase } from '../database.ts'
import { certificate } from './certificate.ts'
import { type Behaviour, type MailServer, startMailServer } from './smtp-server.ts'

const from = { address: 'pay@gateway.example', name: 'Gateway' }
const keyring = { current: 1, keys: new Map([[1, new Uint8Array(32).fill(7)]]) }

interface Row {
  state: string
  attempts: number
  last_status: number | null
  last_error: string | null
  sealed: Uint8Array | null
  due_at: Instant | null
}

const selectMail = statement<Row>(
  'select state, attempts, last_status, last_error, sealed, due_at from mails where recipient = $1',
)

describe.each(databaseKinds)('on %s', (kind) => {
  let database: Database
  let now: Instant
  const errors: unknown[] = []
  beforeAll(async () => {
    database = await openTestDatabase(kind)
    now = systemClock.now()
  })
  afterAll(() => database.close())

  function mailTo(url: string, tls?: { ca?: string }) {
    const server = readSmtpUrl(url)
    if (!server.ok) throw new Error(server.refusal)
    return mailOver({ carrier: createSmtpCarrier(server.value, tls), from })
  }

  function mailOver(route: MailRoute | undefined) {
    const core = {
      ...{ database, keyring, random: systemRandomness, metrics: new Registry(), clock: { now: () => now } },
      ...{ baseUrl: 'https://pay.example', mode: 'production' as const, manifestPath: '' },
      onError: (error: unknown) => void errors.push(error),
    }
    const mail = createMail({ core, route, simulated: undefined, wallets: { find: async () => undefined } })
    const worker = mail.workers?.mail as ModuleWorker
    return {
      worker,
      async write(to: string): Promise<void> {
        const link = { kind: 'password', walletId: undefined, email: to } as const
        const url = `https://pay.example/backoffice/join#${randomUUID()}`
        await database.transaction((tx) =>
          mail.addAccountLink(tx, { ...link, url, expires: after(now, 9 * day), lifeMs: 9 * day }),
        )
      },
    }
  }

  const rowOf = async (to: string) => (await database.run(selectMail, [to]))[0] as Row
  const newAddress = () => `${newId(now, systemRandomness)}@example.com`

  async function withServer(
    behaviour: Behaviour,
    act: (server: MailServer, mail: ReturnType<typeof mailTo>) => Promise<void>,
    { scheme = 'smtp', credentials = '' } = {},
    tls?: { ca?: string },
  ): Promise<void> {
    const server = await startMailServer(behaviour)
    try {
      await act(server, mailTo(`${scheme}://${credentials}localhost:${server.port}`, tls))
    } finally {
      await server.stop()
    }
  }

  it('delivers, and deletes the secret of a link', async () => {
    const to = newAddress()
    await withServer({}, async (server, { write, worker }) => {
      await write(to)
      expect((await rowOf(to)).sealed).not.toBeNull()
      expect(await worker.runDue()).toBe(1)
      expect(await rowOf(to)).toMatchObject({ state: 'SENT', attempts: 1, last_status: 250, sealed: null })
      const [mail] = server.taken
      expect(mail).toMatchObject({ to, from: from.address })
      expect(mail?.raw).toMatch(/^From: Gateway <pay@gateway.example>\r\n/m)
      expect(mail?.raw).toMatch(/^Message-ID: <[0-9a-f-]{36}@gateway.example>\r\n/m)
      expect(mail?.raw).not.toMatch(/^List-Unsubscribe/m)
      expect(await worker.runDue()).toBe(0)
    })
  })

  it('without a server skips mail after two days, so that it does not go out late', async () => {
    const [old, recent] = [newAddress(), newAddress()]
    await withServer({}, async (server, { write, worker }) => {
      const start = now
      await write(old)
      now = after(now, 1 * day)
      await write(recent)
      now = after(now, 1 * day + 1 * minute)
      await mailOver(undefined).worker.runDue()
      expect(await rowOf(old)).toMatchObject({ state: 'SKIPPED', last_error: 'no_mail_server', sealed: null })
      expect(await rowOf(recent)).toMatchObject({ state: 'WAITING' })
      await worker.runDue()
      expect(server.taken.map(({ to }) => to)).toEqual([recent])
      now = start
    })
  })

  it('signs in and encrypts, and never sends a password in the clear', async () => {
    const users: unknown[] = []
    const onAuth: Behaviour['onAuth'] = ({ username, password }, _session, done) => {
      users.push([username, password])
      done(null, { user: username })
    }
    const credentials = 'us%40er:p%3Aw@'
    const to = newAddress()
    await withServer(
      { ...certificate, secure: true, onAuth },
      async (server, { write, worker }) => {
        await write(to)
        await worker.runDue()
        expect(await rowOf(to)).toMatchObject({ state: 'SENT' })
        expect(server.taken[0]).toMatchObject({ secure: true, user: 'us@er' })
        expect(users).toEqual([['us@er', 'p:w']])
      },
      { scheme: 'smtps', credentials },
      { ca: certificate.cert },
    )
    const later = newAddress()
    await withServer(
      { onAuth, allowInsecureAuth: true },
      async (_server, { write, worker }) => {
        await write(later)
        await worker.runDue()
        expect(await rowOf(later)).toMatchObject({ state: 'WAITING', attempts: 1 })
        expect(users).toHaveLength(1)
      },
      { credentials },
    )
    const unknown = newAddress()
    await withServer(
      { ...certificate, secure: true },
      async (server, { write, worker }) => {
        await write(unknown)
        await worker.runDue()
        expect(await rowOf(unknown)).toMatchObject({ state: 'WAITING' })
        expect(server.taken).toEqual([])
      },
      { scheme: 'smtps' },
    )
  })

  it('sees a bounce, and does not try again', async () => {
    const to = newAddress()
    await withServer({ refusal: () => 550 }, async ({ asked }, { write, worker }) => {
      await write(to)
      await worker.runDue()
      expect(await rowOf(to)).toMatchObject({ state: 'REFUSED', attempts: 1, last_status: 550, sealed: null })
      expect((await rowOf(to)).last_error).toContain('no such mailbox')
      now = after(now, 1 * day)
      await worker.runDue()
      expect(asked.filter((address) => address === to)).toHaveLength(1)
    })
    const big = newAddress()
    await withServer({ onMessage: async () => 554 }, async (_server, { write, worker }) => {
      await write(big)
      await worker.runDue()
      expect(await rowOf(big)).toMatchObject({ state: 'REFUSED', last_status: 554 })
    })
  })

  it.each([
    [550, '5.7.1 Relay access denied'],
    [554, '5.7.26 Unauthenticated sender'],
    [530, 'Authentication required'],
  ])('tries again after %i %s, which the operator can repair', async (code, says) => {
    const to = newAddress()
    await withServer(
      { refusal: (_, attempt) => (attempt < 2 ? code : undefined), says },
      async (server, { write, worker }) => {
        await write(to)
        await worker.runDue()
        expect(await rowOf(to)).toMatchObject({ state: 'WAITING', attempts: 1, last_status: code })
        now = after(now, 10 * minute)
        await worker.runDue()
        expect(await rowOf(to)).toMatchObject({ state: 'SENT' })
        expect(server.taken).toHaveLength(1)
      },
    )
  })

  it('stays sent if only its record could not be finished', async () => {
    const to = newAddress()
    await withServer({}, async (server, { write, worker }) => {
      await write(to)
      const before = errors.length
      await database.run(
        statement(`
        create function refuse() returns trigger language plpgsql as $$ begin raise exception 'the disk is full'; end $$`),
      )
      await database.run(
        statement(`create trigger fails before update on mails
        for each row when (new.state = 'SENT') execute function refuse()`),
      )
      await worker.runDue().catch(() => undefined)
      await database.run(statement('drop function refuse cascade'))
      expect(errors.slice(before).map(String).join()).not.toContain('mail cannot be sent')
      expect(await rowOf(to)).toMatchObject({ state: 'WAITING', attempts: 0, last_error: null })
      now = after(now, 10 * minute)
      await worker.runDue()
      expect(await rowOf(to)).toMatchObject({ state: 'SENT', attempts: 1 })
      expect(server.taken.map(({ raw }) => raw)).toHaveLength(2)
      expect(server.taken[0]?.raw).toBe(server.taken[1]?.raw)
    })
  })

  it('waits for a greylisting server', async () => {
    const to = newAddress()
    const refusal = (_: string, attempt: number) => (attempt < 3 ? 451 : undefined)
    await withServer({ refusal }, async ({ asked, taken }, { write, worker }) => {
      await write(to)
      await worker.runDue()
      expect(await rowOf(to)).toMatchObject({ state: 'WAITING', attempts: 1, last_status: 451 })
      await worker.runDue()
      expect(asked).toHaveLength(1)
      now = after(now, 10 * minute)
      await worker.runDue()
      now = after(now, 10 * minute)
      await worker.runDue()
      expect(await rowOf(to)).toMatchObject({ state: 'SENT', attempts: 3 })
      expect(taken).toHaveLength(1)
    })
  })

  it('repeats a mail whose answer was lost, with the same bytes and Message-ID', async () => {
    const to = newAddress()
    let losing = true
    await withServer(
      { onMessage: async () => (losing ? 'lost' : undefined) },
      async ({ taken }, { write, worker }) => {
        await write(to)
        await worker.runDue()
        expect(await rowOf(to)).toMatchObject({ state: 'WAITING', attempts: 1 })
        losing = false
        now = after(now, 1 * minute)
        await worker.runDue()
        expect(await rowOf(to)).toMatchObject({ state: 'SENT', attempts: 2 })
        expect(taken).toHaveLength(2)
        expect(taken[0]?.raw).toBe(taken[1]?.raw)
      },
    )
  })

  it('gives up after two days without a server, and reports it once', async () => {
    const to = newAddress()
    const { port, stop } = await startMailServer()
    await stop()
    const { write, worker } = mailTo(`smtp://127.0.0.1:${port}`)
    const before = errors.length
    await write(to)
    const began = now
    for (let attempt = 0; attempt < 20; attempt++) {
      await worker.runDue()
      const { due_at: dueAt } = await rowOf(to)
      if (dueAt === null) break
      now = dueAt
    }
    expect(await rowOf(to)).toMatchObject({ state: 'GIVEN_UP', attempts: 13, sealed: null })
    expect((now - began) / day).toBeGreaterThan(1.9)
    expect((now - began) / day).toBeLessThan(2.5)
    const reported = errors.slice(before).map(String)
    expect(reported).toHaveLength(1)
    expect(reported[0]).toContain('mail cannot be sent, check SMTP_URL')
    expect(reported[0]).not.toContain('join#')
  })

  it('two processes send a mail once', async () => {
    const addresses = Array.from({ length: 20 }, newAddress)
    const server = await startMailServer()
    const processes = [mailTo(`smtp://localhost:${server.port}`), mailTo(`smtp://localhost:${server.port}`)]
    for (const to of addresses) await processes[0]?.write(to)
    await Promise.all(processes.map(({ worker }) => worker.runDue()))
    await server.stop()
    expect(server.taken.map(({ to }) => to).sort()).toEqual([...addresses].sort())
  })

  it.runIf(kind === 'postgres')('a server that greets and then is silent holds up nothing else', async () => {
    const silent = createServer((socket) => socket.write('220 waiting\r\n'))
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
    const address = silent.address() as { port: number }
    const to = newAddress()
    const { write, worker } = mailTo(`smtp://127.0.0.1:${address.port}`)
    await write(to)
    await worker.runDue()
    expect(await rowOf(to)).toMatchObject({ state: 'WAITING', attempts: 1 })
    silent.close()
  })
})

it.each([
  ['smtp://mail.example.com', { host: 'mail.example.com', port: 587, secure: false }],
  ['smtps://a%40b:c%3Ad@mail.example.com', { port: 465, secure: true, user: 'a@b', password: 'c:d' }],
  ['smtp://[::1]:2525/', { host: '::1', port: 2525 }],
])('reads %s', (url, server) => {
  expect(readSmtpUrl(url)).toMatchObject({ ok: true, value: server })
})

it.each([
  'mail.example.com',
  'https://mail.example.com',
  'smtp://',
  'smtp://h/path',
  'smtp://h?pool=true',
  'smtp://%zz@h',
])('refuses %s as SMTP_URL', (url) => {
  expect(readSmtpUrl(url).ok).toBe(false)
})
