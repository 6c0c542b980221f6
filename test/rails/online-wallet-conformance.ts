// The conformance suite of online wallets.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { cents } from '../../src/kernel/money.ts'
import {
  callRail,
  type OnlineWallet,
  type OnlineWalletDecline,
  type WalletOrder,
} from '../../src/rails/index.ts'
import { itRefundsPayments } from './refunds-conformance.ts'

export interface OnlineWalletUnderTest {
  readonly wallet: OnlineWallet
  decide(
    key: string,
    decision: 'agree' | 'agree without money' | 'agree, silently' | 'agree, reviewed' | 'cancel',
  ): Promise<void>
  /** The reason for a customer without money. Default: `insufficient_funds`. */
  readonly withoutMoney?: OnlineWalletDecline
  /** The provider does not report that a customer cancelled, so the order stays open until its end. */
  readonly hidesCancellation?: boolean
  /** Ends the review of a captured order: it is paid. */
  endReview(key: string): Promise<void>
  /** The same wallet for a new process. */
  restarted(): OnlineWallet | Promise<OnlineWallet>
  close(): Promise<void>
}

const silenceMs = 300

export function describeOnlineWallet(name: string, make: () => Promise<OnlineWalletUnderTest>): void {
  describe(`${name} as an online wallet`, () => {
    let tested: OnlineWalletUnderTest
    beforeAll(async () => {
      tested = await make()
    })
    afterAll(() => tested.close())

    const newOrder = (): WalletOrder => ({
      key: randomUUID(),
      reference: randomUUID(),
      merchant: { id: 1001n, name: 'Demo Shop' },
      amount: cents(1000),
      currency: 'EUR',
      returnUrl: 'https://shop.example/back',
      language: 'en',
    })

    async function opened(): Promise<string> {
      const order = newOrder()
      const answer = await tested.wallet.open(order)
      expect(answer).toMatchObject({ kind: 'open', approveUrl: expect.stringMatching(/^https?:/) })
      return order.key
    }

    async function paid(): Promise<string> {
      const key = await opened()
      await tested.decide(key, 'agree')
      expect(await tested.wallet.capture(key)).toMatchObject({ kind: 'paid' })
      return key
    }

    it('captures an agreed order once, and repeats its answer', async () => {
      const key = await opened()
      await tested.decide(key, 'agree')
      expect(await tested.wallet.inquire(key)).toEqual({ kind: 'agreed' })
      const answers = await Promise.all(Array.from({ length: 10 }, () => tested.wallet.capture(key)))
      expect(answers[0]).toMatchObject({ kind: 'paid', reference: expect.stringMatching(/./) })
      expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1)
      expect(await (await tested.restarted()).inquire(key)).toEqual(answers[0])
    })

    it('takes nothing before the agreement', async () => {
      const key = await opened()
      expect(await tested.wallet.capture(key)).toEqual({ kind: 'declined', reason: 'not_agreed' })
      expect(await tested.wallet.inquire(key)).toMatchObject({ kind: 'open' })
    })

    it('takes nothing after the customer’s cancellation', async () => {
      const key = await opened()
      await tested.decide(key, 'cancel')
      if (tested.hidesCancellation) {
        expect(await tested.wallet.capture(key)).toEqual({ kind: 'declined', reason: 'not_agreed' })
        expect(await tested.wallet.inquire(key)).toMatchObject({ kind: 'open' })
        return
      }
      const cancelled = { kind: 'declined', reason: 'cancelled' }
      expect(await tested.wallet.capture(key)).toEqual(cancelled)
      expect(await tested.wallet.inquire(key)).toEqual(cancelled)
    })

    it('reports a lack of money', async () => {
      const key = await opened()
      await tested.decide(key, 'agree without money')
      const declined = { kind: 'declined', reason: tested.withoutMoney ?? 'insufficient_funds' }
      expect(await tested.wallet.capture(key)).toEqual(declined)
      expect(await (await tested.restarted()).inquire(key)).toEqual(declined)
    })

    it('answers a repeated order with its state', async () => {
      const order = newOrder()
      const first = await tested.wallet.open(order)
      expect(await tested.wallet.open(order)).toEqual(first)
      await tested.decide(order.key, 'agree')
      expect(await tested.wallet.open(order)).toEqual({ kind: 'agreed' })
    })

    it('has decided before the inquiry, even without an answer', async () => {
      const key = await opened()
      await tested.decide(key, 'agree, silently')
      expect(await callRail(() => tested.wallet.capture(key), silenceMs)).toMatchObject({ kind: 'unknown' })
      expect(await (await tested.restarted()).inquire(key)).toMatchObject({ kind: 'paid' })
    })

    it('waits for a review, and then reports the payment', async () => {
      const key = await opened()
      await tested.decide(key, 'agree, reviewed')
      const waiting = { kind: 'waiting' }
      expect(await tested.wallet.capture(key)).toEqual(waiting)
      expect(await tested.wallet.capture(key)).toEqual(waiting)
      expect(await (await tested.restarted()).inquire(key)).toEqual(waiting)
      await tested.endReview(key)
      const paid = { kind: 'paid', reference: expect.stringMatching(/./) }
      expect(await tested.wallet.inquire(key)).toEqual(paid)
      expect(await tested.wallet.capture(key)).toEqual(paid)
    })

    describe('holds', () => {
      const move = (verb: 'capture' | 'release', payment: string, amount: number) => {
        const followUp = { key: randomUUID(), payment, amount: cents(amount) }
        return { ...followUp, answer: holds()[verb](followUp) }
      }
      const holds = () => {
        const { holds: own } = tested.wallet
        if (own === undefined) throw new Error('it has no holds')
        return own
      }
      const isWhole = () => tested.wallet.lacks?.(1001n).includes('partial releases') === true
      async function held(): Promise<string> {
        const order = { ...newOrder(), intent: 'hold' as const }
        await tested.wallet.open(order)
        await tested.decide(order.key, 'agree')
        expect(await tested.wallet.capture(order.key)).toMatchObject({ kind: 'paid' })
        return order.key
      }
      const yes = { kind: 'approved', reference: expect.stringMatching(/./) }
      const no = { kind: 'declined', decline: 'not_permitted' }

      it('are captured in parts, up to the amount, once under one key', async () => {
        if (tested.wallet.holds === undefined) return
        const hold = await held()
        expect(await holds().inquireHold(hold)).toEqual({ kind: 'held' })
        const first = move('capture', hold, 400)
        const answer = await first.answer
        expect(answer).toEqual(yes)
        const again = await Promise.all(Array.from({ length: 5 }, () => holds().capture(first)))
        expect(new Set(again.map((one) => JSON.stringify(one)))).toEqual(new Set([JSON.stringify(answer)]))
        expect(await (await tested.restarted()).holds?.inquireFollowUp(first.key)).toEqual(answer)
        const tooMuch = move('capture', hold, 601)
        expect(await tooMuch.answer).toEqual(no)
        expect(await holds().inquireFollowUp(tooMuch.key)).toEqual(no)
        expect(await move('capture', hold, 600).answer).toEqual(yes)
        expect(await holds().inquireHold(hold)).toEqual({ kind: 'ended' })
        expect(await move('capture', hold, 1).answer).toEqual(no)
      })

      it('are released, and then not captured', async () => {
        if (tested.wallet.holds === undefined) return
        const hold = await held()
        expect(await move('release', hold, 300).answer).toEqual(isWhole() ? no : yes)
        const rest = move('release', hold, isWhole() ? 1000 : 700)
        expect(await rest.answer).toEqual(yes)
        expect(await holds().release(rest)).toEqual(yes)
        expect(await (await tested.restarted()).holds?.inquireFollowUp(rest.key)).toEqual(yes)
        expect(await holds().inquireHold(hold)).toEqual({ kind: 'ended' })
        expect(await move('capture', hold, 1).answer).toEqual(no)
        expect(await holds().inquireFollowUp(randomUUID())).toEqual({ kind: 'not_found' })
      })

      it('are refunded by their captures', async () => {
        if (tested.wallet.holds === undefined) return
        const hold = await held()
        const taken = move('capture', hold, 500)
        await taken.answer
        const refund = (of: string, amount: number) =>
          tested.wallet.refund({ key: randomUUID(), of, amount: cents(amount), currency: 'EUR' })
        expect(await refund(taken.key, 501)).toMatchObject({ kind: 'declined' })
        expect(await refund(taken.key, 500)).toMatchObject({ kind: 'approved' })
      })

      it('are no payments: a payment is not captured twice', async () => {
        if (tested.wallet.holds === undefined) return
        expect(await move('capture', await paid(), 100).answer).toEqual(no)
        expect(await move('release', randomUUID(), 100).answer).toEqual(no)
      })
    })

    describe('saved accounts', () => {
      const saved = () => {
        const { saved: own } = tested.wallet
        if (own === undefined) throw new Error('it saves no accounts')
        return own
      }
      async function agreed(amount: number, decision: 'agree' | 'agree without money' = 'agree') {
        const order = { ...newOrder(), amount: cents(amount), saves: true }
        expect(await tested.wallet.open(order)).toMatchObject({ kind: 'open' })
        await tested.decide(order.key, decision)
        return order.key
      }
      async function kept(amount = 0, decision: 'agree' | 'agree without money' = 'agree') {
        const key = await agreed(amount, decision)
        expect(await tested.wallet.capture(key)).toMatchObject({ kind: 'paid' })
        return key
      }
      const chargeOf = (account: string, amount = 500) => {
        const { key, reference, merchant, currency } = newOrder()
        return { key, reference, merchant, currency, account, amount: cents(amount) }
      }
      const paid = { kind: 'paid', reference: expect.stringMatching(/./) }
      const ended = { kind: 'declined', reason: 'account_ended' }

      it('are saved by an order of 0, and charged once under one key', async () => {
        if (tested.wallet.saved === undefined) return
        const account = await kept()
        expect(await saved().inquireAccount(account)).toEqual({ kind: 'saved' })
        const charge = chargeOf(account)
        const answers = await Promise.all(Array.from({ length: 5 }, () => saved().charge(charge)))
        expect(answers[0]).toEqual(paid)
        expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1)
        expect(await (await tested.restarted()).inquire(charge.key)).toEqual(answers[0])
        expect(await (await tested.restarted()).saved?.charge(charge)).toEqual(answers[0])
      })

      it('are saved together with a payment, which is refunded like any other', async () => {
        if (tested.wallet.saved === undefined) return
        const account = await kept(1000)
        const charge = chargeOf(account)
        await saved().charge(charge)
        const refund = (of: string, amount: number) =>
          tested.wallet.refund({ key: randomUUID(), of, amount: cents(amount), currency: 'EUR' })
        expect(await refund(charge.key, 501)).toMatchObject({ kind: 'declined' })
        expect(await refund(charge.key, 500)).toMatchObject({ kind: 'approved' })
        expect(await refund(account, 1000)).toMatchObject({ kind: 'approved' })
      })

      it('are not charged by a customer without money, or before the agreement', async () => {
        if (tested.wallet.saved === undefined) return
        const reason = tested.withoutMoney ?? 'insufficient_funds'
        expect(await tested.wallet.capture(await agreed(1000, 'agree without money'))).toEqual({
          ...{ kind: 'declined', reason },
        })
        const charge = chargeOf(await kept(0, 'agree without money'))
        expect(await saved().charge(charge)).toEqual({ kind: 'declined', reason })
        expect(await (await tested.restarted()).inquire(charge.key)).toEqual({ kind: 'declined', reason })
        const order = { ...newOrder(), saves: true }
        await tested.wallet.open(order)
        expect(await saved().inquireAccount(order.key)).toEqual({ kind: 'not_found' })
        expect(await saved().charge(chargeOf(order.key))).toEqual(ended)
      })

      it('are not charged after their end', async () => {
        if (tested.wallet.saved === undefined) return
        const account = await kept()
        expect(await saved().forget(account)).toEqual({ kind: 'ended' })
        expect(await (await tested.restarted()).saved?.forget(account)).toEqual({ kind: 'ended' })
        expect(await saved().inquireAccount(account)).toEqual({ kind: 'ended' })
        const charge = chargeOf(account)
        expect(await saved().charge(charge)).toEqual(ended)
        expect(await saved().forget(randomUUID())).toEqual({ kind: 'not_found' })
      })

      it('are no payments, and payments are no accounts', async () => {
        if (tested.wallet.saved === undefined) return
        const payment = await opened()
        await tested.decide(payment, 'agree')
        await tested.wallet.capture(payment)
        expect(await saved().inquireAccount(payment)).toEqual({ kind: 'not_found' })
        expect(await saved().charge(chargeOf(payment))).toEqual(ended)
      })
    })

    it('does not know an unused key', async () => {
      expect(await tested.wallet.inquire(randomUUID())).toEqual({ kind: 'not_found' })
    })

    itRefundsPayments(() => tested.wallet, paid)
  })
}
