// Whoever changes the books behind the gateway's back is found: by the audit, or by a head that was kept elsewhere.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Database, statement } from '../../src/storage/index.ts'
import { findingsAfter } from '../broken-books.ts'
import { openTestDatabase } from '../database.ts'
import { Books, chainOf, newKeyring } from './books.ts'

type TestChain = ReturnType<typeof chainOf>

let database: Database
let books: Books
let chain: TestChain
const keyring = newKeyring()

/** Three wallets, three batches, and a payment of each wallet in every one. */
async function openBooks(): Promise<void> {
  database = await openTestDatabase('postgres')
  books = new Books(database)
  chain = chainOf(database, { keyring })
  for (let batch = 1; batch <= 3; batch++) {
    for (const walletId of [1n, 2n, 3n]) await books.pay(walletId)
    await chain.worker.runDue()
  }
}

/** What somebody does who has the database, and may switch off what keeps tables append only. */
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
/** A posting like the first, of another operation. */
const inserted = (writtenIn: string) => `
  insert into postings (wallet_id, operation_id, purpose, debit_account, credit_account, amount, created_at, written_in)
  select wallet_id, gen_random_uuid(), purpose, debit_account, credit_account, amount, created_at, ${writtenIn}
  from postings where ${ofFirst}`

describe('the audit sees', () => {
  beforeAll(openBooks)
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
      'a head that somebody else signed',
      `update chain_batches set signature = sha256('1') || sha256('2')`,
      'heads_are_signed',
    ],
    ['a posting that would never be chained', inserted('9000000000000000000'), 'history_is_chained_in_time'],
  ])('%s', async (_what, broken, expected) => {
    const found = await findingsAfter(database, chain.checks, broken)
    expect(found).toContain(expected)
  })

  it('that a chain stands still for over an hour while payments go on, and only that', async () => {
    const behind = `update chain_progress set through = now() - interval '2 hours'`
    await tamper(behind)
    await books.pay(1n)
    // As after a stop: what can be chained is chained before it is judged.
    expect(await auditOf(chain)).toEqual([])
    await tamper(behind)
    await books.pay(1n)
    // Nothing is chained behind a signature that is not ours.
    const forgeOrMend = `update chain_batches set signature = set_byte(signature, 0, get_byte(signature, 0) # 1)`
    await tamper(forgeOrMend)
    const checks = (await auditOf(chain)).map(({ check }) => check)
    expect(checks).toContain('history_is_chained_in_time')
    await tamper(forgeOrMend)
    await chain.worker.runDue()
    expect(await auditOf(chain)).toEqual([])
  })

  it('nothing in books that nobody touched', async () => {
    expect(await auditOf(chain)).toEqual([])
  })
})

describe('a head that was kept', () => {
  let head: string
  beforeAll(async () => {
    await openBooks()
    head = await headText()
    await books.pay(1n)
    await chain.worker.runDue()
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
      detail: '2 postings and 1 event were chained in link 1 of the wallet, 1 posting and 1 event are there',
    })
  })

  it('is not continued by the gateway where somebody wrote the chain anew without its key', async () => {
    await tamper('truncate chain_links, chain_batches')
    const attacker = chainOf(database, { keyring: newKeyring() })
    await attacker.worker.runDue()
    expect(await auditOf(attacker)).toEqual([])
    const forged = ['the gateway', 'wallet 1', 'wallet 2', 'wallet 3']
    expect((await auditOf(chain)).map(({ subject }) => subject)).toEqual(forged)
    expect((await differencesOf(chain, head))[0]?.detail).toBe(
      'the chain ends at 1, before the head 3 that was signed',
    )
    await books.pay(1n)
    const restarted = chainOf(database, { keyring })
    await expect(restarted.worker.runDue()).rejects.toThrow(
      'nothing is chained: batch 1 of the chain does not have our signature',
    )
  })

  it('alone shows that somebody had the gateway itself chain everything anew', async () => {
    await tamper('truncate chain_links, chain_batches')
    // A process that has seen more does not.
    await expect(chain.worker.runDue()).rejects.toThrow(
      'nothing is chained: batch 4 of the chain is not what it was',
    )
    const restarted = chainOf(database, { keyring })
    await restarted.worker.runDue()
    expect(restarted.errors).toEqual([])
    expect(await auditOf(restarted)).toEqual([])
    expect(await differencesOf(restarted, head)).toEqual([
      { subject: 'batch 3', detail: 'the chain ends at 1, before the head 3 that was signed' },
    ])
    for (let batch = 2; batch <= 3; batch++) {
      await books.pay(2n)
      await restarted.worker.runDue()
    }
    expect(await differencesOf(restarted, head)).toMatchObject([
      { subject: 'batch 3', detail: expect.stringContaining('what lies before was rewritten') },
    ])
  })
})
