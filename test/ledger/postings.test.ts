// Books that were kept as journals and entries are carried over to postings: every sum stays, and payments go on.
import { randomUUID } from 'node:crypto'
import { Migrator } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ledgerChecks } from '../../src/ledger/audit.ts'
import { balanceSql, createLedger, postingsOf } from '../../src/ledger/index.ts'
import {
  type Database,
  type Executor,
  isCurrent,
  migrate,
  openPglite,
  openPostgres,
  statement,
} from '../../src/storage/index.ts'
import { coreMigrations } from '../../src/storage/migrations/index.ts'
import { createEmptyPostgresDatabase, type DatabaseKind, databaseKinds } from '../database.ts'
import { type Money, moneyOf } from '../money.ts'
import { payByToken, storeCard } from '../stored-cards.ts'
import { cards, type Json, startWorld, type World } from '../world.ts'

const lastStepBefore = '0030-subscription-methods'
const wallet = 1000n

/** Number of an account of {@link accountNames} → cents. */
type Entries = Readonly<Record<number, number>>

/** In the order of their numbers, from 1. */
const accountNames = ['0 clearing:CC', '0 fees', '1000 merchant', '1001 merchant', '1002 merchant']
accountNames.push('0 clearing:BANK', '2000 consumer')

const journals: readonly { readonly purpose: string; readonly entries: Entries; readonly of?: number }[] = [
  // A payment with its fee, all of it a fee, and without one.
  { purpose: 'settle', entries: { 1: -1000, 3: 975, 2: 25 } },
  { purpose: 'settle', entries: { 1: -10, 2: 10 } },
  { purpose: 'settle', entries: { 1: -700, 4: 700 } },
  // The first divided by hand.
  { purpose: 'split', entries: { 3: -500, 4: 300, 5: 200 }, of: 0 },
  // Divided at once, refunded out of the shares, and refunded by the merchant alone.
  { purpose: 'settle', entries: { 1: -2000, 3: 500, 4: 950, 5: 500, 2: 50 } },
  { purpose: 'settle', entries: { 1: 1000, 3: -250, 4: -475, 5: -275 } },
  { purpose: 'settle', entries: { 3: -400, 1: 400 } },
  // A consumer tops up and pays, more than a number of 32 bits holds.
  { purpose: 'settle', entries: { 6: -5_000_000_000, 7: 5_000_000_000 } },
  { purpose: 'settle', entries: { 7: -4_000_000_000, 3: 3_999_999_970, 2: 30 } },
  // Several debits and several credits, of which none equals another.
  { purpose: 'settle', entries: { 3: -300, 4: -200, 5: 100, 7: 399, 2: 1 } },
]

const insertAccount = statement('insert into accounts (wallet_id, kind) values ($1, $2)')
const insertJournal = statement(`
  insert into journals (id, wallet_id, operation_id, purpose, created_at) values ($1, ${wallet}, $2, $3, now())`)
const insertEntries = statement(`
  insert into entries (wallet_id, journal_id, account_id, amount)
  select ${wallet}, $1, account_id, amount from unnest($2::bigint[], $3::bigint[]) as entry(account_id, amount)`)

async function writeJournal(
  db: Executor,
  { purpose, entries }: (typeof journals)[number],
  operation: string,
) {
  const id = randomUUID()
  await db.run(insertJournal, [id, operation, purpose])
  await db.run(insertEntries, [id, Object.keys(entries), Object.values(entries)])
}

/** A database as the version before left it, with the journals above; answers the operations that they belong to. */
async function openOldBooks(kind: DatabaseKind): Promise<{ database: Database; operations: string[] }> {
  const database =
    kind === 'pglite' ? await openPglite() : openPostgres({ url: await createEmptyPostgresDatabase() })
  const migrator = new Migrator({
    db: database.kysely,
    provider: { getMigrations: async () => ({ ...coreMigrations.steps }) },
  })
  const { error } = await migrator.migrateTo(lastStepBefore)
  if (error !== undefined) throw error
  for (const name of accountNames) await database.run(insertAccount, name.split(' '))
  const operations: string[] = []
  for (const journal of journals) {
    const operation = journal.of === undefined ? randomUUID() : (operations[journal.of] as string)
    operations.push(operation)
    await writeJournal(database, journal, operation)
  }
  return { database, operations }
}

const rollUpHalf = statement(`
  insert into balance_rollups (account_id, upto, balance)
  select account_id, 9, sum(amount) from entries where id <= 9 group by account_id`)
const selectOldSums = statement<{ name: string; sum: bigint }>(`
  select accounts.wallet_id || ' ' || accounts.kind as name, sum(entries.amount)::bigint as sum
  from entries join accounts on accounts.id = entries.account_id group by 1 order by 1`)
const selectNewSums = statement<{ name: string; sum: bigint }>(`
  select accounts.wallet_id || ' ' || accounts.kind as name,
    sum(case accounts.id when debit_account then -amount else amount end)::bigint as sum
  from postings join accounts on accounts.id in (debit_account, credit_account) group by 1 order by 1`)
const selectBalances = statement<{ name: string; sum: bigint }>(`
  select wallet_id || ' ' || kind as name, ${balanceSql('accounts.id')} as sum
  from accounts where wallet_id > 0 order by 1`)
const countOld = statement<{ count: bigint }>('select count(*) from entries')

async function findingsOf(database: Database) {
  const found = await Promise.all(ledgerChecks.map((check) => check.run(database)))
  return found.flatMap(({ findings }) => findings)
}

describe.each(databaseKinds)('books of the version before, on %s', (kind) => {
  it('keep every sum, each operation its own, and are written on', async () => {
    const { database, operations } = await openOldBooks(kind)
    // As far as an earlier process came.
    await database.run(rollUpHalf)
    const before = await database.run(selectOldSums)
    expect(before).toHaveLength(accountNames.length)

    expect(await migrate(database)).toContain('0031-postings')
    expect(await isCurrent(database)).toBe(true)
    expect(await database.run(selectNewSums)).toEqual(before)
    const ofWallets = before.filter(({ name }) => !name.startsWith('0 '))
    expect(await database.run(selectBalances)).toEqual(ofWallets)
    expect(await findingsOf(database)).toEqual([])
    for (const [index, operation] of operations.entries()) {
      const expected = journals
        .filter((journal, at) => (journal.of ?? at) === index)
        .flatMap(({ entries }) => Object.entries(entries))
        .map(([account, cents]) => `${accountNames[Number(account) - 1]} ${cents}`)
      const posted = await postingsOf(database, wallet, operation)
      const found = posted.map(({ walletId, account, amount }) => `${walletId} ${account} ${amount}`)
      if (journals[index]?.of === undefined) expect(found.toSorted()).toEqual(expected.toSorted())
    }

    const ledger = createLedger({ database })
    expect(await ledger.balanceOf({ walletId: 2000n, kind: 'consumer' })).toBe(1_000_000_399n)
    const known = await ledger.postingRows(randomUUID(), [
      {
        debit: { walletId: 0n, kind: 'clearing:CC' },
        credit: { walletId: 1000n, kind: 'merchant' },
        amount: 1n as never,
      },
    ])
    expect(known).toMatchObject([{ debit_account: -1n, credit_account: 3n }])
    const fresh = await ledger.postingRows(randomUUID(), [
      {
        debit: { walletId: 0n, kind: 'clearing:MB' },
        credit: { walletId: 1003n, kind: 'merchant' },
        amount: 1n as never,
      },
    ])
    expect(fresh).toMatchObject([{ debit_account: -8n, credit_account: 9n }])
    await database.close()
  })

  it('are not carried over while a journal does not balance, and stay as they were', async () => {
    const { database } = await openOldBooks(kind)
    const before = await database.run(countOld)
    await database.transaction(async (tx) => {
      await tx.run(statement('alter table entries disable trigger entries_balance'))
      await writeJournal(tx, { purpose: 'settle', entries: { 1: -1000, 3: 999 } }, randomUUID())
      await tx.run(statement('alter table entries enable trigger entries_balance'))
    })
    const failed = await migrate(database).then(
      () => undefined,
      (error: Error) => `${error.message}: ${(error.cause as Error).message}`,
    )
    expect(failed).toMatch(
      /^migration 0031-postings failed: the books cannot be carried over: account 1 has -1000 cents of operation .*, and would have -999$/,
    )
    expect(Number((await database.run(countOld))[0]?.count)).toBe(Number(before[0]?.count) + 2)
    await database.close()
  })
})

/** What the version before had written: the same operations, in its tables. */
const asBefore = `
  create table journals (
    id uuid not null, wallet_id bigint not null, operation_id uuid not null, purpose text not null,
    created_at timestamptz not null, primary key (wallet_id, id), unique (wallet_id, operation_id, purpose)
  );
  create table entries (
    wallet_id bigint not null, journal_id uuid not null,
    account_id bigint not null constraint entries_account_id_fkey references accounts (id),
    amount bigint not null check (amount <> 0), id bigint generated always as identity,
    primary key (wallet_id, journal_id, account_id)
  );
  create function refuse_unbalanced() returns trigger language plpgsql as 'begin return null; end';
  alter table accounts drop constraint accounts_check;
  update accounts set id = -id where id < 0;
  insert into journals
  select gen_random_uuid(), wallet_id, operation_id, purpose, min(created_at) from postings
  group by wallet_id, operation_id, purpose;
  insert into entries (wallet_id, journal_id, account_id, amount)
  select journals.wallet_id, journals.id, abs(side.account_id), sum(side.amount)
  from journals
  join postings on postings.operation_id = journals.operation_id and postings.purpose = journals.purpose
  cross join lateral (values (credit_account, amount), (debit_account, -amount)) as side(account_id, amount)
  group by journals.wallet_id, journals.id, abs(side.account_id)
  having sum(side.amount) <> 0;
  drop table postings, chain_links, chain_batches, chain_progress;
  delete from kysely_migration where name in ('0031-postings', '0097-postings-in-order', '0098-chain', '0101-end-of-the-chain')`

describe('a gateway of the version before', () => {
  let world: World
  let database: Database
  let money: Money
  let token: string
  let consumer: { readonly email: string; readonly pin: string }
  let paid: Json
  let divided: Json
  let fromBalance: Json
  let before: Json
  beforeAll(async () => {
    world = await startWorld('postgres')
    database = openPostgres({ url: world.databaseUrl as string })
    money = moneyOf(world)
    token = await storeCard(world, cards.frictionless.number)
    paid = await payByToken(world, token)
    divided = await payByToken(world, token, { split: halves() })
    const byHand = await payByToken(world, token)
    await world.shop.post(`/api/v2/operations/${byHand.id}/split`, { split: halves() })
    await refund(divided.id, 4)
    consumer = await money.consumer(25)
    const checkout = await world.createCheckout()
    await money.pay(checkout, 'wallet', { email: consumer.email, pin: consumer.pin })
    fromBalance = checkout.payment
    before = await seen()
  })
  afterAll(async () => {
    await database.close()
    await world.stop()
  })

  const halves = () => [{ merchant_wallet: world.merchant('Sub Shop A').public_id, amount_fraction: '0.5' }]
  const refund = async (id: string, amount: number) =>
    (await world.shop.post(`/api/v2/operations/${id}/refund`, { amount })).status
  const seen = async () => ({
    shop: await money.funds(),
    consumer: await money.balanceOf(consumer.email),
    shares: (await world.operation(divided.id)).splits,
  })
  const problems = async () => (await world.cli('audit')).json.problems

  it('is started with this one, and shows the same balances', async () => {
    expect(before.consumer).toBe(15)
    await world.kill()
    for (const part of asBefore.split(/;\n/)) await database.run(statement(part))
    await world.restart()
    expect(await seen()).toEqual(before)
  })

  it('goes on with payments, refunds, shares and balances', async () => {
    expect(await problems()).toEqual([])
    expect(await refund(paid.id, 10)).toBe(200)
    expect(await refund(divided.id, 6)).toBe(200)
    expect(await refund(fromBalance.id, 10)).toBe(200)
    expect(await money.balanceOf(consumer.email)).toBe(25)
    expect(await payByToken(world, token, { split: halves() })).toMatchObject({ status: 'COMPLETED' })
    expect(await problems()).toEqual([])
  })
})
