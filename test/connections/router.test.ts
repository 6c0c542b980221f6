// Rails behind connections, and crash-safe records of requests.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { storyOf } from '../../src/backoffice/payments/story.ts'
import { type DriverTools, providerAnswers, providerReports } from '../../src/connections/index.ts'
import {
  claimWebhooks,
  finishWebhook,
  insertWebhook,
  postponeWebhook,
} from '../../src/connections/webhooks/webhooks-store.ts'
import { cents } from '../../src/kernel/money.ts'
import { after, systemClock } from '../../src/kernel/time.ts'
import type {
  CardAcquirer,
  CardAuthorization,
  IncomingTransfer,
  ProviderReferences,
  RailName,
  Rails,
  ReferencePayment,
} from '../../src/rails/index.ts'
import type { Database } from '../../src/storage/index.ts'
import { databaseKinds, openTestDatabase } from '../database.ts'
import { describeCardAcquirer } from '../rails/card-acquirer-conformance.ts'
import {
  describeCardForm,
  describeCustomerAuthorizations,
} from '../rails/customer-authorizations-conformance.ts'
import { declinedCards, leftOf, memoryAcquirer, newRecords } from '../rails/memory/acquirer.ts'
import {
  addressOf,
  authenticatingAcquirer,
  newAuthenticatingRecords,
  seenCards,
} from '../rails/memory/authenticating-acquirer.ts'
import { memoryMobileWallet } from '../rails/memory/mobile-wallet.ts'
import { memoryReferenceProvider } from '../rails/memory/reference-provider.ts'
import { describeMobileWallet } from '../rails/mobile-wallet-conformance.ts'
import { describeReferenceProvider } from '../rails/reference-provider-conformance.ts'
import { connectRails } from './connected-rails.ts'

function connect(
  database: Database,
  name: string,
  made: (tools: DriverTools) => Partial<Rails>,
  rails: readonly RailName[] = ['acquirer'],
) {
  return connectRails(database, {
    ...{ name, proven: true, settings: [], rails },
    open: (_connection, tools) => made(tools),
    check: async () => [],
  })
}

describe.each(databaseKinds)('on %s', (kind) => {
  it('finds nothing under a foreign provider key', async () => {
    const database = await openTestDatabase(kind)
    const connected = await connect(database, 'memory', () => ({ acquirer: memoryAcquirer() }))
    await connected.set()
    await connected.rails.acquirer.reverse({ key: randomUUID(), original: randomUUID() })
    connected.rails.acquirer.customers?.serves(1n)
    const { requests } = connected.opened.tools
    for (const text of [
      '',
      'order 4711',
      '\0',
      '\ud800',
      'n'.repeat(100_000),
      "'; drop table rail_requests",
    ]) {
      expect(await requests.find(text)).toBeUndefined()
      expect(await requests.findByProviderId(text)).toBeUndefined()
    }
    await database.close()
  })

  describeCardAcquirer('the router', async () => {
    const database = await openTestDatabase(kind)
    const records = newRecords()
    const open = async () => {
      const { rails, set } = await connect(database, 'memory', () => ({ acquirer: memoryAcquirer(records) }))
      await set()
      return rails.acquirer
    }
    return {
      acquirer: await open(),
      cards: { approved: '4111111111111111', declined: Object.entries(declinedCards) },
      restarted: open,
      held: async (key) => leftOf(records, key),
      close: () => database.close(),
    }
  })
})

describe.each(databaseKinds)('on %s', (kind) => {
  describeMobileWallet('the router', async () => {
    const database = await openTestDatabase(kind)
    let passed = 0
    const now = () => after(systemClock.now(), passed)
    const phone = '+351912345678'
    const { wallet, approve, refuse, change } = memoryMobileWallet(now, new Set([phone]))
    const open = async () => {
      const { rails, set } = await connect(database, 'memory', () => ({ mobileWallet: wallet }), [
        'mobileWallet',
      ])
      await set()
      return rails.mobileWallet
    }
    const termsOf = (terms?: { limit: bigint; expiryDate: string }) =>
      terms && { limit: cents(terms.limit), expiryDate: terms.expiryDate }
    return {
      ...{ phone, now, refuse },
      wallet: await open(),
      unregistered: '+351912345699',
      pass(milliseconds) {
        passed += milliseconds
      },
      approve: (key, terms) => approve(key, termsOf(terms)),
      change: (key, kind, terms) => change(key, kind, termsOf(terms)),
      restarted: open,
      close: () => database.close(),
    }
  })
})

describeCustomerAuthorizations('the router', async () => {
  const database = await openTestDatabase('pglite')
  const records = newAuthenticatingRecords()
  const serves = (merchantId: bigint) => merchantId !== 1002n
  const hasCardForm = (merchantId: bigint) => merchantId === 1003n
  const { answerPage } = authenticatingAcquirer(serves, records, hasCardForm)
  const open = async () => {
    const { rails, set, capabilitiesOf } = await connect(database, 'memory', () => ({
      acquirer: authenticatingAcquirer(serves, records, hasCardForm).acquirer,
    }))
    await set()
    // Without a 3-D Secure server, cards need an acquirer that authenticates customers.
    expect([1001n, 1002n, 1003n].map((id) => capabilitiesOf(id).methods.has('CC'))).toEqual([
      true,
      false,
      true,
    ])
    expect([1001n, 1003n].map((id) => capabilitiesOf(id).cardsAtAcquirer)).toEqual([false, true])
    return rails.acquirer
  }
  const [seen = ''] = seenCards
  return {
    acquirer: await open(),
    merchants: { served: 1001n, others: 1002n },
    cards: { seen, unseen: '4111111111111111' },
    answerPage: (page, answer) => answerPage(addressOf(page), answer),
    restarted: open,
    close: () => database.close(),
  }
})

describeCardForm('the router', async () => {
  const database = await openTestDatabase('pglite')
  const records = newAuthenticatingRecords()
  const always = () => true
  const open = async () => {
    const { rails, set } = await connect(database, 'memory', () => ({
      acquirer: authenticatingAcquirer(always, records, always).acquirer,
    }))
    await set()
    return rails.acquirer
  }
  const { answerPage } = authenticatingAcquirer(always, records, always)
  return {
    acquirer: await open(),
    merchantId: 1001n,
    answerForm: (page, answer) => answerPage(addressOf(page), answer),
    restarted: open,
    close: () => database.close(),
  }
})

describeReferenceProvider('the router', async () => {
  const database = await openTestDatabase('pglite')
  const limits = { payableManyTimes: true, openAmount: true, startsLater: true }
  const { network, pay, loseNextAnswer } = memoryReferenceProvider(systemClock.now, limits)
  const open = async () => {
    const { rails, set } = await connect(database, 'memory', () => ({ referenceNetwork: network }), [
      'referenceNetwork',
    ])
    await set()
    expect(rails.referenceNetworks.own).toBeUndefined()
    return rails.referenceNetworks.serving(1001n) as ProviderReferences
  }
  return {
    network: await open(),
    ...{ loseNextAnswer, now: systemClock.now },
    pay: async (name, amount) => pay(name, amount) !== undefined,
    restarted: open,
    close: () => database.close(),
  }
})

it('accepts reports only about references of the connection', async () => {
  const database = await openTestDatabase('pglite')
  const limits = { payableManyTimes: true, openAmount: true, startsLater: true }
  const providers = new Map<bigint | undefined, ReturnType<typeof memoryReferenceProvider>>()
  const tools = new Map<bigint | undefined, DriverTools>()
  const more: ReferencePayment[] = []
  const received: string[] = []
  const connected = await connectRails(
    database,
    {
      ...{ name: 'memory', proven: true, settings: [], rails: ['referenceNetwork'], check: async () => [] },
      open({ walletId }, given) {
        const provider = memoryReferenceProvider(systemClock.now, limits)
        const { network } = provider
        providers.set(walletId, provider)
        tools.set(walletId, given)
        const paymentsOf = async (keys: readonly string[]) => [...(await network.paymentsOf(keys)), ...more]
        return { referenceNetwork: { ...network, paymentsOf } as ProviderReferences }
      },
    },
    {
      notices: {
        references: {
          receive: async ({ id }) => {
            received.push(id)
            return { kind: 'accepted', operationId: id }
          },
          beneficiaryOf: async () => undefined,
        },
        incomingTransfer: async ({ key }) => {
          received.push(key)
          return 'taken' as never
        },
      },
    },
  )
  const { administration, rails } = connected
  await database.run({
    text: `insert into wallets
        (id, public_id, kind, name, email, callback_user, callback_secret_sealed, callback_signing_sealed,
        created_at, modified_at)
      overriding system value
      values (1002, 'rival', 'merchant', 'Rival', 'rival@example.com', 'rival', '\\x00', '\\x00', now(), now())`,
  })
  await connected.set()
  await administration.set({
    ...{ driver: 'memory', walletId: 1002n, settings: {}, secrets: {}, allowUnproven: true },
  })
  const key = randomUUID()
  const rivalKey = randomUUID()
  for (const [walletId, own] of [
    [1001n, key],
    [1002n, rivalKey],
  ] as const) {
    const network = rails.referenceNetworks.serving(walletId) as ProviderReferences
    const limitsOfOne = { amountMin: cents(100), amountMax: cents(100), payableOnce: true }
    await network.create({ key: own, merchant: { id: walletId, name: 'Loja' }, ...limitsOfOne })
  }
  const paid = (of: string | undefined): ReferencePayment => ({
    ...{ id: randomUUID(), key: of, entity: '10611', ref: '500000001' },
    ...{ amount: cents(100), paidAt: systemClock.now() },
  })
  const [common, rivals] = [tools.get(undefined)?.notices, tools.get(1002n)?.notices]
  const payment = paid(key)
  await expect(rivals?.references.receive(payment)).rejects.toThrow('did not go over connection 2')
  await expect(rivals?.references.receive(paid(undefined))).rejects.toThrow('did not go over connection 2')
  const transfer = { key: randomUUID() } as IncomingTransfer
  await expect(rivals?.incomingTransfer(transfer)).rejects.toThrow('did not go over connection 2')
  expect(received).toEqual([])
  await common?.references.receive(payment)
  const own = paid(rivalKey)
  await rivals?.references.receive(own)
  // Money of an unknown key goes to suspense.
  const unknown = paid(randomUUID())
  await common?.references.receive(unknown)
  await common?.incomingTransfer(transfer)
  expect(received).toEqual([payment.id, own.id, unknown.id, transfer.key])

  more.push(paid(key))
  expect(await rails.referenceNetworks.made.paymentsOf([rivalKey])).toEqual([])
  await database.close()
})

describe.each(databaseKinds)('requests of a driver on %s', (kind) => {
  let database: Database
  beforeAll(async () => {
    database = await openTestDatabase(kind)
  })
  afterAll(() => database.close())

  const payment = (key: string): CardAuthorization => ({
    ...{ key, merchant: { id: 1001n, name: 'Loja' }, amount: cents(1000), currency: 'EUR', intent: 'sale' },
    card: { number: '4111111111111111', expiry: { month: 12, year: 2035 }, name: 'Ana' },
  })

  it('are recorded step by step, and found by the provider’s id', async () => {
    let tools: DriverTools | undefined
    const authorize: CardAcquirer['authorize'] = async () => ({ kind: 'unknown', why: 'lost' })
    const { rails, set } = await connect(database, 'steps', (given) => {
      tools = given
      return { acquirer: { ...memoryAcquirer(), authorize } }
    })
    const { id } = await set()
    const key = randomUUID()
    await rails.acquirer.authorize(payment(key))
    const requests = (tools as DriverTools).requests

    expect(await requests.begin(key, 'checkout')).toMatchObject({ before: 'new' })
    expect(await requests.begin(key, 'checkout')).toMatchObject({ before: 'unknown' })
    const ids = { transaction: 'T-1' }
    await requests.record(key, 'checkout', {
      providerId: `s2-${key}`,
      ids,
      signature: 'sig',
      status: 'Pending',
    })
    expect(await requests.begin(key, 'checkout')).toMatchObject({ before: 'recorded' })
    expect(await requests.begin(key, 'purchase')).toMatchObject({ before: 'new' })
    await requests.record(key, 'purchase', { ids: { purchase: 'B-2' }, answer: { code: '000' } })
    const known = {
      ...{ key, walletId: 1001n, rail: 'acquirer', providerId: `s2-${key}`, signature: 'sig' },
      ...{ status: 'Pending', ids: { transaction: 'T-1', purchase: 'B-2' }, answer: { code: '000' } },
      steps: { checkout: 'recorded', purchase: 'recorded' },
    }
    expect(await requests.find(key)).toEqual(known)
    expect(await requests.findByProviderId(`s2-${key}`)).toEqual(known)
    expect(await requests.find(randomUUID())).toBeUndefined()
    await expect(requests.begin(randomUUID(), 'checkout')).rejects.toThrow(`over connection ${id}`)
  })

  it('are shown in the payment’s story, without answers', async () => {
    let tools: DriverTools | undefined
    const authorize: CardAcquirer['authorize'] = async () => ({ kind: 'unknown', why: 'lost' })
    const { rails, set, administration } = await connect(database, 'told', (given) => {
      tools = given
      return { acquirer: { ...memoryAcquirer(), authorize } }
    })
    await administration.remove((await administration.list({ removed: false }))[0]?.id ?? 0n)
    const { id: connectionId } = await set()
    const key = randomUUID()
    await rails.acquirer.authorize(payment(key))
    const requests = (tools as DriverTools).requests
    const story = async (walletId: bigint) => {
      const [known, reported] = await Promise.all([
        providerAnswers(database, walletId, [key]),
        providerReports(database, walletId, [key]),
      ])
      const answers = known.map((answer) => ({ ...answer, operation: key }))
      const reports = reported.map((report) => ({ ...report, operation: key }))
      const others = { family: [], attempts: [], requests: [], askers: new Map(), bookings: [], events: [] }
      return storyOf({ ...others, answers, reports, showPostings: async () => [] })
    }
    const at = expect.stringMatching(/Z$/)
    const asked = {
      at,
      kind: 'provider_asked',
      operation: key,
      facts: { provider: 'told', rail: 'acquirer' },
    }
    expect(await story(1001n)).toEqual([asked])

    await requests.begin(key, 'create')
    await requests.record(key, 'create', {
      ...{ providerId: 'pi_1', status: 'declined', signature: 'sig_secret' },
      answer: { decline: 'insufficient_funds', card: '4111111111111111' },
    })
    await requests.begin(key, 'confirm')
    const facts = {
      provider: 'told',
      provider_id: 'pi_1',
      failure: 'insufficient_funds',
      step: 'confirm (?), create',
    }
    const answered = { at, kind: 'provider_answered', operation: key, word: 'declined', facts }
    expect(await story(1001n)).toEqual([asked, answered])

    const now = systemClock.now()
    const report = async (connectionId: bigint, notificationId: string) => {
      await insertWebhook(database, { connectionId, notificationId, payload: '{"pin":"sig_secret"}' }, now)
      const taken = await claimWebhooks(database, now, after(now, 60_000), 100)
      return taken.find((one) => one.notificationId === notificationId)?.id ?? 0n
    }
    const { id: others } = await (await connect(database, 'others', () => ({}), ['onlineWallet'])).set()
    await finishWebhook(database, await report(others, 'elsewhere'), key, now)
    await administration.remove(others)
    expect(await story(1001n)).toEqual([asked, answered])

    const webhook = await report(connectionId, 'reported')
    await postponeWebhook(database, webhook, { about: key, dueAt: undefined, lastError: 'NO_DRIVER' })
    const reported = { at, kind: 'provider_reported', operation: key }
    expect(await story(1001n)).toEqual([
      asked,
      answered,
      { ...reported, word: 'waiting', facts: { provider: 'told', error: 'NO_DRIVER' } },
    ])
    // Handled without a key: the known key stays.
    await finishWebhook(database, webhook, undefined, now)
    expect(await story(1001n)).toEqual([
      asked,
      answered,
      { ...reported, word: 'handled', facts: { provider: 'told' } },
    ])
    expect(await story(1002n)).toEqual([])
    expect(JSON.stringify(await story(1001n))).not.toMatch(/4111|secret/)
  })

  it('of another connection are neither found nor changed', async () => {
    const tools: DriverTools[] = []
    const records = newRecords()
    const made = (given: DriverTools) => {
      tools.push(given)
      return { acquirer: memoryAcquirer(records) }
    }
    const first = await connect(database, 'first', made)
    await first.administration.remove((await first.administration.list({ removed: false }))[0]?.id ?? 0n)
    await first.set()
    const key = randomUUID()
    await first.rails.acquirer.authorize(payment(key))
    await tools[0]?.requests.begin(key, 'ask')
    await tools[0]?.requests.record(key, 'ask', { providerId: 'one' })

    const [{ id = 0n } = {}] = await first.administration.list({ removed: false })
    await first.administration.remove(id)
    await first.set()
    await first.rails.acquirer.authorize(payment(randomUUID()))
    const other = tools.at(-1)?.requests
    expect(other).not.toBe(tools[0]?.requests)
    expect(await other?.find(key)).toBeUndefined()
    expect(await other?.findByProviderId('one')).toBeUndefined()
    await expect(other?.record(key, 'ask', { status: 'changed' })).rejects.toThrow('no request')
    const refund = { ...payment(randomUUID()), original: key }
    expect(await first.rails.acquirer.refund(refund)).toMatchObject({ kind: 'approved' })
    expect(await tools[0]?.requests.find(refund.key)).toMatchObject({ key: refund.key, walletId: 1001n })
    expect(await other?.find(refund.key)).toBeUndefined()
    expect(await first.rails.acquirer.inquire(key)).toMatchObject({ kind: 'approved' })
  })

  it('are deleted in time: signatures after an hour, handled webhooks after 90 days', async () => {
    let tools: DriverTools | undefined
    const { rails, set, purge, administration } = await connect(database, 'forgetful', (given) => {
      tools = given
      return { acquirer: memoryAcquirer() }
    })
    for (const other of await administration.list({ removed: false })) await administration.remove(other.id)
    const { id } = await set()
    const keys = [randomUUID(), randomUUID()] as const
    for (const key of keys) {
      await rails.acquirer.authorize(payment(key))
      await tools?.requests.begin(key, 'checkout')
      await tools?.requests.record(key, 'checkout', { signature: 'sig', status: 'Pending' })
    }
    const run = (text: string) => database.run({ text })
    await run(`update rail_requests set changed_at = now() - interval '61 minutes' where key = '${keys[0]}'`)
    await run(`
      insert into rail_webhooks (connection_id, notification_id, payload, received_at, tries, handled_at)
      values (${id}, 'old', null, now() - interval '91 days', 1, now() - interval '91 days'),
        (${id}, 'recent', null, now() - interval '89 days', 1, now() - interval '89 days'),
        (${id}, 'failed', '{}', now() - interval '91 days', 9, null)`)
    await purge.runDue()
    const signatures = await Promise.all(keys.map((key) => tools?.requests.find(key)))
    expect(signatures).toMatchObject([
      { signature: undefined, status: 'Pending' },
      { signature: 'sig', status: 'Pending' },
    ])
    const left = await run(`select notification_id from rail_webhooks where connection_id = ${id} order by 1`)
    expect(left.map((row) => (row as { notification_id: string }).notification_id)).toEqual([
      'failed',
      'recent',
    ])
  })

  it('have their webhooks handled round-robin, the oldest first', async () => {
    const [{ id: busy }, { id: quiet }] = [
      await (await connect(database, 'busy', () => ({}), ['onlineWallet'])).set(),
      await (await connect(database, 'quiet', () => ({}), ['creditTransfer'])).set(),
    ]
    const now = systemClock.now()
    const insert = (connectionId: bigint, name: string, at: number) =>
      insertWebhook(database, { connectionId, notificationId: name, payload: '{}' }, after(now, at))
    for (let n = 0; n < 30; n++) await insert(busy, `busy ${n}`, n - 100)
    await insert(quiet, 'quiet', -1)
    await insert(quiet, 'later', 1000)
    const claimed = async () =>
      (await claimWebhooks(database, now, after(now, 60_000), 8)).map(({ notificationId }) => notificationId)
    const first = Array.from({ length: 7 }, (_, n) => `busy ${n}`)
    expect((await claimed()).sort()).toEqual([...first, 'quiet'])
    expect(await claimed()).toContain('busy 7')
  })

  it('that were not sent are not received, and not sent after a cancellation', async () => {
    let asked = 0
    const { rails, set, administration } = await connect(database, 'counted', () => ({
      acquirer: {
        ...memoryAcquirer(),
        authorize: async () => {
          asked += 1
          return { kind: 'approved', reference: 'R' }
        },
      },
    }))
    for (const { id } of await administration.list({ removed: false })) await administration.remove(id)
    const key = randomUUID()
    await expect(rails.acquirer.authorize(payment(key))).rejects.toThrow('no connection serves')
    expect(await rails.acquirer.inquire(key)).toEqual({ kind: 'not_found' })
    await set()
    expect(await rails.acquirer.cancel?.(key)).toEqual({ kind: 'declined', decline: 'cancelled' })
    expect(await rails.acquirer.authorize(payment(key))).toEqual({ kind: 'declined', decline: 'cancelled' })
    expect(asked).toBe(0)
  })
})
