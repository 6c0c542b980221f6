// The sandbox's reference network.
import { parseAmount } from '../../src/http/index.ts'
import { after, type Clock, type Instant, second } from '../../src/kernel/time.ts'
import {
  callRail,
  type OwnReferences,
  type PaymentAnswer,
  type PaymentRefusal,
  type ReferencePayee,
  type ReferencePayment,
} from '../../src/rails/index.ts'
import { createWorker, type Database, type Worker } from '../../src/storage/index.ts'
import type { OpenReference } from './open-list.ts'
import {
  claimDuePayments,
  findKnownReference,
  findPayment,
  type KnownReference,
  keepAnswer,
  keepPayment,
  keepReferences,
  listOpenReferences,
  listUnanswered,
  withdrawReferences,
} from './store.ts'

export interface ReferenceMachineDeps {
  readonly database: Database
  readonly clock: Clock
  readonly payee: ReferencePayee
  readonly onError: (error: unknown) => void
}

export type Receipt = PaymentAnswer | { readonly kind: 'in_doubt' }

export interface ReferenceMachines {
  /** Pays a reference. With a known id the network sends the same notice again. */
  pay(payment: Omit<ReferencePayment, 'paidAt'>): Promise<Receipt>
  /** The name that the payer sees before the confirmation. */
  beneficiaryOf: ReferencePayee['beneficiaryOf']
  /** Open references, newest first. `find` is a part of a reference, or an amount. */
  listOpen(find: string, limit: number): Promise<readonly OpenReference[]>
  /** Repeats each notice until the gateway answers, then once more. */
  readonly notices: Worker
}

/** The entity of the sandbox (CONTRACT section 11). */
const sandboxEntity = '21312'

const pollMs = 1000
const concurrency = 16
/** The pause before a notice is repeated, longer than an answer may take. */
const tellAgainSeconds = 10
/** The network reports each accepted payment twice, so that a gateway that counts it twice is noticed. */
const repeatSeconds = 30

export function createReferenceNetwork({ database }: Pick<ReferenceMachineDeps, 'database'>): OwnReferences {
  return {
    numbering: 'ours',
    entity: sandboxEntity,
    publish: (references) => keepReferences(database, references),
    withdraw: (names) => withdrawReferences(database, names),
    unanswered: (names) => listUnanswered(database, names),
  }
}

export function createReferenceMachines(deps: ReferenceMachineDeps): ReferenceMachines {
  const { database, clock, payee } = deps

  async function tell(payment: ReferencePayment): Promise<Receipt> {
    const answered = payee.receive(payment)
    answered.catch(deps.onError)
    const answer = await callRail(() => answered)
    if (answer.kind === 'unknown') return { kind: 'in_doubt' }
    await keepAnswer(database, payment.id, answer, after(clock.now(), repeatSeconds * second))
    return answer
  }

  return {
    async pay(asked) {
      const before = await findPayment(database, asked.id)
      if (before !== undefined) return tell(before)
      const paidAt = clock.now()
      const payment = { ...asked, paidAt }
      const refusal = refusedByNetwork(await findKnownReference(database, asked), payment, paidAt)
      if (refusal !== undefined) return { kind: 'refused', reason: refusal }
      if (await keepPayment(database, payment, after(paidAt, tellAgainSeconds * second))) return tell(payment)
      return tell((await findPayment(database, asked.id)) ?? payment)
    },

    beneficiaryOf: (reference) => payee.beneficiaryOf(reference),

    async listOpen(find, limit) {
      const wanted = wantedBy(find)
      if (wanted === undefined) return []
      const open = await listOpenReferences(database, clock.now(), wanted, limit)
      return Promise.all(
        open.map(async (reference) => ({ ...reference, beneficiary: await payee.beneficiaryOf(reference) })),
      )
    },

    notices: createWorker({
      name: 'reference notices',
      database,
      pollMs,
      concurrency,
      claim: (limit) => {
        const now = clock.now()
        return claimDuePayments(database, now, after(now, tellAgainSeconds * second), limit)
      },
      async work(payment) {
        await tell(payment)
      },
      onError: deps.onError,
    }),
  }
}

/** Up to nine digits can be a part of a reference or an amount. Undefined for any other text. */
function wantedBy(find: string): { digits?: string | undefined; amount?: bigint | undefined } | undefined {
  const text = find.replaceAll(/[\s€]/g, '').replace(',', '.')
  if (text === '') return {}
  const digits = /^\d{1,9}$/.test(text) ? text : undefined
  const amount = parseAmount(text, 'find')
  return digits === undefined && !amount.ok
    ? undefined
    : { digits, amount: amount.ok ? amount.value : undefined }
}

/** The network itself refuses a payment outside the published limits. */
function refusedByNetwork(
  known: KnownReference | undefined,
  { amount }: Pick<ReferencePayment, 'amount'>,
  at: Instant,
): PaymentRefusal | undefined {
  if (known === undefined || at < known.limitsFrom) return undefined
  if (known.closed !== undefined) return known.closed
  if (known.expires !== undefined && at >= after(known.expires, second)) return 'expired'
  if (known.starts !== undefined && at < known.starts) return 'not_started'
  return amount < known.amountMin || amount > known.amountMax ? 'badamount' : undefined
}
