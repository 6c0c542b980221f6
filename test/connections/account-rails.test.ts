// Account rails behind connections: contracts, and mandates of debits.
import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import type { Driver } from '../../src/connections/index.ts'
import { cents } from '../../src/kernel/money.ts'
import { unwrap } from '../../src/kernel/result.ts'
import type { DirectDebit, RailName, Rails } from '../../src/rails/index.ts'
import type { Database } from '../../src/storage/index.ts'
import { openTestDatabase } from '../database.ts'
import { describeBank } from '../rails/bank-conformance.ts'
import { ibans, memoryBank } from '../rails/memory/bank.ts'
import { memoryOnlineWallet } from '../rails/memory/online-wallet.ts'
import { describeOnlineWallet } from '../rails/online-wallet-conformance.ts'
import { connectRails } from './connected-rails.ts'

async function connect(database: Database, rails: readonly RailName[], made: Partial<Rails>) {
  const driver = {
    name: 'memory',
    proven: true,
    settings: [],
    rails,
    open: () => made,
    check: async () => [],
  }
  const connected = await connectRails(database, driver)
  await connected.set()
  return connected.rails
}

describeOnlineWallet('the router', async () => {
  const database = await openTestDatabase('pglite')
  const memory = memoryOnlineWallet()
  const open = async () => {
    const { onlineWallet } = await connect(database, ['onlineWallet'], { onlineWallet: memory.wallet })
    expect(onlineWallet.pagesUrl).toBe(memory.wallet.pagesUrl)
    return onlineWallet
  }
  return {
    wallet: await open(),
    decide: async (key, decision) => memory.decide(key, decision),
    endReview: async (key) => memory.endReview(key),
    restarted: open,
    close: () => database.close(),
  }
})

describeBank('the router', async () => {
  const database = await openTestDatabase('pglite')
  const { passDay, ...memory } = memoryBank()
  const rails = await connect(database, ['directDebit', 'creditTransfer'], memory)
  return {
    ...{ directDebit: rails.directDebit, creditTransfer: rails.creditTransfer },
    ...{ ibans, dueOn: '2026-11-25' },
    untilDue: async () => passDay(),
    close: () => database.close(),
  }
})

it('collects debits by the mandate’s creditor after a change of the connection', async () => {
  const database = await openTestDatabase('pglite')
  const asked: string[] = []
  const collector = (name: string): Driver => {
    const directDebit: DirectDebit = {
      ...memoryBank().directDebit,
      creditorOf: () => ({ name, creditorId: name, agent: name }),
      async collect() {
        asked.push(name)
        return { kind: 'waiting' }
      },
    }
    return {
      ...{ name, proven: true, settings: [], rails: ['directDebit'], check: async () => [] },
      open: () => ({ directDebit }),
    }
  }
  const { rails, administration } = await connectRails(database, collector('one'), {}, [collector('other')])
  const set = async (driver: string, walletId?: bigint) =>
    unwrap(await administration.set({ driver, walletId, settings: {}, secrets: {}, allowUnproven: false }))
  const collection = (creditorId: string) => ({
    ...{ key: randomUUID(), reference: randomUUID(), merchant: { id: 1001n, name: 'Loja' } },
    ...{ debtor: { name: 'Ana', iban: ibans.paid }, amount: cents(100), currency: 'EUR' },
    ...{ dueOn: '2026-11-25', mandate: { id: 'CMP-1', creditorId, signedOn: '2026-11-20' } },
  })
  const { id } = await set('one')
  expect(rails.directDebit.creditorOf(1001n).creditorId).toBe('one')
  unwrap(await administration.remove(id))
  await set('other')
  const [before, now] = [collection('one'), collection('other')]
  expect(rails.directDebit.creditorOf(1001n).creditorId).toBe('other')
  for (const one of [before, now]) expect(await rails.directDebit.collect(one)).toEqual({ kind: 'waiting' })
  await expect(rails.directDebit.collect(collection('nobody'))).rejects.toThrow('no connection serves')
  await database.run({
    text: `insert into wallets
        (id, public_id, kind, name, email, callback_user, callback_secret_sealed, callback_signing_sealed,
        created_at, modified_at)
      overriding system value
      values (1002, 'other', 'merchant', 'Outra', 'outra@example.com', 'outra', '\\x00', '\\x00', now(), now())`,
  })
  await set('one', 1002n)
  expect([1001n, 1002n].map((merchant) => rails.directDebit.creditorOf(merchant).name)).toEqual([
    'other',
    'one',
  ])
  await rails.directDebit.collect({ ...collection('one'), merchant: { id: 1002n, name: 'Outra' } })
  expect(asked).toEqual(['one', 'other', 'one'])
  await database.close()
})
