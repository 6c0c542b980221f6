// The contract of methods, for every method on pages.
import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { pageMethods } from '../../src/methods/list.ts'
import { openPage, type Page, submit } from '../browserless.ts'
import { startMortalWorld } from '../gateway-here.ts'
import { askedOnPhone } from '../phone.ts'
import { cards } from '../world.ts'
import { describeMethod, type MethodUnderTest } from './contract.ts'

const bankPagesMax = 6

/** Crash points that a payment over a rail reaches. */
const byRail = [
  'customer data kept, nothing begun',
  'attempt opened, rail not asked',
  'rail answered, nothing written',
  'settled, its attempt still open',
] as const
const refundDeaths = ['attempt opened, rail not asked', 'rail answered, nothing written'] as const

async function atBank(page: Page, otp: string): Promise<void> {
  let at = page
  for (let step = 0; step < bankPagesMax; step++) {
    const next = at.forms.find(({ action }) => /\/bank\b|\/challenge\b|\/3ds\/return\//.test(action))
    if (next === undefined) return
    at = await submit(at, next, 'otp' in next.fields ? { otp } : {})
  }
}

const methods: readonly MethodUnderTest[] = [
  {
    code: 'CC',
    async choose(_world, money, checkout) {
      const { number, otp } = cards.challenge
      const typed = { number, name: 'Ana Silva', expiry: '12 / 30', vcode: '123' }
      const page = await money.pay(checkout, 'card', typed)
      return { approve: () => atBank(page, otp), refuse: () => atBank(page, '9999') }
    },
    payingDeaths: [
      'attempt begun, issuer not asked',
      'customer authenticated, approval not begun',
      ...byRail,
    ],
    refundDeaths,
  },
  {
    code: 'MB',
    async choose(world, money, checkout) {
      const page = await openPage(checkout.url_redirect)
      const form = page.forms.find(({ action }) => /\/mb\b/.test(action))
      if (form === undefined) throw new Error(page.text)
      await submit(page, form)
      const { mb } = await world.operation(checkout.payment.id)
      const payment = { ...mb, amount: 10, payment_id: randomUUID() }
      return { approve: () => money.sandbox('references/pay', payment) }
    },
    payingDeaths: ['transaction written, not committed'],
    refundDeaths: [],
  },
  {
    code: 'MBWAY',
    async choose(world, _money, checkout) {
      const { phone, request } = await askedOnPhone(world, checkout)
      return { approve: () => phone.approve(request.id), refuse: () => phone.refuse(request.id) }
    },
    payingDeaths: byRail,
    refundDeaths,
  },
  {
    code: 'PAYPAL',
    async choose(_world, money, checkout) {
      await money.pay(checkout, 'paypal')
      const decide = (verb: string) => money.sandbox(`online-wallet/${checkout.payment.id}/${verb}`)
      return { approve: () => decide('approve'), refuse: () => decide('cancel') }
    },
    payingDeaths: byRail,
    refundDeaths,
  },
  {
    code: 'WALLET',
    async choose(_world, money, checkout) {
      const { email, pin } = await money.consumer(10)
      const enter = (pin: string) => money.pay(checkout, 'wallet', { email, pin })
      return { approve: () => enter(pin), refuse: () => enter('9999') }
    },
    payingDeaths: ['customer data kept, nothing begun', 'transaction written, not committed'],
    refundDeaths,
  },
  {
    code: 'SEPA',
    async choose(_world, money, checkout) {
      await money.payByDebit(checkout)
      const settle = (outcome: string) => money.sandbox(`sepa/${checkout.payment.id}/settle`, { outcome })
      return { approve: () => settle('paid'), refuse: () => settle('returned') }
    },
    undecided: 'COMPLETED',
    refused: 'FAIL',
    payingDeaths: byRail,
    refundDeaths,
  },
]

it('the table has every method on pages', () => {
  expect(methods.map(({ code }) => code).sort()).toEqual([...pageMethods].sort())
})

for (const method of methods) describeMethod(method, startMortalWorld)
