// Drivers of a hundred lines that keep their promises in memory: the contracts ask for nothing that only the sandbox has.
import { randomUUID } from 'node:crypto'
import { cents } from '../../src/kernel/money.ts'
import { after, systemClock } from '../../src/kernel/time.ts'
import { describeBank } from './bank-conformance.ts'
import { describeCardAcquirer } from './card-acquirer-conformance.ts'
import { declinedCards, leftOf, memoryAcquirer, newRecords } from './memory/acquirer.ts'
import { ibans, memoryBank } from './memory/bank.ts'
import { memoryOnlineWallet } from './memory/online-wallet.ts'
import { memoryReferenceNetwork } from './memory/reference-network.ts'
import { describeOnlineWallet } from './online-wallet-conformance.ts'
import { describeReferenceNetwork, type ListeningGateway } from './reference-network-conformance.ts'

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

describeBank('the one in memory', async () => {
  const { directDebit, creditTransfer, passDay } = memoryBank()
  return {
    ...{ directDebit, creditTransfer, ibans },
    dueOn: '2026-11-23',
    untilDue: async () => passDay(),
    close: nothing,
  }
})

describeOnlineWallet('the one in memory', async () => {
  const { wallet, decide } = memoryOnlineWallet()
  return {
    wallet,
    decide: async (key, decision) => decide(key, decision),
    restarted: () => wallet,
    close: nothing,
  }
})

describeReferenceNetwork('the one in memory', async () => {
  let moved = 0
  const now = () => after(systemClock.now(), moved)
  const gateway: ListeningGateway = { notices: [], answer: undefined }
  const { network, pay, tellAgain } = memoryReferenceNetwork(now)
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
    tellAgain: () => tellAgain(payee),
    close: nothing,
  }
})
