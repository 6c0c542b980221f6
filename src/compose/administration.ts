// Reads and actions of the sandbox's pages.

import type { Cents } from '../kernel/money.ts'
import { newId } from '../kernel/random.ts'
import { ok, type Result } from '../kernel/result.ts'
import type { Instant } from '../kernel/time.ts'
import type { Ledger } from '../ledger/index.ts'
import { type BankTransfers, topUpReference } from '../methods/bank-transfer/index.ts'
import { topUpConsumer } from '../operations/index.ts'
import type { Runtime } from '../runtime.ts'
import type { Wallets } from '../wallets/index.ts'
import { receiptsOf } from './receipts.ts'

const consumersListedMax = 20

export interface AdministrationParts {
  readonly wallets: Wallets
  readonly ledger: Ledger
  readonly transfers: Pick<BankTransfers, 'code' | 'transfers'>
  runDue(now: Instant, deadline?: AbortSignal): Promise<Readonly<Record<string, number>>>
}

export type Administration = ReturnType<typeof composeAdministration>

type ConsumerFacts = NonNullable<Awaited<ReturnType<Wallets['findConsumer']>>>

export function composeAdministration(runtime: Runtime, parts: AdministrationParts) {
  const { wallets, ledger, transfers, runDue } = parts
  const { database, clock, random } = runtime

  async function consumerOf({ walletId, email, lockedUntil }: ConsumerFacts) {
    const balance = await ledger.balanceOf({ walletId, kind: 'consumer' })
    return { walletId, email, balance, lockedUntil, reference: topUpReference(walletId) }
  }

  return {
    runDue,
    findReceipt: receiptsOf(database),
    setCallbackUrls: (
      walletId: bigint,
      changes: { callbackUrl?: string | null; cardCallbackUrl?: string | null },
    ) => wallets.changeMerchant(walletId, changes),
    hasMerchant: async (walletId: bigint) => (await wallets.find(walletId)) !== undefined,
    callbackUrlOf: async (walletId: bigint) => (await wallets.get(walletId)).callbackUrl,
    transfersTaken: (limit: number) => transfers.transfers(false, limit),
    async topUpTexts() {
      const merchants = (await wallets.listMerchants()).filter(({ methods: has }) =>
        has.includes(transfers.code),
      )
      const consumers = await wallets.listConsumers(consumersListedMax)
      return [
        ...merchants.map(({ id, name }) => ({ name, reference: topUpReference(id) })),
        ...consumers.map(({ walletId, email }) => ({ name: email, reference: topUpReference(walletId) })),
      ]
    },
    async createConsumer(
      consumer: { readonly email: string; readonly pin: string; readonly phone?: string },
      balance: Cents,
    ): Promise<Result<Awaited<ReturnType<typeof consumerOf>>>> {
      const made = await wallets.createConsumer(consumer)
      if (!made.ok) return made
      const operationId = newId(clock.now(), random)
      const funding = { walletId: made.value, amount: balance, operationId, method: transfers.code }
      if (balance > 0n) await topUpConsumer({ database, clock, ledger }, funding)
      return ok(
        await consumerOf({ walletId: made.value, email: consumer.email.trim(), lockedUntil: undefined }),
      )
    },
    async findConsumer(email: string) {
      const found = await wallets.findConsumer(email)
      return found && consumerOf(found)
    },
  }
}
