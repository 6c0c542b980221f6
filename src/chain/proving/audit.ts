// Audit checks of the chain.
import { instant, toTimestamp } from '../../kernel/time.ts'
import type { AuditCheck, AuditFinding, Executor } from '../../storage/index.ts'
import { forgedAmong, gatewayHead, type SignedHead, walletHeads } from '../heads.ts'
import type { Signing } from '../signing.ts'
import { lastBatch, newestKey, readProgress } from '../store.ts'
import { type Comparing, compareWithChain, inWords, lateMs } from './compare.ts'
import { chainedWallets, hidingTables, impossibleRows, rowsWrittenAfter } from './reading-store.ts'

const walletsAtOnce = 200

export function chainChecks(
  comparing: Comparing,
  catchUp: () => Promise<'done' | 'held up'>,
): readonly AuditCheck[] {
  return [
    check('history_is_as_it_was_chained', async (db) => {
      const last = await lastBatch(db)
      const compared = await compareWithChain(db, last?.number ?? 0n, comparing)
      const hiding = (await hidingTables(db)).map(({ name, schemas }) => ({
        subject: name,
        detail: `it exists in several schemas of the search path (${schemas}): the audit may read the wrong one`,
      }))
      const findings = [...hiding, ...inWords(compared.differences)]
      return { examined: Number(compared.postings + compared.events), findings }
    }),
    check('heads_are_signed', (db) => forgedHeads(db, comparing.signing)),
    check('history_is_chained_in_time', async (db) => {
      const found = await notChained(db)
      if (found.findings.length === 0) return found
      // A gateway that was stopped is a minute behind, so only a failed append is a finding.
      const reason = await catchUp().then(
        (outcome) => (outcome === 'done' ? undefined : heldUp),
        (error: Error) => error.message,
      )
      const { examined, findings } = await notChained(db)
      const why =
        reason === undefined || findings.length === 0 ? [] : [{ subject: 'the chain', detail: reason }]
      return { examined, findings: [...findings, ...why] }
    }),
  ]
}

const heldUp =
  'it could not be continued: for half a minute a transaction was open, or another process was chaining'

type Found = { examined: number; findings: readonly Omit<AuditFinding, 'check'>[] }

function check(name: string, run: (db: Executor) => Promise<Found>): AuditCheck {
  return {
    name,
    async run(db) {
      const { examined, findings } = await run(db)
      return { examined, findings: findings.map((finding) => ({ check: name, ...finding })) }
    },
  }
}

/** The last signature is enough: each hash includes the one before, so it covers all batches. */
async function forgedHeads(db: Executor, signing: Signing): Promise<Found> {
  const gateway = await gatewayHead(db)
  const own = gateway === undefined ? [] : [gateway]
  const findings = (await forgedAmong(signing, own)).map((head) => forged('the gateway', head))
  let examined = own.length
  const ids = await chainedWallets(db)
  for (let at = 0; at < ids.length; at += walletsAtOnce) {
    const heads = await walletHeads(db, ids.slice(at, at + walletsAtOnce))
    examined += heads.length
    for (const head of await forgedAmong(signing, heads))
      findings.push(forged(`wallet ${head.walletId}`, head))
  }
  return { examined, findings }
}

function forged(subject: string, { number }: SignedHead) {
  return { subject, detail: `head ${number} does not have the signature of this gateway` }
}

/** Compares with the last signed time, not with the clock: a stopped gateway appends nothing. */
async function notChained(db: Executor): Promise<Found> {
  const { last: noted, key } = await readProgress(db)
  const findings = (await impossibleRows(db)).map(({ what, id, written_in }) => ({
    subject: id,
    detail: `the ${what} has the number of a transaction that never existed (${written_in})`,
  }))
  const { endPosition, number = 0n, committedUntil } = (await lastBatch(db)) ?? {}
  if (number < noted)
    findings.push({
      subject: 'the chain',
      detail: `it ends at batch ${number}, but its last batch was ${noted}: its end is missing`,
    })
  const newest = await newestKey(db)
  if (key < newest)
    findings.push({
      subject: 'the chain',
      detail: `the next key is ${key}, but a batch is already signed by key ${newest}: keys never go back`,
    })
  if (committedUntil !== undefined && endPosition !== undefined) {
    const late = await rowsWrittenAfter(db, endPosition, toTimestamp(instant(committedUntil + lateMs)))
    if (late > 0n)
      findings.push({
        subject: 'the chain',
        detail: `it ends at ${toTimestamp(committedUntil)}, and ${late} postings and events were written over an hour later`,
      })
  }
  return { examined: 1, findings }
}
