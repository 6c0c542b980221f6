// Attempts of customers in the engine: each is begun, asked and settled once.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { cents } from '../../src/kernel/money.ts'
import { RefusalError } from '../../src/kernel/result.ts'
import { after, day, hour, minute, second } from '../../src/kernel/time.ts'
import type { CustomerEngine } from '../../src/operations/attempts/customers/engine.ts'
import type { AttemptPurpose, CustomerHandler } from '../../src/operations/attempts/customers/handler.ts'
import { markWithdrawn } from '../../src/operations/attempts/customers/store.ts'
import type { AttemptState, CustomerAttempt } from '../../src/operations/attempts/model.ts'
import { insertOperations } from '../../src/operations/for-movements.ts'
import { statement } from '../../src/storage/index.ts'
import {
  approved,
  declined,
  type EngineWorld,
  notFound,
  openEngineWorld,
  type Script,
  unknownAnswer,
} from './engine-world.ts'

type Details = Readonly<Record<string, unknown>>
type Handler = CustomerHandler<Details>

let world: EngineWorld
/**
 * By card the customer decides first. If the rail has not received the attempt, the engine gives it up after four
 * inquiries.
 */
let card: CustomerEngine<Details>
/** By phone the rail is asked at once, and again while the customer may decide. */
let phone: CustomerEngine<Details>
/** By direct debit the bank takes days, and may return the payment. */
let debit: CustomerEngine<Details>

beforeAll(async () => {
  world = await openEngineWorld()
  const { say } = world
  const subject: AttemptPurpose<Details> = {
    choose: () => say('choose'),
    begin: () => say('begin'),
    approved: () => say('approved'),
    declined: async (_, reason) => {
      const isFailed = await say('declined')
      reasons.push(reason)
      return isFailed
    },
    failed: (_, reason) => say('failed').then(() => void reasons.push(reason)),
  }
  const { failed: ___, ...staysOpen } = subject
  const handler: Handler = {
    method: 'CC',
    purposes: { direct: subject, checkout: staysOpen },
    whenNotReceived: 'give up',
    notReceived: 'not_received',
    look: () => say('look'),
    ask: async (_, beforeSend) => ((await beforeSend()) ? say('ask') : unknownAnswer),
    inquire: () => say('inquire'),
    cancel: () => say('cancel'),
  }
  const { look: _, cancel: __, ...plain } = handler
  card = world.follow(handler)
  phone = world.follow({
    ...plain,
    method: 'MBWAY',
    whenNotReceived: 'send again',
    cancel: () => say('cancel'),
  })
  debit = world.follow({
    ...plain,
    method: 'SEPA',
    nextInquiry: ({ state }, now) => (state === 'APPROVED' ? after(now, day) : after(now, hour)),
    returned: ({ state }, reason) => say('returned').then(() => void reasons.push(`${state} ${reason}`)),
  })
})
afterAll(() => world.close())

/** The reasons of failures that the purpose of the attempt received. */
const reasons: string[] = []
beforeEach(async () => {
  await world.database.run(statement('delete from attempts'))
  script({})
})

/** Sets the answers. If a test sets no answer, the purpose of the attempt agrees. */
function script(answers: Readonly<Record<string, Script>>): void {
  const agrees = { choose: [true], begin: [true], approved: ['paid'], declined: [true], failed: [undefined] }
  world.scripted({ ...agrees, ...answers })
  reasons.length = 0
}

function attempt(more: Partial<CustomerAttempt<Details>> = {}): CustomerAttempt<Details> {
  return {
    walletId: 1001n,
    operationId: randomUUID(),
    key: randomUUID(),
    type: 'PAYMENT',
    method: 'CC',
    state: 'OPEN',
    tries: 0,
    owner: 'direct',
    pageToken: randomUUID(),
    amount: cents(1000),
    currency: 'EUR',
    merchantName: 'Shop',
    details: { step: 'FIRST' },
    createdAt: world.now(),
    modifiedAt: world.now(),
    ...more,
  } as CustomerAttempt<Details>
}

/** Begins an attempt that is due in 30 s. */
async function begun(
  engine: CustomerEngine<Details>,
  state: AttemptState,
  more: Partial<CustomerAttempt<Details>> = {},
): Promise<CustomerAttempt<Details>> {
  const method = engine === card ? 'CC' : engine === phone ? 'MBWAY' : 'SEPA'
  const made = await engine.begin(attempt({ ...more, state, method }), {
    dueAt: after(world.now(), 30 * second),
  })
  if (made === undefined) throw new Error('it was not begun')
  world.asked()
  return made
}

/** The operation that the attempt pays, decided by `attemptId`. */
async function operationOf(
  { operationId, key, method }: CustomerAttempt<Details>,
  attemptId = key,
): Promise<void> {
  const asked = { id: operationId, attemptId, method: method as 'CC', status: 'PENDING' } as const
  const operation = { ...world.payment(asked), underApproval: true }
  await insertOperations(world.database, [{ operation, claim: undefined }])
}

const end = statement(`
  update operations set status = 'FAIL', under_approval = false, settled_at = created_at, error = 'expired'
  where wallet_id = $1 and id = $2`)
async function operationFails({ walletId, operationId }: CustomerAttempt<Details>): Promise<void> {
  await world.database.run(end, [walletId, operationId])
}

interface Row {
  readonly state: string
  readonly failure: string | null
  readonly reference: string | null
  readonly details: Details
}
async function row({ key }: CustomerAttempt<Details>): Promise<Row | undefined> {
  return (await world.database.run(statement<Row>('select * from attempts where id = $1'), [key]))[0]
}
/** State and tries of an attempt, and the seconds until it is due. */
const stands = ({ key }: CustomerAttempt<Details>) => world.attempt({ id: key })

describe('beginning', () => {
  it('an OPEN one chooses it, and an ASKED one goes to its rail', async () => {
    const dueAt = after(world.now(), 30 * second)
    const [open, asked] = [attempt(), attempt({ state: 'ASKED' })]
    expect(await card.begin(open, { dueAt })).toEqual(open)
    expect([world.asked(), await stands(open)]).toEqual([['choose'], ['OPEN', 0, 30]])
    expect(await card.begin(asked, { dueAt })).toEqual(asked)
    expect([world.asked(), await stands(asked)]).toEqual([
      ['choose', 'begin'],
      ['ASKED', 0, 30],
    ])
  })

  it.each([
    ['choose', 'OPEN'],
    ['begin', 'ASKED'],
  ] as const)('that is too late to %s writes nothing', async (verb, state) => {
    script({ [verb]: [false] })
    const late = attempt({ state })
    expect(await card.begin(late, { dueAt: world.now() })).toBeUndefined()
    expect(await stands(late)).toBeUndefined()
  })

  it('writes its target instead of choosing one, and rows that refer to it', async () => {
    const first = attempt()
    const inserted: unknown[] = []
    const begin = {
      dueAt: world.now(),
      insertTarget: async () => true,
      prepare: async () => ({ ...first, details: { reserved: 7 } }),
      afterInsert: async (_: unknown, { details }: CustomerAttempt<Details>) => void inserted.push(details),
    }
    expect(await card.begin(first, begin)).toMatchObject({ key: first.key, details: { reserved: 7 } })
    expect([world.asked(), inserted, (await row(first))?.details]).toEqual([
      [],
      [{ reserved: 7 }],
      { reserved: 7 },
    ])
    // The customer opens the same page again.
    expect(await card.begin({ ...first, key: randomUUID() }, begin)).toBeUndefined()
    expect(inserted).toHaveLength(1)
    expect(await card.begin(attempt(), { ...begin, insertTarget: async () => false })).toBeUndefined()
  })

  it('for an owner that its method does not serve is refused', async () => {
    await expect(card.begin(attempt({ owner: 'card_store' }), { dueAt: world.now() })).rejects.toThrow(
      'by CC: no purpose for owner card_store',
    )
    await expect(
      card.begin(attempt(), { dueAt: world.now(), insertTarget: () => Promise.reject(new Error('broken')) }),
    ).rejects.toThrow('broken')
  })
})

describe('the answer of the rail', () => {
  const reference = 'R1'
  it.each([
    [{ ...approved, reference }, ['APPROVED', 0, undefined], null, reference, ['ask', 'approved']],
    [{ ...declined, reference }, ['DECLINED', 0, undefined], 'no_funds', reference, ['ask', 'declined']],
    [{ kind: 'cancelled', reason: 'gone' }, ['GIVEN_UP', 0, 60], 'gone', null, ['ask', 'declined']],
    [{ kind: 'returned', reason: 'back' }, ['DECLINED', 0, undefined], 'back', null, ['ask', 'declined']],
    [{ kind: 'waiting' }, ['ASKED', 0, 10], null, null, ['ask']],
    [unknownAnswer, ['ASKED', 0, 5], null, null, ['ask']],
    [notFound, ['ASKED', 0, 5], null, null, ['ask']],
  ] as const)('%j decides', async (answer, state, failure, stored, asked) => {
    script({ ask: [answer] })
    const sent = await begun(phone, 'ASKED')
    await phone.send(sent, world.now())
    expect([world.asked(), await stands(sent)]).toEqual([asked, state])
    expect(await row(sent)).toMatchObject({ failure, reference: stored, details: { step: 'FIRST' } })
    expect(reasons).toEqual(failure === null ? [] : [failure])
  })

  it('is stored if it has new details', async () => {
    script({ ask: [{ kind: 'waiting', details: { asked: true } }] })
    const sent = await begun(phone, 'ASKED')
    await phone.send(sent, world.now())
    expect((await row(sent))?.details).toEqual({ step: 'FIRST', asked: true })
  })

  it.each([
    ['late', ['ASKED', 0, 30]],
    ['unknown', ['ASKED', 0, 5]],
  ] as const)('does not end it if the approval is %s', async (outcome, state) => {
    script({ ask: [approved], approved: [outcome] })
    const sent = await begun(card, 'ASKED')
    await card.send(sent, world.now())
    expect(await stands(sent)).toEqual(state)
  })

  it('is asked for again if it declines a paid attempt', async () => {
    script({ ask: [declined], declined: [false] })
    const sent = await begun(card, 'ASKED')
    await card.send(sent, world.now())
    expect(await stands(sent)).toEqual(['ASKED', 0, 5])
  })

  it.each([
    [9, 9],
    [10, 10],
    [11, 10],
    [0, 10],
  ])("is due before the customer's time is over: %i s", async (seconds, due) => {
    script({ ask: [{ kind: 'waiting' }] })
    const sent = await begun(card, 'ASKED', { expiresAt: after(world.now(), seconds * second) })
    await card.conclude(sent, { kind: 'waiting' })
    expect((await stands(sent))?.[2]).toBe(due)
  })

  it('is not asked for if the call is delayed and the resolver decides', async () => {
    const sent = await begun(card, 'ASKED')
    const again = await begun(phone, 'ASKED')
    await world.database.run(statement('update attempts set tries = 4'))
    world.advance(4 * second)
    await card.send(sent, after(world.now(), -4 * second))
    await phone.send(again, after(world.now(), -4 * second))
    expect(world.asked()).toEqual(['ask'])
    expect(await stands(again)).toEqual(['ASKED', 0, 5])
  })
})

describe('asking for the money after the customer agreed', () => {
  it('begins the approval first, and asks once', async () => {
    script({ ask: [approved] })
    const open = await begun(card, 'OPEN')
    await card.ask(open)
    expect([world.asked(), (await stands(open))?.[0]]).toEqual([['begin', 'ask', 'approved'], 'APPROVED'])
    await card.ask(open)
    expect([world.asked(), (await stands(open))?.[0]]).toEqual([['begin'], 'APPROVED'])
  })

  it('is inquired about after that', async () => {
    const open = await begun(card, 'OPEN')
    script({ ask: [new Error('cut off')] })
    await expect(card.ask(open)).rejects.toThrow('cut off')
    expect(await stands(open)).toEqual(['ASKED', 0, 10])
  })

  it('abandons one that was replaced', async () => {
    const open = await begun(card, 'OPEN')
    script({ begin: [false] })
    await card.ask(open)
    expect([world.asked(), await stands(open)]).toEqual([['begin'], ['ABANDONED', 0, undefined]])
  })

  it('fails alone if it has no purpose to fail', async () => {
    const open = await begun(card, 'OPEN', { owner: 'checkout' })
    await card.fail(open, 'refused')
    expect(await row(open)).toMatchObject({ state: 'DECLINED', failure: 'refused' })
  })

  it("fails if the merchant's limit is reached, and reports other errors", async () => {
    const [open, other, refused] = [
      await begun(card, 'OPEN'),
      await begun(card, 'OPEN'),
      await begun(card, 'OPEN'),
    ]
    const refusal = (kind: 'limit_reached' | 'not_found') => new RefusalError({ kind, reason: 'no' })
    script({ begin: [refusal('limit_reached'), new Error('broken'), refusal('not_found')] })
    await card.ask(open)
    expect([world.asked(), reasons]).toEqual([['begin', 'failed'], ['limit_reached']])
    expect(await row(open)).toMatchObject({ state: 'DECLINED', failure: 'limit_reached' })
    await expect(card.ask(other)).rejects.toThrow('broken')
    await expect(card.ask(refused)).rejects.toMatchObject({ refusal: { kind: 'not_found' } })
    expect(await row(other)).toMatchObject({ state: 'OPEN', failure: null })
  })
})

describe('the resolver, for a customer who decides,', () => {
  const looked = async (next: unknown) => {
    script({ look: [next], ask: [unknownAnswer] })
    const open = await begun(card, 'OPEN')
    await operationOf(open)
    return [await world.resolveAfter(30 * second), await stands(open), reasons] as const
  }
  it.each([
    [{ kind: 'ask' }, ['look', 'begin', 'ask'], ['ASKED', 0, 5], []],
    [{ kind: 'declined', reason: 'refused' }, ['look', 'failed'], ['DECLINED', 1, undefined], ['refused']],
    [{ kind: 'wait' }, ['look'], ['OPEN', 1, 20], []],
  ] as const)('takes the next step: %j', async (next, asked, state, said) => {
    expect(await looked(next)).toEqual([asked, state, said])
  })

  it.each(['is another attempt’s', 'has ended'])('abandons it if the operation %s', async (which) => {
    const open = await begun(card, 'OPEN')
    await operationOf(open, which === 'has ended' ? open.key : randomUUID())
    if (which === 'has ended') await operationFails(open)
    expect(await world.resolveAfter(30 * second)).toEqual([])
    expect(await stands(open)).toEqual(['ABANDONED', 1, undefined])
  })

  it('finds the operation after a notice', async () => {
    script({ look: [{ kind: 'wait' }] })
    const [open, replaced] = [await begun(card, 'OPEN'), await begun(card, 'OPEN')]
    await operationOf(replaced, randomUUID())
    await card.advance(open)
    await card.advance(replaced)
    expect([world.asked(), (await stands(open))?.[0]]).toEqual([['look'], 'OPEN'])
    expect((await stands(replaced))?.[0]).toBe('ABANDONED')
  })

  it('abandons it if its method has no decision, and leaves ended ones alone', async () => {
    const open = await begun(phone, 'OPEN')
    await phone.advance(open)
    expect((await stands(open))?.[0]).toBe('ABANDONED')
    const collected = await begun(debit, 'OPEN')
    await debit.advance(collected)
    expect((await stands(collected))?.[0]).toBe('ABANDONED')
    await phone.advance({ ...open, state: 'DECLINED' })
    await card.advance({ ...open, state: 'APPROVED' })
    expect(world.asked()).toEqual([])
  })

  it('reports a method without an engine', async () => {
    await card.begin(attempt({ method: 'PAYPAL' }), { dueAt: world.now() })
    await world.resolveAfter(0)
    expect(world.errors).toMatchObject([
      { message: expect.stringMatching(/^no engine for the PAYPAL attempt/) },
    ])
  })
})

describe('one that its rail has not received', () => {
  const found = { inquire: [notFound] }
  /** The requests at each of four inquiries. */
  async function fourLooks(engine: CustomerEngine<Details>, more: Readonly<Record<string, Script>>) {
    script({ ...found, ...more })
    const sent = await begun(engine, 'ASKED', { expiresAt: after(world.now(), hour) })
    await operationOf(sent)
    const asked = []
    for (const seconds of [30, 10, 20, 40]) asked.push(await world.resolveAfter(seconds * second))
    return [sent, asked] as const
  }
  const look = ['inquire']

  it('is given up at the fourth inquiry, unless it is sent again', async () => {
    const [sent, asked] = await fourLooks(card, { cancel: [notFound] })
    expect(asked).toEqual([look, look, look, [...look, 'cancel', 'declined']])
    expect(await stands(sent)).toEqual(['GIVEN_UP', 0, 60])
    expect([reasons, (await row(sent))?.failure]).toEqual([['not_received'], 'not_received'])
  })

  it.each([
    [{ kind: 'cancelled', reason: 'gone' }, 'GIVEN_UP', ['not_received']],
    [approved, 'APPROVED', []],
    [unknownAnswer, 'ASKED', []],
  ] as const)('and says %j when it is taken back, is that', async (answer, state, said) => {
    const [sent] = await fourLooks(card, { cancel: [answer] })
    expect([(await stands(sent))?.[0], reasons]).toEqual([state, said])
  })

  it('and that cannot be taken back, is given up', async () => {
    const [sent, asked] = await fourLooks(debit, {})
    expect([asked[3], await stands(sent)]).toEqual([
      [...look, 'declined'],
      ['GIVEN_UP', 0, 60],
    ])
  })

  it('is sent again while the customer may decide, and then given up', async () => {
    const [sent, asked] = await fourLooks(phone, { ask: [notFound], cancel: [notFound] })
    expect(asked).toEqual(Array(4).fill([...look, 'ask']))
    expect(await stands(sent)).toEqual(['ASKED', 4, 80])
    expect(await world.resolveAfter(hour)).toEqual([...look, 'cancel', 'declined'])
    expect((await stands(sent))?.[0]).toBe('GIVEN_UP')
  })

  it('is given up at once if the customer has no time left', async () => {
    script({ ...found, cancel: [notFound] })
    const sent = await begun(phone, 'ASKED', { expiresAt: after(world.now(), second) })
    expect(await world.resolveAfter(30 * second)).toEqual([...look, 'cancel', 'declined'])
    expect((await stands(sent))?.[0]).toBe('GIVEN_UP')
  })

  it('is not sent by a notice that comes before the first call', async () => {
    script(found)
    const sent = await begun(phone, 'ASKED')
    await phone.advance(sent)
    expect([world.asked(), await stands(sent)]).toEqual([look, ['ASKED', 0, 5]])
  })

  describe('and was given up,', () => {
    async function givenUp(inquired: unknown, hasFailed = false) {
      const [sent] = await fourLooks(card, { cancel: [notFound] })
      if (hasFailed) await operationFails(sent)
      script({ inquire: [inquired] })
      return [sent, await world.resolveAfter(minute)] as const
    }

    it('is declined again first, with the same reason, and looked for', async () => {
      const [sent, asked] = await givenUp(notFound)
      expect([asked, reasons]).toEqual([['declined', 'inquire'], ['not_received']])
      expect(await stands(sent)).toEqual(['GIVEN_UP', 1, 540])
    })

    it('and arrives after all, pays what is still open', async () => {
      const [sent, asked] = await givenUp(approved)
      expect([asked, (await stands(sent))?.[0]]).toEqual([['declined', 'inquire', 'approved'], 'APPROVED'])
    })

    it('and arrives after its purpose failed, is reversed', async () => {
      const [sent] = await givenUp(approved, true)
      // The purpose has not reported yet that the approval is too late.
      expect(await stands(sent)).toEqual(['TO_REVERSE', 1, 10])
      script({ approved: ['late'], reverse: [approved] })
      expect(await world.resolveAfter(10 * second)).toEqual(['approved', 'reverse'])
      expect((await stands(sent))?.[0]).toBe('REVERSED')
    })

    it('and was no payment, moved no money', async () => {
      script({ ...found, cancel: [notFound] })
      const stored = await begun(card, 'ASKED')
      for (const seconds of [30, 10, 20, 40]) await world.resolveAfter(seconds * second)
      script({ inquire: [notFound, approved] })
      expect(await world.resolveAfter(minute)).toEqual(['declined', 'inquire'])
      expect((await stands(stored))?.[0]).toBe('GIVEN_UP')
      expect(await world.resolveAfter(9 * minute)).toEqual(['declined', 'inquire'])
      expect(await stands(stored)).toEqual(['CLOSED', 2, undefined])
    })
  })
})

describe('one that its customer withdraws', () => {
  const withdrawn = async (sent: CustomerAttempt<Details>) => {
    const taken = await markWithdrawn<Details>(world.database, 'MBWAY', sent.walletId, sent.key, world.now())
    if (taken === undefined) throw new Error('it is over')
    return taken
  }
  it('is cancelled; an earlier payment counts', async () => {
    script({ cancel: [{ kind: 'cancelled', reason: 'by_customer' }, approved] })
    const [cancelled, paid] = [await begun(phone, 'ASKED'), await begun(phone, 'ASKED')]
    await phone.withdraw(await withdrawn(cancelled))
    await phone.withdraw(await withdrawn(paid))
    expect(await row(cancelled)).toMatchObject({ state: 'GIVEN_UP', failure: 'by_customer' })
    expect((await stands(paid))?.[0]).toBe('APPROVED')
  })

  it('may still be on its way to the rail until the customer has no time left', async () => {
    script({ cancel: [notFound] })
    const sent = await begun(phone, 'ASKED', { expiresAt: after(world.now(), hour) })
    await phone.withdraw(sent)
    expect(await stands(sent)).toEqual(['ASKED', 0, 30])
    await phone.withdraw(await withdrawn(sent))
    expect([world.asked(), await stands(sent)]).toEqual([
      ['cancel', 'cancel'],
      ['ASKED', 0, 5],
    ])
    expect(await world.resolveAfter(5 * second)).toEqual(['cancel'])
    expect((await stands(sent))?.[0]).toBe('ASKED')
    expect(await world.resolveAfter(hour)).toEqual(['cancel', 'declined'])
    expect([(await stands(sent))?.[0], reasons]).toEqual(['GIVEN_UP', ['not_received']])
  })

  it('is left alone if it is over, or its rail cannot cancel', async () => {
    const sent = await begun(phone, 'ASKED')
    const collected = await begun(debit, 'ASKED')
    await phone.withdraw({ ...sent, state: 'OPEN' })
    await debit.withdraw(collected)
    expect(world.asked()).toEqual([])
  })
})

describe('one that its bank may return for days', () => {
  async function paid() {
    script({ ask: [approved] })
    const sent = await begun(debit, 'ASKED')
    await debit.send(sent, world.now())
    world.asked()
    return sent
  }

  it('is asked about while it waits, and once it is paid', async () => {
    script({ ask: [{ kind: 'waiting' }], inquire: [{ kind: 'waiting' }, approved] })
    const sent = await begun(debit, 'ASKED')
    await debit.send(sent, world.now())
    expect(await stands(sent)).toEqual(['ASKED', 0, 3600])
    await world.resolveAfter(hour)
    expect(await stands(sent)).toEqual(['ASKED', 1, 3600])
    expect(await world.resolveAfter(hour)).toEqual(['inquire', 'approved'])
    expect(await stands(sent)).toEqual(['APPROVED', 2, 86_400])
    expect(await world.resolveAfter(day)).toEqual(['inquire'])
    expect(await stands(sent)).toEqual(['APPROVED', 3, 86_400])
  })

  it('is returned after it was paid', async () => {
    const sent = await paid()
    script({ inquire: [{ kind: 'returned', reason: 'MD06' }] })
    expect(await world.resolveAfter(day)).toEqual(['inquire', 'returned'])
    expect([reasons, (await stands(sent))?.[0]]).toEqual([['APPROVED MD06'], 'APPROVED'])
  })

  it('is paid and returned if both become known at once', async () => {
    script({ declined: [false] })
    const sent = await begun(debit, 'ASKED')
    await debit.conclude(sent, { kind: 'returned', reason: 'MD06' })
    expect(world.asked()).toEqual(['declined', 'approved', 'returned'])
    expect([reasons, (await stands(sent))?.[0]]).toEqual([['MD06', 'APPROVED MD06'], 'APPROVED'])
  })

  it('is left as it is if its method does nothing after a return', async () => {
    script({ declined: [false] })
    const sent = await begun(card, 'ASKED')
    await card.conclude(sent, { kind: 'returned', reason: 'back' })
    await card.conclude({ ...sent, state: 'APPROVED' }, { kind: 'returned', reason: 'back' })
    expect([world.asked(), (await stands(sent))?.[0]]).toEqual([['declined', 'approved'], 'APPROVED'])
  })

  it('and answers unknown after it was paid is asked again soon', async () => {
    const sent = await paid()
    script({ inquire: [unknownAnswer] })
    await world.resolveAfter(day)
    expect(await stands(sent)).toEqual(['APPROVED', 1, 10])
  })
})
