// Wires what the sandbox's bank and online wallet tell the gateway, as the real ones would by notices and statements.
import { topUpReference } from '../balances/index.ts'
import type { Ground } from '../ground.ts'
import { newId } from '../kernel/ids.ts'
import { ok } from '../kernel/result.ts'
import type { Ledger } from '../ledger/index.ts'
import { topUpConsumer } from '../operations/index.ts'
import type { GatewayNews } from '../../sandbox/index.ts'
import type { Wallets } from '../wallets/index.ts'
import type { OtherMethods } from './other-methods.ts'

/** Rows of the bank's page. */
const consumersListedMax = 20

type ConsumerFacts = NonNullable<Awaited<ReturnType<Wallets['findConsumer']>>>

interface SandboxNewsParts {
  readonly wallets: Wallets
  readonly ledger: Ledger
  /** The modules, once they are there: their rails come first. */
  methods(): OtherMethods
}

/** What the sandbox's bank and online wallet tell, brought to the modules. */
export function sandboxNews(ground: Ground, parts: SandboxNewsParts): GatewayNews {
  const { wallets, ledger, methods } = parts

  async function consumerOf({ walletId, email, lockedUntil }: ConsumerFacts) {
    const balance = await ledger.balanceOf({ walletId, kind: 'consumer' })
    return { walletId, email, balance, lockedUntil, reference: topUpReference(walletId) }
  }

  return {
    async walletOrderChanged(key) {
      await methods().onlineWallet.heard(key)
    },
    async bankEntryChanged(key) {
      if (!(await methods().directDebits.heard(key))) await methods().balances.heard(key)
    },
    transferArrived: (transfer) => methods().balances.receive(transfer),
    transfersTaken: (limit) => methods().balances.transfers(false, limit),
    async topUpTexts() {
      const merchants = (await wallets.listMerchants()).filter(({ methods: has }) => has.includes('BANK'))
      const consumers = await wallets.listConsumers(consumersListedMax)
      return [
        ...merchants.map(({ id, name }) => ({ name, reference: topUpReference(id) })),
        ...consumers.map(({ walletId, email }) => ({ name: email, reference: topUpReference(walletId) })),
      ]
    },
    async createConsumer(consumer, balance) {
      const { database, clock, random } = ground
      const made = await wallets.createConsumer(consumer)
      if (!made.ok) return made
      const operationId = newId(clock.now(), random)
      const funding = { walletId: made.value, amount: balance, operationId }
      if (balance > 0n) await topUpConsumer({ database, clock, ledger }, funding)
      return ok(
        await consumerOf({ walletId: made.value, email: consumer.email.trim(), lockedUntil: undefined }),
      )
    },
    async findConsumer(email) {
      const found = await wallets.findConsumer(email)
      return found && consumerOf(found)
    },
  }
}
