// The audit, or a head that somebody kept, shows that data was changed.
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest'
import { gatewayHeadText } from '../../src/chain/rules.ts'
import { createSigning } from '../../src/chain/signing.ts'
import { lastBatch } from '../../src/chain/store.ts'
import { after, day, hour, minute, systemClock } from '../../src/kernel/time.ts'
import { type Database, openPostgres, statement } from '../../src/storage/index.ts'
import { findingsAfter } from '../broken-books.ts'
import { type DatabaseKind, openTestDatabase } from '../database.ts'
import { Books, chainOf, newKeyring } from './books.ts'

type TestChain = ReturnType<typeof chainOf>

let database: Database
let books: Books
let chain: TestChain
const keyring = newKeyring()

/** Three wallets in each of three batches. */
async function openBooks(kind: DatabaseKind = 'postgres'): Promise<void> {
  database = await openTestDatabase(kind)
  books = new Books(database)
  chain = chainOf(database, { keyring })
  for (let batch = 1; batch <= 3; batch++) {
    for (const walletId of [1n, 2n, 3n]) await books.pay(walletId)
    await chain.workers.chain.runDue()
  }
}

/** Acts as an attacker with access to the database: switches off the triggers that keep the books append only. */
async function tamper(sql: string): Promise<void> {
  await database.transaction(async (tx) => {
    await tx.run(statement('set local session_replication_role = replica'))
    await tx.run(statement(sql))
  })
}

const headText = async () => {
  const head = await chain.head()
  return JSON.stringify({ signed: head?.signed, signature: head?.signature })
}
const auditOf = async (one: TestChain) => {
  const found = await Promise.all(one.checks.map((check) => check.run(database)))
  return found.flatMap(({ findings }) => findings)
}
const differencesOf = async (one: TestChain, head: string) => {
  const proof = await one.prove(head, undefined)
  if (!proof.ok) throw new Error(proof.refusal.reason)
  return proof.value.differences
}

const first = `(select min(id) from postings where wallet_id = 1)`
const last = `(select max(id) from postings where wallet_id = 1)`
const ofFirst = `postings.id = ${first}`
const inserted = (writtenIn: string, id = `nextval('postings_id_seq')`) => `
  insert into postings
    (id, wallet_id, operation_id, purpose, debit_account, credit_account, amount, created_at, written_in)
  overriding system value
  select ${id}, wallet_id, gen_random_uuid(), purpose, debit_account, credit_account, amount, created_at, ${writtenIn}
  from postings where ${ofFirst}`

describe('the audit sees', () => {
  // Each change is rolled back.
  beforeAll(() => openBooks('pglite'))
  afterAll(() => database.close())

  const asChained = 'history_is_as_it_was_chained'
  it.each([
    ['another amount', `update postings set amount = amount + 1 where ${ofFirst}`, asChained],
    ['a posting on another account', `update postings set credit_account = 999 where ${ofFirst}`, asChained],
    [
      'another time',
      `update postings set created_at = created_at + interval '1 second' where ${ofFirst}`,
      asChained,
    ],
    ['a lost posting', `delete from postings where ${ofFirst}`, asChained],
    ['an old posting that was not there', inserted('written_in'), asChained],
    ['a posting in front of all', inserted('0'), asChained],
    [
      'postings in another order',
      `update postings set written_in = case id when ${first} then (select written_in from postings where id = ${last})
         else (select written_in from postings where id = ${first}) end where id in (${first}, ${last})`,
      asChained,
    ],
    ['a posting of another wallet', `update postings set wallet_id = 2 where ${ofFirst}`, asChained],
    ['an account of another wallet', `update accounts set wallet_id = 77 where wallet_id = 1`, asChained],
    ['a lost event', 'delete from events where id = (select id from events limit 1)', asChained],
    ['another body', `update events set payload = replace(payload, '10', '11')`, asChained],
    ['another digest', `update events set digest = sha256('') where wallet_id = 1`, asChained],
    ['another event', `update events set event = 'FAIL'`, asChained],
    ['a lost link', 'delete from chain_links where wallet_id = 1 and number = 2', asChained],
    ['a lost batch', 'delete from chain_batches where number = 2', asChained],
    ['another hash of a link', `update chain_links set hash = sha256('') where number = 1`, asChained],
    ['another hash of a batch', `update chain_batches set hash = sha256('') where number = 1`, asChained],
    ['other numbers of postings', `update chain_links set postings = postings + 1`, asChained],
    [
      'other numbers of a batch',
      `update chain_batches set postings = postings + 1 where number = 2`,
      asChained,
    ],
    [
      'another time of a batch',
      `update chain_batches set through = through + interval '1 minute' where number = 2`,
      asChained,
    ],
    [
      'a batch in the middle that somebody else signed',
      `update chain_batches set signature = sha256('1') || sha256('2') where number = 2`,
      asChained,
    ],
    [
      'a head that somebody else signed',
      `update chain_batches set signature = sha256('1') || sha256('2')`,
      'heads_are_signed',
    ],
    [
      'a posting behind a function that tells what it was before',
      `create function public.convert_to(text, text) returns bytea language sql
         as $$ select pg_catalog.convert_to(replace($1, ' 976 ', ' 975 '), 'UTF8') $$;
       update postings set amount = 976 where ${ofFirst}`,
      asChained,
    ],
    [
      'an account behind an operator that tells whose it was before',
      `create function public.whose(bigint, text) returns text language sql
         as $$ select pg_catalog.concat(case $1 when 77 then 1 else $1 end, $2) $$;
       create operator public.|| (leftarg = bigint, rightarg = text, function = public.whose);
       update accounts set wallet_id = 77 where wallet_id = 1`,
      asChained,
    ],
  ])('%s', async (_what, broken, expected) => {
    const found = await findingsAfter(database, chain.checks, broken)
    expect(found).toContain(expected)
  })
})

describe('the audit, which first chains what it can, sees', () => {
  beforeEach(() => openBooks())
  afterEach(() => database.close())

  it.each([
    ['a posting that would never be chained', inserted('9000000000000000000')],
    ['a posting with a number beyond all', inserted('0', '1000000000000000000')],
    [
      'that the end of the chain is missing',
      'with links as (delete from chain_links where batch = 3) delete from chain_batches where number = 3',
    ],
  ])('%s', async (_what, broken) => {
    await tamper(broken)
    expect((await auditOf(chain)).map(({ check }) => check)).toContain('history_is_chained_in_time')
  })

  it('fields that were moved into one another', async () => {
    await tamper('alter table events alter column subject drop not null, drop constraint events_kind_check')
    await tamper(`update events set kind = kind || ' ' || subject, subject = null where wallet_id = 1`)
    expect((await auditOf(chain)).map(({ check }) => check)).toContain('history_is_as_it_was_chained')
  })

  it('postings behind a view that the settings of the database put in front of them', async () => {
    const [{ name } = { name: '' }] = await books.run<{ name: string }>('select current_database() as name')
    await tamper(`create schema shown; alter database ${name} set search_path = shown, public;
      create view shown.postings as select id, wallet_id, operation_id, purpose, debit_account, credit_account,
        975::bigint as amount, created_at, written_in from public.postings where purpose is not null`)
    await tamper(
      `update public.postings set amount = 976 where id = (select max(id) - 1 from public.postings)`,
    )
    const url = inject('postgresUrl').replace(/\/postgres$/, `/${name}`)
    const later = openPostgres({ url })
    const found = await chainOf(later, { keyring }).checks[0]?.run(later)
    await later.close()
    expect(found?.findings).toContainEqual({
      check: 'history_is_as_it_was_chained',
      subject: 'postings',
      detail: expect.stringContaining('(public, shown)'),
    })
  })

  it('the key of the next batch, when an old one is written there, and signs nothing by it', async () => {
    await chain.nextKey()
    await books.pay(1n)
    await chain.workers.chain.runDue()
    expect(await auditOf(chain)).toEqual([])
    await tamper('update chain_progress set key = 1')
    expect(await auditOf(chain)).toContainEqual({
      check: 'history_is_chained_in_time',
      subject: 'the chain',
      detail: 'the next key is 1, but a batch is already signed by key 2: keys never go back',
    })
    await books.pay(1n)
    const refused = 'nothing is chained: the next key is 1, but a batch is already signed by key 2'
    await expect(chain.workers.chain.runDue()).rejects.toThrow(refused)
  })

  it('a batch that a key signed after the next had come, which is not continued', async () => {
    await chain.nextKey()
    await books.pay(1n)
    await chain.workers.chain.runDue()
    const last = await lastBatch(database)
    if (last === undefined) throw new Error('nothing is chained')
    const signature = await createSigning(keyring).sign(1, gatewayHeadText({ ...last, number: 5n, key: 1 }))
    await tamper(`insert into chain_batches (number, upto, through, postings, events, hash, key, signature)
      select 5, upto, through, postings, events, hash, 1, decode('${signature}', 'base64')
      from chain_batches where number = 4`)
    const subject = 'batch 5'
    expect(await auditOf(chain)).toContainEqual(
      expect.objectContaining({ subject, detail: 'it is signed by key 1, after key 2' }),
    )
    await books.pay(1n)
    const refused = 'nothing is chained: batch 5 of the chain is signed by key 1, an earlier one by key 2'
    await expect(chain.workers.chain.runDue()).rejects.toThrow(refused)
  })

  it('a forged end of a wallet’s chain, on top of which nothing is signed', async () => {
    await tamper(`update chain_links set hash = sha256('other books') where wallet_id = 2 and number = 3`)
    const forged = { check: 'heads_are_signed', subject: 'wallet 2' }
    expect(await auditOf(chain)).toContainEqual(expect.objectContaining(forged))
    await books.pay(1n)
    await chain.workers.chain.runDue()
    await books.pay(2n)
    const refused = 'nothing is chained: link 3 of wallet 2 does not have our signature'
    await expect(chain.workers.chain.runDue()).rejects.toThrow(refused)
    await expect(chainOf(database, { keyring }).workers.chain.runDue()).rejects.toThrow(refused)
    expect((await chain.headOf(2n)).ok).toBe(true)
  })

  it('that a batch ends elsewhere', async () => {
    await tamper('update chain_batches set upto = -5 where number = 1')
    const details = (await auditOf(chain)).map(({ detail }) => detail)
    expect(details).toContain('its hash does not match its links and the batch before')
  })

  /** Makes a payment after a stop of two hours. */
  async function payAfterStop(): Promise<void> {
    await books.pay(1n)
    for (const table of ['postings', 'events'])
      await tamper(`update ${table} set created_at = created_at - interval '2 hours'
        where written_in = (select max(written_in) from ${table})`)
    const then = chainOf(database, { keyring, clock: { now: () => after(systemClock.now(), -2 * hour) } })
    await then.workers.chain.runDue()
    await books.pay(1n)
  }

  it('that a chain stops for over an hour during payments, and only that', async () => {
    await payAfterStop()
    // The check first adds missing rows to the chain.
    expect(await auditOf(chain)).toEqual([])
    await payAfterStop()
    // The chain never continues after a signature with another key.
    const forgeOrMend = `update chain_batches set signature = set_byte(signature, 0, get_byte(signature, 0) # 1)`
    await tamper(forgeOrMend)
    const checks = (await auditOf(chain)).map(({ check }) => check)
    expect(checks).toContain('history_is_chained_in_time')
    await tamper(forgeOrMend)
    await chain.workers.chain.runDue()
    expect(await auditOf(chain)).toEqual([])
  })

  it.each([
    ['another process is chaining', `select pg_advisory_xact_lock(hashtext('comporta chain'))`],
    ['a transaction is open on the server', 'select pg_current_xact_id()'],
  ])('nothing where %s for some seconds', async (_what, does) => {
    await payAfterStop()
    const { promise: mayEnd, resolve: end } = Promise.withResolvers<void>()
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>()
    const other = database.transaction(async (tx) => {
      await tx.run(statement(does))
      begin()
      await mayEnd
    })
    await begun
    await books.pay(1n)
    const audit = auditOf(chainOf(database, { keyring, openMsMax: 100 }))
    const first = await Promise.race([audit, pause(3_000, 'waits')])
    end()
    await other
    expect([first, await audit]).toEqual(['waits', []])
  })

  it('nothing in books that nobody touched', async () => {
    expect(await auditOf(chain)).toEqual([])
  })
})

describe('times', () => {
  const hours = (count: number) => `interval '${count} hours'`
  const newest = (then: string) => `update postings set created_at = created_at ${then}
    where id = (select max(id) from postings)`
  beforeEach(() => openBooks())
  afterEach(() => database.close())

  it.each([
    ['back', `- ${hours(2)}`],
    ['into the future', `+ ${hours(2)}`],
  ])('that are moved %s before a posting is chained are seen', async (_where, then) => {
    await books.pay(2n)
    await tamper(newest(then))
    await chain.workers.chain.runDue()
    expect(await auditOf(chain)).toEqual([
      {
        check: 'history_is_as_it_was_chained',
        subject: 'batch 4, wallet 2',
        detail: expect.stringMatching(/^records written after \S+ and before \S+ are dated \S+$/),
      },
    ])
    expect(await differencesOf(chain, await headText())).toHaveLength(1)
  })

  it('are compared also where a round has several batches', async () => {
    const small = chainOf(database, { keyring, rowsMax: 3 })
    for (let payment = 0; payment < 3; payment++) await books.pay(2n)
    await tamper(`update postings set created_at = created_at - ${hours(2)}
      where id = (select id from postings order by id desc offset 5 limit 1)`)
    await small.workers.chain.runDue()
    expect((await auditOf(chain)).map(({ subject }) => subject)).toEqual(['batch 4, wallet 2'])
  })

  it('differ by some minutes, and in a sandbox by as much as its clock was moved', async () => {
    await books.pay(2n)
    await tamper(newest(`- interval '50 minutes'`))
    await chain.workers.chain.runDue()
    expect(await auditOf(chain)).toEqual([])
    await books.pay(2n)
    await tamper(newest(`- ${hours(40)}`))
    await chain.workers.chain.runDue()
    expect(await auditOf(chain)).toHaveLength(1)
    const movedBy = (days: number) =>
      chainOf(database, { keyring, clock: { ...systemClock, movedBy: () => days * day } })
    expect(await auditOf(movedBy(1))).toHaveLength(1)
    expect(await auditOf(movedBy(2))).toEqual([])
  })

  it('of a clock that was wrong and put back are right', async () => {
    const ahead = chainOf(database, {
      keyring,
      clock: { now: () => after(systemClock.now(), 5 * hour) },
    })
    await books.pay(2n)
    await tamper(newest(`+ ${hours(5)}`))
    await ahead.workers.chain.runDue()
    await books.pay(2n)
    await tamper(newest(`+ ${hours(5)}`))
    await books.pay(2n)
    await chain.workers.chain.runDue()
    expect(await auditOf(chain)).toEqual([])
    expect((await chain.head())?.committedUntil).toBeLessThanOrEqual(Date.now())
  })

  it('are signed at least once an hour, so that nothing is dated back into a quiet night', async () => {
    const later = (minutes: number) =>
      chainOf(database, { keyring, clock: { now: () => after(systemClock.now(), minutes * minute) } })
    await later(59).workers.chain.runDue()
    expect(await chain.head()).toMatchObject({ number: 3n })
    await later(61).workers.chain.runDue()
    const head = await chain.head()
    expect(head).toMatchObject({ number: 4n, postings: 18n, events: 9n })
    expect(head?.committedUntil).toBeGreaterThan(Date.now() + hour)
    expect(await auditOf(chain)).toEqual([])
    expect(await chain.prove(await headText(), undefined)).toMatchObject({ value: { ok: true } })
    // The next payment has the time of the database's own clock, so it is older than the chain's last time.
    await books.pay(1n)
    await later(62).workers.chain.runDue()
    expect(await auditOf(chain)).toMatchObject([{ subject: 'batch 5, wallet 1' }])
  })

  it('that were written into the progress of the chain are signed by nobody', async () => {
    await tamper(`update chain_progress set through = now() + interval '3 years'`)
    await books.pay(1n)
    await chain.workers.chain.runDue()
    expect((await chain.head())?.committedUntil).toBeLessThanOrEqual(Date.now())
    const read = await chain.headOf(1n)
    expect(read.ok && read.value.completeUntil).toBeLessThanOrEqual(Date.now())
    const [{ through } = { through: 0 }] = await books.run<{ through: number }>(
      'select through from chain_progress',
    )
    expect(through).toBeLessThanOrEqual(Date.now())
  })
})

describe('a head that was kept', () => {
  let head: string
  beforeAll(async () => {
    await openBooks()
    head = await headText()
    await books.pay(1n)
    await chain.workers.chain.runDue()
  })
  afterAll(() => database.close())

  it('proves what came before, and can be number and hash alone', async () => {
    expect(await chain.prove(head, undefined)).toMatchObject({
      value: { ok: true, postings: 18n, events: 9n },
    })
    const [, hash] = /number 3\nhash (\w+)/.exec(JSON.parse(head).signed) ?? []
    expect(await chain.prove(`3:${hash}`, undefined)).toMatchObject({ value: { ok: true } })
    expect(await chain.prove(`2:${hash}`, undefined)).toMatchObject({ value: { ok: false } })
  })

  it.each([
    ['{"signed":"comporta head"}', 'since must be a file'],
    ['7', 'since must be a file'],
    ['', 'since must be a file'],
    ['{', 'since must be a file'],
  ])('is not %s', async (given, reason) => {
    expect(await chain.prove(given, undefined)).toMatchObject({
      refusal: { kind: 'invalid_parameter', reason: expect.stringContaining(reason) },
    })
  })

  it('is refused where the gateway did not sign it', async () => {
    const { signed, signature } = JSON.parse(head)
    const forged = JSON.stringify({ signed: signed.replace('postings 18', 'postings 19'), signature })
    const other = chainOf(database, { keyring: newKeyring() })
    const expected = { refusal: { reason: 'the head does not have the signature of this gateway' } }
    expect(await chain.prove(forged, undefined)).toMatchObject(expected)
    expect(await other.prove(head, undefined)).toMatchObject(expected)
  })

  it('shows which batch of which wallet was changed, and how', async () => {
    await tamper(`delete from postings where ${ofFirst}`)
    const [found] = await differencesOf(chain, head)
    expect(found).toEqual({
      subject: 'batch 1, wallet 1',
      detail: '2 postings and 1 event were chained in link 1 of the wallet, but 1 posting and 1 event exist',
    })
  })

  it('is not continued by the gateway after a rewrite without its key', async () => {
    await tamper('truncate chain_links, chain_batches')
    await tamper('update chain_progress set last = 0')
    const attacker = chainOf(database, { keyring: newKeyring() })
    await attacker.workers.chain.runDue()
    expect(await auditOf(attacker)).toEqual([])
    const forged = ['batch 1', 'the gateway', 'wallet 1', 'wallet 2', 'wallet 3']
    expect((await auditOf(chain)).map(({ subject }) => subject)).toEqual(forged)
    expect((await differencesOf(chain, head)).map(({ detail }) => detail)).toEqual([
      'it does not have the signature of this gateway',
      'the chain ends at 1, before the head 3 that was signed',
    ])
    await books.pay(1n)
    const restarted = chainOf(database, { keyring })
    await expect(restarted.workers.chain.runDue()).rejects.toThrow(
      'nothing is chained: batch 1 of the chain does not have our signature',
    )
  })

  it('alone shows a rewrite by the gateway itself', async () => {
    await tamper('truncate chain_links, chain_batches')
    const restarted = chainOf(database, { keyring })
    await expect(restarted.workers.chain.runDue()).rejects.toThrow(
      'nothing is chained: the chain ends at batch 0, but its last batch was 1',
    )
    await tamper('update chain_progress set last = 0')
    // A process that knew more of the chain refuses to continue it.
    await expect(chain.workers.chain.runDue()).rejects.toThrow(
      'nothing is chained: batch 4 of the chain has changed',
    )
    await restarted.workers.chain.runDue()
    expect(restarted.errors).toEqual([])
    expect(await auditOf(restarted)).toEqual([])
    expect(await differencesOf(restarted, head)).toEqual([
      { subject: 'batch 3', detail: 'the chain ends at 1, before the head 3 that was signed' },
    ])
    for (let batch = 2; batch <= 3; batch++) {
      await books.pay(2n)
      await restarted.workers.chain.runDue()
    }
    expect(await differencesOf(restarted, head)).toMatchObject([
      { subject: 'batch 3', detail: expect.stringContaining('earlier records were rewritten') },
    ])
  })
})
