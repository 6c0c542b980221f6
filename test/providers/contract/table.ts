// The table of contract tests. Each row is one way in which a provider can fail.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Driver, DriverTools, RailRequests } from '../../../src/connections/index.ts'
import { addDays, lisbonDayOf } from '../../../src/kernel/lisbon.ts'
import { after, day, hour, type Instant, systemClock } from '../../../src/kernel/time.ts'
import type { GatewayRails, Notices, RailName, ReferencePayment } from '../../../src/rails/index.ts'
import { connectRails } from '../../connections/connected-rails.ts'
import { openTestDatabase } from '../../database.ts'
import type { SentWebhook } from '../hostile-webhooks.ts'
import { everyInterruption, type HttpProvider } from '../http-provider.ts'
import { amount, type Said, type Way } from './ways.ts'

/** The place where a row is tested: the conformance suite of the rail, or this file. */
const rows = {
  success: 'suite',
  'refusal of each kind': 'suite',
  'refund above the payment': 'suite',
  'partial refund': 'suite',
  'silence before and after the provider acted': 'below',
  'crash at each step': 'below',
  'doubled notification': 'below',
  'forged notification': 'below',
  'capture after expiry': 'below',
  'key revoked': 'below',
  'clock skew': 'below',
  'reconciliation: a payment that we do not know': 'below',
  'reconciliation: a payment that they do not know': 'below',
} as const
type Row = {
  [Name in keyof typeof rows]: (typeof rows)[Name] extends 'below' ? Name : never
}[keyof typeof rows]

/** One entry of the table: a driver, its conformance suites and its fake. */
export interface Contract {
  readonly driver: Driver
  /** The conformance suites of every rail that the driver declares. */
  readonly suites: Partial<Record<RailName, () => void>>
  /** @param now the fake's time */
  start(now: () => Instant): Promise<Provider>
}

/** A fake provider with its customers, as the table uses it. */
export interface Provider {
  readonly provider: HttpProvider
  readonly settings: Readonly<Record<string, string>>
  readonly secrets: Readonly<Record<string, string>>
  /** Ways to pay: at least one for each declared rail that takes payments. */
  readonly ways: readonly Way[]
  /** The movements of a key in cents. Payments and captures are above zero, refunds below. */
  movements(key: string): readonly bigint[]
  /** The notifications since the last call, oldest first, in the form in which the provider sends them. */
  notifications?(): readonly SentWebhook[]
  /** A notification by a stranger, which says that the payment of `key` is done. */
  forged?(key: string): SentWebhook
  /** Ends the hold of `key` at the provider. */
  endHold?(key: string): void
  /** Makes the provider refuse our key, or accept it again. */
  setRevoked(isRevoked: boolean): void
  /** Books a payment at the provider that this gateway did not make. Returns the amount in cents. */
  bookForeign?(): bigint
  /** Removes the payment of `key` from the provider's statement. */
  loseFromStatement?(key: string): void
  close(): Promise<void>
}

/** Undefined if a row can be tested. Otherwise the reason why not, by the declaration of the driver. */
function whyNot(row: Row, { webhook, statement }: Driver, way: Way): string | undefined {
  if (row.endsWith('notification') && webhook === undefined) return 'the driver declares no notifications'
  if (row.startsWith('reconciliation') && statement === undefined) return 'the driver declares no statement'
  if (row === 'capture after expiry' && way.capture === undefined) return 'no hold over this way'
  // The provider books no hold, only its captures.
  if (row.startsWith('reconciliation') && way.capture !== undefined) return 'a hold is not booked'
  return undefined
}

export function describeContract(contract: Contract): void {
  const { driver, suites } = contract
  for (const suite of Object.values(suites)) suite()

  describe(`the contract of drivers: ${driver.name}`, () => {
    let world: World
    beforeAll(async () => {
      world = await startWorld(contract)
    })
    afterAll(() => world?.close())

    it('has a conformance suite and a way to pay for every declared rail', () => {
      const rails = [...driver.rails].sort()
      expect(Object.keys(suites).sort()).toEqual(rails)
      expect([...new Set(world.provider.ways.map(({ rail }) => rail))].sort()).toEqual(rails)
    })

    const names = Object.keys(rows).filter((row) => rows[row as keyof typeof rows] === 'below') as Row[]
    // The ways to pay are known only after the start, so one test tries a row with all of them.
    it.for(names)('%s', async (row, { annotate, skip }) => {
      const tried = world.provider.ways.map((way) => ({ way, why: whyNot(row, driver, way) }))
      for (const { way, why } of tried) if (why !== undefined) await annotate(`${way.name}: ${why}`)
      const possible = tried.filter(({ why }) => why === undefined)
      if (possible.length === 0) return skip(tried[0]?.why ?? 'no way to pay')
      for (const { way } of possible) await trials[row](world, way)
    })
  })
}

interface Process {
  readonly rails: GatewayRails
  /** Receives a notification. Answers whether the driver accepted it. */
  receive(sent: SentWebhook): Promise<boolean>
  check(): Promise<boolean>
  statement(of: string): ReturnType<NonNullable<Driver['statement']>>
}

interface World {
  readonly provider: Provider
  readonly now: () => Instant
  /** Keys and references of the notices so far. */
  readonly noticed: string[]
  open(options?: { readonly offMs?: number; readonly life?: Life }): Promise<Process>
  pass(milliseconds: number): void
  close(): Promise<void>
}

/** Counts the steps that a process records. It dies at one of them. */
interface Life {
  steps: number
  readonly endsAt?: { readonly step: number; readonly when: 'before' | 'after' } | undefined
  isOver?: boolean
}

async function startWorld({ driver, start }: Contract): Promise<World> {
  let passedMs = 0
  const now = (): Instant => after(systemClock.now(), passedMs)
  const [database, provider] = await Promise.all([openTestDatabase('pglite'), start(now)])
  const noticed: string[] = []
  const notices: Partial<Notices> = {
    card: async (key) => void noticed.push(key),
    mobileWallet: async ({ key }) => void noticed.push(key),
    onlineWallet: async (key) => void noticed.push(key),
    bankOrder: async (key) => void noticed.push(key),
    refundFailed: async ({ key }) => void noticed.push(key),
    dispute: async ({ key }) => void noticed.push(key),
    references: {
      receive: async ({ key, id }: ReferencePayment) => {
        noticed.push(`${key} ${id}`)
        return { kind: 'accepted', operationId: key ?? '' }
      },
      beneficiaryOf: async () => undefined,
    },
  }
  const { settings, secrets } = provider

  async function open({ offMs = 0, life }: { offMs?: number; life?: Life } = {}): Promise<Process> {
    const clock = { now: () => after(now(), offMs) }
    const mortal: Driver =
      life === undefined
        ? driver
        : { ...driver, open: (connection, tools) => driver.open(connection, mortalTools(tools, life)) }
    const connected = await connectRails(database, mortal, { settings, secrets, clock, notices })
    const known = await connected.administration.list({ removed: false })
    if (known.length === 0) {
      const { id } = await connected.set()
      const registered = await connected.administration.registerWebhook(id)
      if (!registered.ok) throw new Error(registered.refusal.reason)
    }
    return {
      rails: connected.rails,
      async receive({ headers, query, body }) {
        const { connection, tools } = connected.opened
        const received = { headers, query, rawBody: Buffer.from(body) }
        const verified = await Promise.resolve(received)
          .then((sent) => driver.webhook?.verify(connection, sent, tools))
          .catch(() => undefined)
        if (verified?.kind !== 'accepted') return false
        await driver.webhook?.handle(connection, { ...verified, id: verified.id ?? randomUUID() }, tools)
        return true
      },
      async check() {
        const checked = await connected.administration.check()
        return checked.ok && checked.value.every(({ ok }) => ok)
      },
      async statement(of) {
        const { connection, tools } = connected.opened
        return (await driver.statement?.(connection, of, tools)) ?? []
      },
    }
  }
  return {
    ...{ provider, now, noticed, open },
    pass(milliseconds) {
      passedMs += milliseconds
    },
    async close() {
      await provider.close()
      await database.close()
    },
  }
}

class Dead extends Error {}

/** Tools of a process that dies at a step: after that it records and sends nothing. */
function mortalTools(tools: DriverTools, life: Life): DriverTools {
  const { requests } = tools
  function live(): void {
    if (life.isOver === true) throw new Dead()
  }
  async function step<Answer>(write: () => Promise<Answer>): Promise<Answer> {
    live()
    const number = ++life.steps
    const end = life.endsAt?.step === number ? life.endsAt.when : undefined
    if (end === 'before') life.isOver = true
    live()
    const answer = await write()
    if (end === 'after') life.isOver = true
    live()
    return answer
  }
  const mortal: RailRequests = {
    ...requests,
    begin: (key, name) => step(() => requests.begin(key, name)),
    record: (key, name, answer) => step(() => requests.record(key, name, answer)),
  }
  return {
    ...tools,
    requests: mortal,
    fetch: async (input, init) => {
      live()
      const answer = await tools.fetch(input, init)
      live()
      return answer
    },
  }
}

const partRefund = 400n

/** Acts like the gateway: asks for the result, and repeats a request that the provider does not know. */
async function settle(ask: () => Promise<Said>, inquire: () => Promise<Said>): Promise<Said> {
  let said: Said = 'unknown'
  for (let times = 0; times < 5 && said === 'unknown'; times++) {
    said = await inquire()
    if (said === 'gone') said = await ask()
  }
  return said
}

/**
 * The gateway gives up a request that the provider does not know. So if money moved, the provider must know the
 * request.
 */
async function expectKnown({ provider }: World, key: string, inquire: () => Promise<Said>): Promise<void> {
  if (provider.movements(key).length > 0)
    expect(['approved', 'waiting', 'unknown']).toContain(await inquire())
}

async function payOnce(world: World, way: Way, key: string): Promise<void> {
  const { rails } = await world.open()
  await expectKnown(world, key, () => way.inquire(rails, key))
  const said = await settle(
    () => way.ask(rails, key),
    () => way.inquire(rails, key),
  )
  if (said === 'unknown' && way.losesRequests === true) return endsUnknown(world, way, key)
  if (said !== 'approved') {
    expect(said).toBe('waiting')
    expect(world.provider.movements(key)).toEqual([])
    await way.agree(key)
  }
  expect(await way.inquire(rails, key)).toBe('approved')
  expect(world.provider.movements(key)).toEqual([amount])
}

/** If a lost request reached the customer, it is paid. Otherwise it fails later, and a late approval is reversed. */
async function endsUnknown(world: World, way: Way, key: string): Promise<void> {
  const { rails } = await world.open()
  const isAsked = await Promise.resolve(way.agree(key)).then(
    () => true,
    () => false,
  )
  expect(world.provider.movements(key)).toEqual(isAsked ? [amount] : [])
  expect(await way.inquire(rails, key)).toBe(isAsked ? 'approved' : 'unknown')
  const { rails: later } = await world.open({ offMs: 2 * hour })
  expect(await way.inquire(later, key)).toBe(isAsked ? 'approved' : 'late')
}

/** The refund moved the money once. Or it did not move it, and says so. */
async function refundedOnce(world: World, way: Way, asked: { key: string; of: string }): Promise<Said> {
  const { rails } = await world.open()
  const { inquireRefund } = way
  if (inquireRefund !== undefined) await expectKnown(world, asked.key, () => inquireRefund(rails, asked.key))
  const again = () => way.refund?.(rails, { ...asked, amount: partRefund }) ?? Promise.resolve<Said>('gone')
  const said = await settle(again, () => way.inquireRefund?.(rails, asked.key) ?? again())
  const moved = world.provider.movements(asked.key)
  const isLost = said === 'unknown' && way.losesRefunds === true && moved.length > 0
  expect([said, moved]).toEqual([said, said === 'approved' || isLost ? [-partRefund] : []])
  return said
}

async function paid(world: World, way: Way): Promise<string> {
  const key = randomUUID()
  await payOnce(world, way, key)
  return key
}

type Trial = (world: World, way: Way) => Promise<void>

const trials: Readonly<Record<Row, Trial>> = {
  async 'silence before and after the provider acted'(world, way) {
    await everyInterruption<Process, string>({
      ...{ provider: world.provider.provider, open: () => world.open() },
      prepare: async () => randomUUID(),
      act: ({ rails }, key) => way.ask(rails, key),
      recover: (_, key) => payOnce(world, way, key),
    })
    if (way.refund === undefined) return
    await everyInterruption<Process, { readonly key: string; readonly of: string }>({
      ...{ provider: world.provider.provider, open: () => world.open() },
      prepare: async () => ({ key: randomUUID(), of: await paid(world, way) }),
      act: ({ rails }, asked) => way.refund?.(rails, { ...asked, amount: partRefund }) as Promise<Said>,
      async recover(_, asked, interruption) {
        const said = await refundedOnce(world, way, asked)
        if (interruption === undefined) expect(said).toBe('approved')
      },
    })
  },

  async 'crash at each step'(world, way) {
    await atEachStep(
      world,
      async () => randomUUID(),
      ({ rails }, key) => way.ask(rails, key),
      (key) => payOnce(world, way, key),
    )
    if (way.refund === undefined) return
    await atEachStep(
      world,
      async () => ({ key: randomUUID(), of: await paid(world, way) }),
      ({ rails }, asked) => way.refund?.(rails, { ...asked, amount: partRefund }) as Promise<Said>,
      (asked) => refundedOnce(world, way, asked),
    )
  },

  async 'doubled notification'(world, way) {
    const { provider, noticed } = world
    provider.notifications?.()
    const key = await paid(world, way)
    const process = await world.open()
    expect(await way.inquire(process.rails, key)).toBe('approved')
    const before = noticed.length
    const sent = provider.notifications?.() ?? []
    expect(sent.length).toBeGreaterThan(0)
    for (const one of [...sent, ...sent].reverse()) expect(await process.receive(one)).toBe(true)
    const about = noticed.slice(before)
    // However often a payment is reported, it has one id.
    expect(new Set(about).size).toBe(1)
    expect(about[0]).toContain(key)
    expect(await way.inquire(process.rails, key)).toBe('approved')
    expect(provider.movements(key)).toEqual([amount])
  },

  async 'forged notification'(world, way) {
    const { provider, noticed } = world
    const process = await world.open()
    const key = randomUUID()
    const said = await way.ask(process.rails, key)
    const claimed = said === 'approved' ? randomUUID() : key
    const before = noticed.length
    const forged = provider.forged?.(claimed)
    if (forged === undefined) throw new Error('the provider has no forged notification')
    const isAccepted = await process.receive(forged)
    const notices = noticed.slice(before)
    // Some drivers accept a notification without a signature, because they only ask the provider after it.
    if (!isAccepted) expect(notices).toEqual([])
    expect(notices.filter((one) => one.startsWith(`${claimed} `))).toEqual([])
    expect(await way.inquire(process.rails, claimed)).toBe(said === 'approved' ? 'gone' : 'waiting')
    expect(provider.movements(claimed)).toEqual([])
  },

  async 'capture after expiry'(world, way) {
    const { rails } = await world.open()
    const hold = await paid(world, way)
    world.provider.endHold?.(hold)
    const capture = { key: randomUUID(), of: hold, amount }
    expect(await way.capture?.(rails, capture)).toBe('declined')
    expect(await way.capture?.((await world.open()).rails, capture)).toBe('declined')
    expect(world.provider.movements(capture.key)).toEqual([])
  },

  async 'key revoked'(world, way) {
    const { provider } = world
    const process = await world.open()
    const [early, late] = [await paid(world, way), randomUUID()]
    provider.setRevoked(true)
    const attempted = async (call: Promise<Said>): Promise<Said> => call.catch(() => 'unknown')
    // If the provider refuses our key, this says nothing about a payment, so it stays open.
    expect(await attempted(way.ask(process.rails, late))).toBe('unknown')
    expect(['unknown', 'gone']).toContain(await attempted(way.inquire(process.rails, late)))
    expect(['unknown', 'approved']).toContain(await attempted(way.inquire(process.rails, early)))
    expect(await process.check()).toBe(false)
    provider.setRevoked(false)
    expect(await process.check()).toBe(true)
    expect(await way.inquire(process.rails, early)).toBe('approved')
    await payOnce(world, way, late)
  },

  async 'clock skew'(world, way) {
    const key = randomUUID()
    const { rails } = await world.open()
    const said = await way.ask(rails, key)
    const wrong = [await world.open({ offMs: 2 * hour }), await world.open({ offMs: -2 * hour })]
    // An approval counts even if it comes late.
    for (const { rails: skewed } of wrong)
      expect([said, 'late', 'unknown']).toContain(await way.inquire(skewed, key))
    if (said !== 'approved') await way.agree(key)
    for (const { rails: one } of [...wrong, { rails }]) expect(await way.inquire(one, key)).toBe('approved')
    expect(world.provider.movements(key)).toEqual([amount])
  },

  async 'reconciliation: a payment that we do not know'(world, way) {
    const key = await paid(world, way)
    const foreign = world.provider.bookForeign?.()
    const lines = await linesOf(world, way)
    expect(lines.filter((line) => line.key === key).map((line) => line.amount)).toEqual([amount])
    // A line without our key is reported as unknown.
    const unknown = lines.filter((line) => line.key === undefined && line.amount === foreign)
    expect(unknown.length).toBeGreaterThan(0)
    expect(new Set(lines.map(({ id }) => id)).size).toBe(lines.length)
  },

  async 'reconciliation: a payment that they do not know'(world, way) {
    const [listed, lost] = [await paid(world, way), await paid(world, way)]
    world.provider.loseFromStatement?.(lost)
    const keys = (await linesOf(world, way)).map(({ key }) => key)
    expect(keys).toContain(listed)
    expect(keys).not.toContain(lost)
  },
}

/**
 * The provider's bookings of today, and of yesterday, because the day may just have changed. Time moves first,
 * because providers book late.
 */
async function linesOf(world: World, way: Way) {
  const today = lisbonDayOf(world.now())
  world.pass(day + 4 * hour)
  const process = await world.open()
  await way.ask(process.rails, randomUUID())
  return [...(await process.statement(addDays(today, -1))), ...(await process.statement(today))]
}

/** Runs `act` once to count its steps. Then it runs once for each step and each death, before and after the step. */
async function atEachStep<Subject>(
  world: World,
  prepare: () => Promise<Subject>,
  act: (process: Process, subject: Subject) => Promise<unknown>,
  recover: (subject: Subject) => Promise<unknown>,
): Promise<void> {
  async function run(endsAt: Life['endsAt']): Promise<number> {
    const life: Life = { steps: 0, endsAt }
    const subject = await prepare()
    const died = await act(await world.open({ life }), subject).then(
      () => undefined,
      (error: Error) => error,
    )
    if (died !== undefined && endsAt === undefined) throw died
    try {
      await recover(subject)
    } catch (error) {
      throw new Error(`died ${endsAt?.when} step ${endsAt?.step}: ${String(error)}`, { cause: error })
    }
    return life.steps
  }
  const steps = await run(undefined)
  expect(steps).toBeGreaterThan(0)
  for (let step = 1; step <= steps; step++)
    for (const when of ['before', 'after'] as const) await run({ step, when })
}
