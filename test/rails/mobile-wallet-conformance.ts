// The conformance suite of mobile wallets.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { cents } from '../../src/kernel/money.ts'
import { after, type Instant, minute } from '../../src/kernel/time.ts'
import type {
  MobileWallet,
  MobileWalletLack,
  WalletMandateChange,
  WalletMandateRequest,
  WalletPaymentRequest,
} from '../../src/rails/index.ts'

export interface TestedWallet {
  readonly wallet: MobileWallet
  readonly phone: string
  readonly unregistered: string
  now(): Instant
  pass(milliseconds: number): void
  /** False if the app does not allow it. */
  approve(key: string, terms?: { limit: bigint; expiryDate: string }): Promise<boolean>
  refuse(key: string): Promise<boolean>
  change(
    key: string,
    kind: 'update' | 'suspend' | 'resume' | 'cancel',
    terms?: { limit: bigint; expiryDate: string },
  ): Promise<boolean>
  /** Functions that the network lacks. */
  readonly lacks?: readonly ('finding customers' | 'restoring holds' | MobileWalletLack)[]
  /** The same network for a new process. */
  restarted(): Promise<MobileWallet>
  close(): Promise<void>
}

const terms = { limit: 5000n, expiryDate: '2030-12-31' }

export function describeMobileWallet(name: string, start: () => Promise<TestedWallet>): void {
  describe(`${name} is a mobile wallet that`, () => {
    let tested: TestedWallet
    beforeAll(async () => {
      tested = await start()
    })
    afterAll(() => tested.close())

    const asked = () => ({
      key: randomUUID(),
      merchant: { id: 1001n, name: 'Demo Shop' },
      phone: tested.phone,
      expires: after(tested.now(), 4 * minute),
    })
    const payment = (change: Partial<WalletPaymentRequest> = {}): WalletPaymentRequest => ({
      ...asked(),
      amount: cents(1000),
      currency: 'EUR',
      intent: 'sale',
      ...change,
    })
    const mandate = (change: Partial<WalletMandateRequest> = {}): WalletMandateRequest => ({
      ...asked(),
      kind: 'ONECLICK',
      ...change,
    })
    async function changes(key: string, afterVersion = 0): Promise<readonly WalletMandateChange[]> {
      const history = await tested.wallet.mandateHistory(key, afterVersion)
      if (history.kind !== 'changes') throw new Error(`no history of ${key}: ${history.kind}`)
      return history.changes
    }
    async function approved(change: Partial<WalletPaymentRequest> = {}): Promise<string> {
      const request = payment(change)
      await tested.wallet.requestPayment(request)
      expect(await tested.approve(request.key)).toBe(true)
      return request.key
    }
    async function activeMandate(): Promise<string> {
      const request = mandate()
      await tested.wallet.requestMandate(request)
      expect(await tested.approve(request.key, terms)).toBe(true)
      return request.key
    }
    const waiting = { kind: 'waiting' }
    const lacks = (verb: NonNullable<TestedWallet['lacks']>[number]) => tested.lacks?.includes(verb) === true

    it('knows its customers', async () => {
      const tells = !lacks('finding customers')
      const { wallet, phone, unregistered } = tested
      expect(await wallet.findCustomer(phone)).toEqual({ kind: tells ? 'registered' : 'unsupported' })
      expect(await wallet.findCustomer(unregistered)).toEqual({
        kind: tells ? 'not_registered' : 'unsupported',
      })
      const strange = { phone: unregistered }
      const declined = { kind: 'declined', decline: tells ? 'not_registered' : 'refused' }
      expect(await tested.wallet.requestPayment(payment(strange))).toEqual(declined)
      if (!lacks('mandates')) expect(await wallet.requestMandate(mandate(strange))).toEqual(declined)
    })

    it('declares what it lacks', () => {
      const declared = tested.wallet.lacks?.(1001n) ?? []
      const own = (tested.lacks ?? []).filter((lack) => !/^(finding customers|restoring holds)$/.test(lack))
      expect([...declared].sort()).toEqual([...own].sort())
    })

    it('releases only the whole rest, if it cannot release parts', async () => {
      if (lacks('holds') || !lacks('partial releases')) return
      const hold = await approved({ intent: 'hold' })
      const part = await tested.wallet.release({ key: randomUUID(), payment: hold, amount: cents(300) })
      expect(part).toEqual({ kind: 'declined', decline: 'not_permitted' })
      const whole = { key: randomUUID(), payment: hold, amount: cents(1000) }
      expect(await tested.wallet.release(whole)).toMatchObject({ kind: 'approved' })
    })

    it('answers the state to a withdrawal that it lacks', async () => {
      if (!lacks('withdrawal')) return
      const request = payment()
      await tested.wallet.requestPayment(request)
      expect(await tested.wallet.withdrawPayment(request.key)).toEqual(waiting)
      expect(await tested.approve(request.key)).toBe(true)
      expect(await tested.wallet.withdrawPayment(request.key)).toMatchObject({ kind: 'approved' })
    })

    it('declines unsupported requests without asking the customer', async () => {
      const declined = { kind: 'declined', decline: 'not_permitted' }
      const [hold, asked] = [payment({ intent: 'hold' }), mandate()]
      if (lacks('holds')) {
        expect(await tested.wallet.requestPayment(hold)).toEqual(declined)
        expect(await tested.wallet.inquirePayment(hold.key)).toEqual(declined)
        expect(await tested.approve(hold.key)).toBe(false)
      }
      if (!lacks('mandates')) return
      expect(await tested.wallet.requestMandate(asked)).toEqual(declined)
      expect(await tested.wallet.mandateHistory(asked.key, 0)).toEqual({ kind: 'not_found' })
      const opens = { key: randomUUID(), wanted: { limit: cents(1000), from: '2026-12-01' } }
      expect(await tested.wallet.requestPayment(payment({ opens }))).toEqual(declined)
      expect(await tested.wallet.requestPayment(payment({ mandate: randomUUID() }))).toEqual(waiting)
    })

    it('asks the customer, and reports the answer', async () => {
      const [yes, no] = [payment(), payment({ intent: lacks('holds') ? 'sale' : 'hold' })]
      for (const request of [yes, no]) {
        expect(await tested.wallet.requestPayment(request)).toEqual(waiting)
        expect(await tested.wallet.inquirePayment(request.key)).toEqual(waiting)
      }
      await tested.approve(yes.key)
      await tested.refuse(no.key)
      const approval = { kind: 'approved', reference: expect.any(String), byMandate: false }
      expect(await tested.wallet.inquirePayment(yes.key)).toEqual(approval)
      expect(await tested.wallet.requestPayment(yes)).toEqual(approval)
      expect(await tested.wallet.inquirePayment(no.key)).toEqual({ kind: 'declined', decline: 'refused' })
      expect(await tested.approve(no.key)).toBe(false)
    })

    it('asks once under one key, also for concurrent requests', async () => {
      const request = payment()
      const answers = await Promise.all(
        Array.from({ length: 10 }, () => tested.wallet.requestPayment(request)),
      )
      expect(answers).toEqual(answers.map(() => waiting))
      expect(await tested.approve(request.key)).toBe(true)
      expect(await tested.approve(request.key)).toBe(false)
    })

    it('allows no approval after the end', async () => {
      const request = payment()
      const late = mandate()
      await tested.wallet.requestPayment(request)
      if (!lacks('mandates')) await tested.wallet.requestMandate(late)
      tested.pass(4 * minute)
      expect(await tested.approve(request.key)).toBe(false)
      if (!lacks('mandates')) expect(await tested.approve(late.key, terms)).toBe(false)
      expect(await tested.wallet.inquirePayment(request.key)).toEqual({
        kind: 'declined',
        decline: 'expired',
      })
      if (!lacks('mandates')) expect(await changes(late.key)).toEqual([{ version: 1, kind: 'expired' }])
      const tooLate = payment({ expires: tested.now() })
      expect(await tested.wallet.requestPayment(tooLate)).toEqual({ kind: 'declined', decline: 'expired' })
    })

    it('withdraws an unanswered request, and not an answered one', async () => {
      if (lacks('withdrawal')) return
      const { wallet } = tested
      const [open, paid] = [payment(), payment()]
      for (const request of [open, paid]) await wallet.requestPayment(request)
      expect(await tested.approve(paid.key)).toBe(true)
      const withdrawn = { kind: 'declined', decline: 'withdrawn' }
      for (let times = 0; times < 2; times++) {
        expect(await wallet.withdrawPayment(open.key)).toEqual(withdrawn)
        expect(await wallet.withdrawPayment(paid.key)).toMatchObject({ kind: 'approved' })
      }
      expect(await wallet.requestPayment(open)).toEqual(withdrawn)
      expect(await tested.approve(open.key)).toBe(false)
    })

    it('withdraws an unanswered mandate, and not an answered one', async () => {
      if (lacks('mandates')) return
      const { wallet } = tested
      const [asked, allowed] = [mandate(), mandate()]
      for (const request of [asked, allowed]) await wallet.requestMandate(request)
      expect(await tested.approve(allowed.key, terms)).toBe(true)
      for (let times = 0; times < 2; times++) {
        expect(await wallet.withdrawMandate(asked.key)).toEqual({ kind: 'withdrawn' })
        expect(await wallet.withdrawMandate(allowed.key)).toEqual({ kind: 'over' })
      }
      expect(await tested.approve(asked.key, terms)).toBe(false)
      expect(await changes(asked.key)).toEqual([{ version: 1, kind: 'expired' }])
      expect(await changes(allowed.key)).toHaveLength(1)
    })

    it('does not know an unused key', async () => {
      const never = { kind: 'not_found' }
      const { wallet } = tested
      expect(await wallet.inquirePayment(randomUUID())).toEqual(never)
      expect(await wallet.mandateHistory(randomUUID(), 0)).toEqual(never)
      expect(await wallet.cancelMandate(randomUUID())).toEqual(never)
      expect(await wallet.withdrawMandate(randomUUID())).toEqual(never)
      expect(await wallet.inquireFollowUp(randomUUID())).toEqual(never)
    })

    it('keeps the history of a mandate in order, without gaps', async () => {
      if (lacks('mandates')) return
      const key = await activeMandate()
      const more = { limit: 9000n, expiryDate: '2031-01-31' }
      expect(await tested.change(key, 'update', more)).toBe(true)
      expect(await tested.change(key, 'suspend')).toBe(true)
      expect(await tested.change(key, 'suspend')).toBe(false)
      expect(await tested.change(key, 'resume')).toBe(true)
      expect(await tested.change(key, 'cancel')).toBe(true)
      expect(await tested.change(key, 'resume')).toBe(false)
      const all = [
        { version: 1, kind: 'approved', ...terms },
        { version: 2, kind: 'updated', ...more },
        { version: 3, kind: 'suspended' },
        { version: 4, kind: 'resumed' },
        { version: 5, kind: 'cancelled' },
      ]
      expect(await changes(key)).toEqual(all)
      expect(await changes(key, 3)).toEqual(all.slice(3))
      expect(await (await tested.restarted()).mandateHistory(key, 4)).toEqual({
        kind: 'changes',
        changes: all.slice(4),
      })
    })

    it('ends a mandate for the merchant, repeatedly', async () => {
      if (lacks('mandates')) return
      const key = await activeMandate()
      for (let times = 0; times < 2; times++)
        expect(await tested.wallet.cancelMandate(key)).toEqual({ kind: 'cancelled' })
      expect(await changes(key, 1)).toEqual([{ version: 2, kind: 'cancelled' }])
    })

    it('approves under a mandate without asking, and asks if it is not usable', async () => {
      if (lacks('mandates')) return
      const key = await activeMandate()
      const covered = payment({ mandate: key })
      const approval = { kind: 'approved', reference: expect.any(String), byMandate: true }
      expect(await tested.wallet.requestPayment(covered)).toEqual(approval)
      expect(await tested.wallet.inquirePayment(covered.key)).toEqual(approval)
      const strange = { merchant: { id: 1002n, name: 'Other' }, mandate: key }
      expect(await tested.wallet.requestPayment(payment(strange))).toEqual(waiting)
      await tested.change(key, 'suspend')
      expect(await tested.wallet.requestPayment(payment({ mandate: key }))).toEqual(waiting)
    })

    const move = (verb: 'capture' | 'release' | 'refund', of: string, amount: number) => {
      const key = randomUUID()
      return { key, answer: tested.wallet[verb]({ key, payment: of, amount: cents(amount) }) }
    }
    const yes = { kind: 'approved', reference: expect.any(String) }
    const no = { kind: 'declined', decline: 'not_permitted' }

    it('captures and releases up to the hold, and refunds up to the capture', async () => {
      if (lacks('holds')) return
      const { wallet } = tested
      const hold = await approved({ intent: 'hold' })
      const isPart = lacks('partial releases') ? no : yes
      expect(await move('release', hold, 300).answer).toEqual(isPart)
      const captured = move('capture', hold, 600)
      expect(await captured.answer).toEqual(yes)
      expect(await wallet.inquireFollowUp(captured.key)).toEqual(await captured.answer)
      const again = wallet.capture({ key: captured.key, payment: hold, amount: cents(600) })
      expect(await again).toEqual(await captured.answer)
      const beyond = move('capture', hold, lacks('partial releases') ? 401 : 101)
      expect(await beyond.answer).toEqual(no)
      expect(await wallet.inquireFollowUp(beyond.key)).toEqual(no)
      expect(await move('refund', hold, 1).answer).toEqual(no)
      expect(await move('refund', captured.key, 601).answer).toEqual(no)
      expect(await move('refund', captured.key, 600).answer).toEqual(yes)
    })

    it('refunds up to the payment, and captures nothing of it', async () => {
      const sale = await approved()
      const captured = move('capture', sale, 1)
      expect(await captured.answer).toEqual(no)
      expect(await tested.wallet.inquireFollowUp(captured.key)).toEqual(no)
      expect(await move('refund', sale, 0).answer).toEqual(no)
      const race = [move('refund', sale, 700), move('refund', sale, 700)]
      const kinds = (await Promise.all(race.map(({ answer }) => answer))).map(({ kind }) => kind)
      expect(kinds.sort()).toEqual(['approved', 'declined'])
      for (const { key, answer } of race)
        expect(await tested.wallet.inquireFollowUp(key)).toEqual(await answer)
      expect(await move('refund', randomUUID(), 1).answer).toEqual(no)
    })

    it('hides requests under a withdrawn key from customers', async () => {
      if (lacks('withdrawal')) return
      const request = payment()
      const withdrawn = { kind: 'declined', decline: 'withdrawn' }
      const answer = await tested.wallet.withdrawPayment(request.key)
      if (answer.kind === 'not_found') return
      expect(answer).toEqual(withdrawn)
      expect(await tested.wallet.requestPayment(request)).toEqual(withdrawn)
      expect(await tested.wallet.inquirePayment(request.key)).toEqual(withdrawn)
      expect(await tested.approve(request.key)).toBe(false)
    })

    it('moves nothing under a cancelled key, and reports earlier movements', async () => {
      const { wallet } = tested
      if (wallet.cancelFollowUp === undefined) return
      const sale = await approved()
      const [early, late] = [randomUUID(), randomUUID()]
      const answer = await wallet.refund({ key: early, payment: sale, amount: cents(300) })
      expect(await wallet.cancelFollowUp(early)).toEqual(answer)
      const withdrawn = { kind: 'declined', decline: 'withdrawn' }
      expect(await wallet.cancelFollowUp(late)).toEqual(withdrawn)
      expect(await wallet.refund({ key: late, payment: sale, amount: cents(700) })).toEqual(withdrawn)
      const rest = { key: randomUUID(), payment: sale, amount: cents(700) }
      expect(await wallet.refund(rest)).toMatchObject({ kind: 'approved' })
    })

    const reversalOf = (original: string) => ({ key: randomUUID(), original })
    const done = { kind: 'approved', reference: expect.any(String) }

    it('reverses a whole hold and its follow-ups once', async () => {
      if (lacks('holds')) return
      const { wallet } = tested
      const hold = await approved({ intent: 'hold' })
      if (!lacks('restoring holds'))
        for (const verb of ['capture', 'release'] as const) {
          const key = randomUUID()
          await wallet[verb]({ key, payment: hold, amount: cents(1000) })
          expect(await wallet.reverse(reversalOf(hold))).toMatchObject({ kind: 'declined' })
          const undone = reversalOf(key)
          expect(await wallet.reverse(undone)).toEqual(done)
          expect(await wallet.reverse(undone)).toEqual(done)
          expect(await wallet.reverse(reversalOf(key))).toMatchObject({ kind: 'declined' })
        }
      expect(await wallet.reverse(reversalOf(hold))).toEqual(done)
      const more = { key: randomUUID(), payment: hold, amount: cents(1) }
      expect(await wallet.capture(more)).toMatchObject({ kind: 'declined' })

      const other = await approved({ intent: 'hold' })
      const captured = { key: randomUUID(), payment: other, amount: cents(400) }
      await wallet.capture(captured)
      expect(await wallet.reverse(reversalOf(other))).toMatchObject({ kind: 'declined' })
      const undone = reversalOf(captured.key)
      expect(await wallet.reverse(undone)).toEqual(done)
      expect(await wallet.reverse(undone)).toEqual(done)
      expect(await wallet.reverse(reversalOf(captured.key))).toMatchObject({ kind: 'declined' })
      const refund = { key: randomUUID(), payment: captured.key, amount: cents(1) }
      expect(await wallet.refund(refund)).toMatchObject({ kind: 'declined' })
    })

    it('reverses a whole payment once', async () => {
      const { wallet } = tested
      const sale = await approved()
      expect(await wallet.reverse(reversalOf(sale))).toEqual(done)
      expect(await wallet.reverse(reversalOf(sale))).toMatchObject({ kind: 'declined' })
      expect(await wallet.reverse(reversalOf(randomUUID()))).toMatchObject({ kind: 'declined' })
    })

    it('ignores a call that was aborted before it was sent', async () => {
      const { wallet } = tested
      const request = payment()
      const movement = { key: randomUUID(), payment: await approved(), amount: cents(1000) }
      const signal = AbortSignal.abort()
      await expect(wallet.requestPayment(request, signal)).rejects.toThrow()
      await expect(wallet.refund(movement, signal)).rejects.toThrow()
      expect(await wallet.inquirePayment(request.key)).toEqual({ kind: 'not_found' })
      expect(await wallet.inquireFollowUp(movement.key)).toEqual({ kind: 'not_found' })
    })
  })
}
