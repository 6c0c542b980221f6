// The conformance suite of acquirers that authenticate customers.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { cents } from '../../src/kernel/money.ts'
import {
  type CardAcquirer,
  type CustomerAuthorization,
  type CustomerPage,
  isCancelled,
} from '../../src/rails/index.ts'

export interface AuthenticatingAcquirerUnderTest {
  readonly acquirer: CardAcquirer
  /** A merchant whose customers it authenticates, and one whose customers we do; where there are such. */
  readonly merchants: { readonly served: bigint; readonly others?: bigint }
  /** Cards with and without the issuer's page. */
  readonly cards: { readonly seen: string; readonly unseen: string }
  answerPage(page: CustomerPage, answer: 'confirm' | 'refuse'): Promise<string>
  /** The same acquirer for a new process. */
  restarted(): Promise<CardAcquirer>
  close(): Promise<void>
}

export function describeCustomerAuthorizations(
  name: string,
  make: () => Promise<AuthenticatingAcquirerUnderTest>,
): void {
  describe(`${name} as an acquirer that authenticates customers`, () => {
    let tested: AuthenticatingAcquirerUnderTest
    beforeAll(async () => {
      tested = await make()
    })
    afterAll(() => tested.close())

    const returnUrl = 'https://pay.example.com/3ds/return/1'
    const request = (
      number: string,
      intent: CustomerAuthorization['intent'] = 'sale',
    ): CustomerAuthorization => ({
      key: randomUUID(),
      merchant: { id: tested.merchants.served, name: 'Demo Shop' },
      amount: cents(intent === 'verify' ? 0 : 1000),
      currency: 'EUR',
      intent,
      card: { number, expiry: { month: 12, year: 2035 }, vcode: '123', name: 'Ana Sousa' },
      browser: { acceptHeader: '*/*', userAgent: 'Mozilla/5.0', ip: '203.0.113.7', javascript: false },
      returnUrl,
    })
    const customersOf = ({ customers }: CardAcquirer) => {
      if (customers === undefined) throw new Error('it authenticates no customers')
      return customers
    }
    const customers = () => customersOf(tested.acquirer)

    async function pageFor(asked: CustomerAuthorization): Promise<CustomerPage> {
      const answer = await customers().authorize(asked)
      if (answer.kind !== 'customer') throw new Error(`it answered ${answer.kind}`)
      return answer.page
    }

    it('names the merchants whose customers it authenticates', () => {
      const { served, others } = tested.merchants
      expect(customers().serves(served)).toBe(true)
      if (others !== undefined) expect(customers().serves(others)).toBe(false)
    })

    it('decides at once without the issuer’s page', async () => {
      const asked = request(tested.cards.unseen)
      const answer = await customers().authorize(asked)
      expect(answer).toMatchObject({ kind: 'approved' })
      expect(await customers().authorize(asked)).toEqual(answer)
      expect(await customers().inquire(asked.key)).toEqual(answer)
    })

    it('answers one page for a key, and unknown to callers without pages', async () => {
      const asked = request(tested.cards.seen)
      const page = await pageFor(asked)
      expect('url' in page && page.url).toMatch(/^https?:\/\//)
      expect(await pageFor(asked)).toEqual(page)
      expect(await customers().inquire(asked.key)).toEqual({ kind: 'customer', page })
      const restarted = await tested.restarted()
      expect(await customersOf(restarted).inquire(asked.key)).toEqual({ kind: 'customer', page })
      expect(await tested.acquirer.inquire(asked.key)).toMatchObject({ kind: 'unknown' })
    })

    it.each(['sale', 'hold', 'verify'] as const)(
      'approves a %s that the customer confirmed',
      async (intent) => {
        const asked = request(tested.cards.seen, intent)
        expect(await tested.answerPage(await pageFor(asked), 'confirm')).toContain(returnUrl)
        const answer = await customers().inquire(asked.key)
        expect(answer).toMatchObject({ kind: 'approved' })
        expect(await customers().authorize(asked)).toEqual(answer)
        if (intent !== 'verify') expect(await tested.acquirer.inquire(asked.key)).toEqual(answer)
      },
    )

    it('declines after the customer’s refusal', async () => {
      const asked = request(tested.cards.seen)
      expect(await tested.answerPage(await pageFor(asked), 'refuse')).toContain(returnUrl)
      expect(await customers().inquire(asked.key)).toMatchObject({ kind: 'declined' })
    })

    it('allows follow-ups after the confirmation, and a reversal', async () => {
      const asked = request(tested.cards.seen, 'hold')
      await tested.answerPage(await pageFor(asked), 'confirm')
      const { merchant, currency, amount } = asked
      const follow = { key: randomUUID(), original: asked.key, merchant, currency, amount }
      expect(await tested.acquirer.capture(follow)).toMatchObject({ kind: 'approved' })
      const other = request(tested.cards.seen)
      await tested.answerPage(await pageFor(other), 'confirm')
      const reversal = { key: randomUUID(), original: other.key }
      expect(await tested.acquirer.reverse(reversal)).toMatchObject({ kind: 'approved' })
    })

    it('closes the page after a cancellation', async () => {
      const asked = request(tested.cards.seen)
      const page = await pageFor(asked)
      const answer = (await tested.acquirer.cancel?.(asked.key)) ?? { kind: 'not_found' as const }
      expect(isCancelled(answer)).toBe(true)
      await expect(tested.answerPage(page, 'confirm')).rejects.toThrow()
      expect(await customers().inquire(asked.key)).toMatchObject({ kind: 'declined' })
    })

    it('does not know other keys', async () => {
      expect(await customers().inquire(randomUUID())).toEqual({ kind: 'not_found' })
    })
  })
}

export interface CardFormUnderTest
  extends Pick<AuthenticatingAcquirerUnderTest, 'acquirer' | 'restarted' | 'close'> {
  /** A merchant whose customers type their card into the acquirer's form. */
  readonly merchantId: bigint
  answerForm(page: CustomerPage, answer: 'confirm' | 'refuse'): Promise<string>
}

export function describeCardForm(name: string, make: () => Promise<CardFormUnderTest>): void {
  describe(`${name} as an acquirer with a card form`, () => {
    let tested: CardFormUnderTest
    beforeAll(async () => {
      tested = await make()
    })
    afterAll(() => tested.close())

    const returnUrl = 'https://pay.example.com/3ds/return/1'
    const request = (intent: 'sale' | 'hold' = 'sale'): CustomerAuthorization => ({
      key: randomUUID(),
      merchant: { id: tested.merchantId, name: 'Demo Shop' },
      amount: cents(1000),
      currency: 'EUR',
      intent,
      browser: { acceptHeader: '*/*', userAgent: 'Mozilla/5.0', ip: '203.0.113.7', javascript: true },
      returnUrl,
    })
    const customersOf = ({ customers }: CardAcquirer) => {
      if (customers === undefined) throw new Error('it authenticates no customers')
      return customers
    }
    const customers = () => customersOf(tested.acquirer)

    async function formFor(asked: CustomerAuthorization): Promise<CustomerPage> {
      const answer = await customers().authorize(asked)
      if (answer.kind !== 'customer') throw new Error(`it answered ${answer.kind}`)
      return answer.page
    }

    it('has a card form', () => {
      expect(customers().serves(tested.merchantId)).toBe(true)
      expect(customers().hasCardForm?.(tested.merchantId)).toBe(true)
    })

    it('answers one form for a key', async () => {
      const asked = request()
      const page = await formFor(asked)
      const address = expect.stringMatching(/^https?:\/\//)
      const form = { cardForm: { script: address, attributes: expect.any(Object) } }
      // A linked page has the form too.
      expect(page).toEqual('url' in page ? { url: address } : form)
      expect(await formFor(asked)).toEqual(page)
      const restarted = customersOf(await tested.restarted())
      expect(await restarted.inquire(asked.key)).toEqual({ kind: 'customer', page })
      expect(await tested.acquirer.inquire(asked.key)).toMatchObject({ kind: 'unknown' })
    })

    it.each(['sale', 'hold'] as const)('approves a %s whose card was typed there', async (intent) => {
      const asked = request(intent)
      expect(await tested.answerForm(await formFor(asked), 'confirm')).toContain(returnUrl)
      const answer = await customers().inquire(asked.key)
      expect(answer).toMatchObject({ kind: 'approved' })
      expect(await customers().authorize(asked)).toEqual(answer)
      expect(await tested.acquirer.inquire(asked.key)).toEqual(answer)
    })

    it('declines a card that was declined on the form', async () => {
      const asked = request()
      expect(await tested.answerForm(await formFor(asked), 'refuse')).toContain(returnUrl)
      expect(await customers().inquire(asked.key)).toMatchObject({ kind: 'declined' })
    })

    it('allows follow-ups after the approval', async () => {
      const asked = request('hold')
      await tested.answerForm(await formFor(asked), 'confirm')
      const { merchant, currency, amount } = asked
      const follow = { key: randomUUID(), original: asked.key, merchant, currency, amount }
      expect(await tested.acquirer.capture(follow)).toMatchObject({ kind: 'approved' })
    })

    it('declines a cancelled request, and reverses a payment on its form', async () => {
      const asked = request()
      const page = await formFor(asked)
      const answer = (await tested.acquirer.cancel?.(asked.key)) ?? { kind: 'not_found' as const }
      expect(isCancelled(answer)).toBe(true)
      const paid = await tested.answerForm(page, 'confirm').catch(() => undefined)
      if (paid === undefined) return
      expect(await tested.acquirer.inquire(asked.key)).toMatchObject({ kind: 'approved' })
      const reversal = { key: randomUUID(), original: asked.key }
      expect(await tested.acquirer.reverse(reversal)).toMatchObject({ kind: 'approved' })
    })
  })
}
