// Entity and number of a new reference: our own, or a provider's.
import type { IdempotencyKey } from '../../idempotency/index.ts'
import { cents } from '../../kernel/money.ts'
import { newId } from '../../kernel/random.ts'
import { deny, unwrap } from '../../kernel/result.ts'
import { after, type Instant, instant, minute, second } from '../../kernel/time.ts'
import {
  callRail,
  type OwnReferences,
  type ProviderReferences,
  type ReferenceAnswer,
  type ReferenceRequest,
} from '../../rails/index.ts'
import { createWorker, type Worker } from '../../storage/index.ts'
import type { Wallet } from '../../wallets/index.ts'
import type { MultibancoDeps } from './deps.ts'
import type { BankReference } from './model.ts'
import { type ReferenceNumbers, referenceDigits } from './numbers.ts'
import {
  abandonReferenceRequest,
  claimAbandonedRequests,
  forgetReferenceRequest,
  markRequestsWithdrawn,
  noteReferenceRequest,
  releaseReferenceName,
} from './requests-store.ts'
import { type AskedReference, withinLimits } from './rules.ts'

/** Providers answer much sooner, so an older request is abandoned and withdrawn. */
const abandonedMinutes = 2
/** For an open amount the check digits are computed with zero. */
const noAmount = cents(0)

export interface NewReference extends AskedReference, Pick<ReferenceRequest, 'description' | 'customer'> {
  readonly wallet: Pick<Wallet, 'id' | 'name'>
  readonly once: IdempotencyKey | undefined
}

export type NamedReference = Pick<
  BankReference,
  'id' | 'entity' | 'number' | 'ref' | 'expires' | 'createdAt' | 'publishedAt'
>

export type NameReference = (asked: NewReference) => Promise<NamedReference | undefined>

export function createNaming(deps: MultibancoDeps, numbers: ReferenceNumbers): NameReference {
  const { database, clock, random, networks } = deps

  async function ofOurs({ entity }: OwnReferences, asked: NewReference): Promise<NamedReference> {
    const number = unwrap(await numbers.take(entity))
    const now = clock.now()
    const ref = referenceDigits(entity, number, asked.payableOnce ? asked.amountMax : noAmount)
    return { id: newId(now, random), entity, number, ref, expires: asked.expires, createdAt: now }
  }

  /** Writes the request before it is sent. After a crash, the provider's reference is withdrawn. */
  async function ofProvider(
    provider: ProviderReferences,
    asked: NewReference,
  ): Promise<NamedReference | undefined> {
    const { wallet, once } = asked
    const now = clock.now()
    unwrap(withinLimits(provider.limits, asked, now))
    const noted = await noteReferenceRequest(database, {
      id: newId(now, random),
      walletId: wallet.id,
      once,
      expires: asked.expires,
      createdAt: now,
      dueAt: after(now, abandonedMinutes * minute),
    })
    if (noted === undefined) return undefined
    const { id, expires } = noted
    const answer = await create(provider, { ...asked, expires }, id)
    if (answer.kind !== 'named') return refused(answer, wallet, id)
    const { entity, ref } = answer
    if (!(await releaseReferenceName(database, { entity, ref }, now))) {
      deps.onError(new Error(`the provider repeated ${entity} ${ref}, which can still be paid`))
      await abandonReferenceRequest(database, wallet.id, id, now)
      return deny('rail_unavailable', 'the provider made no reference: try again')
    }
    return { id, entity, ref, number: undefined, expires: earlier(expires, answer.expires), ...madeAt(now) }
  }

  async function create(provider: ProviderReferences, asked: NewReference, key: string) {
    const { wallet, payableOnce, amountMin, amountMax, starts, expires, description } = asked
    const customer = { email: asked.customer?.email, name: asked.customer?.name }
    const merchant = { id: wallet.id, name: wallet.name }
    const limits = { payableOnce, amountMin, amountMax, starts, expires }
    return callRail(async (signal): Promise<ReferenceAnswer> => {
      const answer = await provider.create({ key, merchant, ...limits, description, customer }, signal)
      return answer.kind === 'named' && !isName(answer)
        ? { kind: 'unknown', why: 'entity and reference are not five and nine digits' }
        : answer
    })
  }

  async function refused(
    answer: Exclude<ReferenceAnswer, { kind: 'named' }>,
    { id: walletId }: Pick<Wallet, 'id'>,
    id: string,
  ): Promise<never> {
    if (answer.kind === 'unknown') {
      deps.onError(new Error(`the provider of references did not answer: ${answer.why}`))
      return deny(
        'rail_unavailable',
        'the provider of references did not answer: send the same request again',
      )
    }
    await forgetReferenceRequest(database, walletId, id)
    switch (answer.reason) {
      case 'amount_not_possible':
        return deny('invalid_parameter', 'the provider of references does not accept this amount')
      case 'expiry_not_possible':
        return deny('invalid_parameter', 'the provider of references does not accept this expires')
      default:
        return deny('rail_unavailable', `the provider made no reference: ${answer.reason}`)
    }
  }

  return async (asked) => {
    const network = networks.serving(asked.wallet.id)
    if (network === undefined) return deny('service_unavailable', 'no reference network is connected')
    return network.numbering === 'ours' ? ofOurs(network, asked) : ofProvider(network, asked)
  }
}

function madeAt(now: Instant) {
  return { createdAt: now, publishedAt: now }
}

function isName({ entity, ref }: { readonly entity: string; readonly ref: string }): boolean {
  return /^\d{5}$/.test(entity) && /^\d{9}$/.test(ref)
}

function earlier(one: Instant | undefined, other: Instant | undefined): Instant | undefined {
  return one === undefined || other === undefined ? (one ?? other) : instant(Math.min(one, other))
}

const pollMs = 10_000
const concurrency = 50
const leaseSeconds = 30

export function createWithdrawing({
  database,
  clock,
  networks,
  onError,
}: Pick<MultibancoDeps, 'database' | 'clock' | 'networks' | 'onError'>): Worker {
  return createWorker({
    name: 'reference requests',
    database,
    pollMs,
    concurrency,
    claim: (limit) => {
      const now = clock.now()
      return claimAbandonedRequests(database, now, after(now, leaseSeconds * second), limit)
    },
    async work(id) {
      await networks.made.withdraw([id])
      await markRequestsWithdrawn(database, [id])
    },
    onError,
  })
}
