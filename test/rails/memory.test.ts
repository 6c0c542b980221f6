// Minimal drivers in memory pass the conformance suites.
import { randomUUID } from 'node:crypto'
import { cents } from '../../src/kernel/money.ts'
import { after, systemClock } from '../../src/kernel/time.ts'
import { describeBank } from './bank-conformance.ts'
import { describeCardAcquirer } from './card-acquirer-conformance.ts'
import { describeCardForm, describeCustomerAuthorizations } from './customer-authorizations-conformance.ts'
import { declinedCards, leftOf, memoryAcquirer, newRecords } from './memory/acquirer.ts'
import {
  addressOf,
  authenticatingAcquirer,
  newAuthenticatingRecords,
  seenCards,
} from './memory/authenticating-acquirer.ts'
import { ibans, memoryBank } from './memory/bank.ts'
import { memoryMobileWallet } from './memory/mobile-wallet.ts'
import { memoryOnlineWallet } from './memory/online-wallet.ts'
import { memoryReferenceNetwork } from './memory/reference-network.ts'
import { memoryReferenceProvider } from './memory/reference-provider.ts'
import { issuerCards, memoryIssuer } from './memory/three-d-secure.ts'
import { describeMobileWallet } from './mobile-wallet-conformance.ts'
import { describeOnlineWallet } from './online-wallet-conformance.ts'
import { describeReferenceNetwork, type ListeningGateway } from './reference-network-conformance.ts'
import { describeReferenceProvider } from './reference-provider-conformance.ts'
import { describeThreeDSecure } from './three-d-secure-conformance.ts'

const nothing = async () => undefined

describeCardAcquirer('the one in memory', async () => {
  const records = newRecords()
  return {
    acquirer: memoryAcquirer(records),
    cards: { approved: '4111111111111111', declined: Object.entries(declinedCards) },
    restarted: async () => memoryAcquirer(records),
    held: async (key) => leftOf(records, key),
    close: nothing,
  }
})

describeCustomerAuthorizations('the one in memory', async () => {
  const records = newAuthenticatingRecords()
  const serves = (merchantId: bigint) => merchantId === 1001n
  const { acquirer, answerPage } = authenticatingAcquirer(serves, records)
  const [seen = ''] = seenCards
  return {
    acquirer,
    merchants: { served: 1001n, others: 1002n },
    cards: { seen, unseen: '4111111111111111' },
    answerPage: (page, answer) => answerPage(addressOf(page), answer),
    restarted: async () => authenticatingAcquirer(serves, records).acquirer,
    close: nothing,
  }
})

describeCardForm('the one in memory', async () => {
  const records = newAuthenticatingRecords()
  const always = () => true
  const { acquirer, answerPage } = authenticatingAcquirer(always, records, always)
  return {
    acquirer,
    merchantId: 1003n,
    answerForm: (page, answer) => answerPage(addressOf(page), answer),
    restarted: async () => authenticatingAcquirer(always, records, always).acquirer,
    close: nothing,
  }
})

for (const mandates of ['ours', 'by e-mail'] as const)
  describeBank(`the one in memory, mandates ${mandates}`, async () => {
    const { directDebit, creditTransfer, passDay, answerMandate } = memoryBank(mandates)
    return {
      ...(mandates === 'by e-mail' && { answerMandate }),
      ...{ directDebit, creditTransfer, ibans },
      dueOn: '2026-11-23',
      untilDue: async () => passDay(),
      close: nothing,
    }
  })

describeOnlineWallet('the one in memory', async () => {
  const { wallet, decide, endReview } = memoryOnlineWallet()
  return {
    wallet,
    endReview: async (key) => endReview(key),
    decide: async (key, decision) => decide(key, decision),
    restarted: () => wallet,
    close: nothing,
  }
})

for (const [name, lacks] of [
  ['the one in memory', []],
  [
    'one in memory without mandates, withdrawal and partial releases',
    ['mandates', 'withdrawal', 'partial releases'],
  ],
  ['one in memory for sales only', ['holds', 'mandates', 'withdrawal', 'partial releases']],
] as const)
  describeMobileWallet(name, async () => {
    let passed = 0
    const now = () => after(systemClock.now(), passed)
    const phone = '+351912345678'
    const { wallet, approve, refuse, change } = memoryMobileWallet(now, new Set([phone]), undefined, lacks)
    const termsOf = (terms?: { limit: bigint; expiryDate: string }) =>
      terms && { limit: cents(terms.limit), expiryDate: terms.expiryDate }
    return {
      ...{ wallet, phone, now, refuse, lacks },
      unregistered: '+351912345699',
      pass(milliseconds) {
        passed += milliseconds
      },
      approve: (key, terms) => approve(key, termsOf(terms)),
      change: (key, kind, terms) => change(key, kind, termsOf(terms)),
      restarted: async () => wallet,
      close: nothing,
    }
  })

describeThreeDSecure('the one in memory', async () => {
  const { threeDSecure, answerChallenge } = memoryIssuer()
  const [visa, mastercard] = issuerCards.challenged
  return {
    threeDSecure,
    cards: {
      frictionless: [
        ['4111111111111111', '05'],
        ['5555555555554444', '02'],
      ],
      challenged: [
        [visa, '05'],
        [mastercard, '02'],
      ],
      rejected: issuerCards.rejected,
    },
    async goThrough(_, { creq, threeDSSessionData }, decision) {
      return { ...(await answerChallenge(creq, decision)), threeDSSessionData }
    },
    close: nothing,
  }
})

describeReferenceNetwork('the one in memory', async () => {
  let moved = 0
  const now = () => after(systemClock.now(), moved)
  const gateway: ListeningGateway = { notices: [], answer: undefined }
  const { network, pay, repeatNotices } = memoryReferenceNetwork(now)
  const payee = {
    async receive(payment: ListeningGateway['notices'][number]) {
      gateway.notices.push(payment)
      if (gateway.answer === undefined) throw new Error('the gateway is down')
      return gateway.answer
    },
  }
  return {
    network,
    entity: network.entity,
    gateway,
    now,
    advance: (milliseconds) => {
      moved += milliseconds
    },
    pay: ({ entity, ref, amount, id = randomUUID() }) =>
      pay(payee, { entity, ref, amount: cents(amount), id }),
    repeatNotices: () => repeatNotices(payee),
    close: nothing,
  }
})

const withoutLimits = { payableManyTimes: true, openAmount: true, startsLater: true }
const withLimits = { payableManyTimes: false, openAmount: false, startsLater: false }
for (const [name, limits, habits] of [
  ['one in memory', withoutLimits, {}],
  ['one in memory with limits', withLimits, {}],
  ['one in memory without idempotency', withLimits, { repeatsLost: true, needsAccount: true }],
] as const) {
  describeReferenceProvider(name, async () => {
    const { network, pay, loseNextAnswer, made } = memoryReferenceProvider(
      systemClock.now,
      limits,
      () => true,
      habits,
    )
    return {
      ...('repeatsLost' in habits && { madeUnder: made, refundsToAccounts: true }),
      ...{ network, loseNextAnswer, now: systemClock.now },
      pay: async (name, amount) => pay(name, amount) !== undefined,
      restarted: async () => network,
      close: nothing,
    }
  })
}
