// Faults between the gateway and the sandbox's rails.
import { setTimeout as pause } from 'node:timers/promises'
import { isUuid } from '../../src/kernel/random.ts'
import { second } from '../../src/kernel/time.ts'
import type { OnlineWallet, Rails, ReferencePayee } from '../../src/rails/index.ts'
import type { Database } from '../../src/storage/index.ts'
import type { Chaos } from './chaos.ts'
import { type Fault, type FaultyRail, silenceMs } from './model.ts'
import { ownsKey, ownsReference } from './store.ts'

type SandboxRails = Omit<Rails, 'creditorAccount' | 'simulated'>

const railOf = {
  acquirer: 'acquirer',
  threeDSecure: 'issuer',
  mobileWallet: 'mobile_wallet',
  onlineWallet: 'online_wallet',
  directDebit: 'bank',
  creditTransfer: 'bank',
  referenceNetwork: 'references',
} as const satisfies Readonly<Record<keyof SandboxRails, FaultyRail>>

/** These calls need no network, so no fault affects them. */
const answeredAtOnce = new Set(['creditorOf'])

// biome-ignore lint/suspicious/noExplicitAny: verbs of seven contracts pass through unread
type Verb = (...args: any[]) => Promise<unknown>

/** The drivers of the sandbox with faults. Without a setting a call goes directly to its driver. */
export function overRails(rails: SandboxRails, chaos: Chaos, database: Database): SandboxRails {
  const drivers = Object.entries(rails) as [keyof SandboxRails, object][]
  return Object.fromEntries(
    drivers.map(([name, driver]) => [name, overDriver(driver, railOf[name], chaos, database)]),
  ) as unknown as SandboxRails
}

export function overWallets(
  wallets: Readonly<Record<string, OnlineWallet>>,
  chaos: Chaos,
  database: Database,
): Readonly<Record<string, OnlineWallet>> {
  const over = ([code, wallet]: [string, OnlineWallet]) =>
    [code, overDriver(wallet, railOf.onlineWallet, chaos, database) as OnlineWallet] as const
  return Object.fromEntries(Object.entries(wallets).map(over))
}

function overDriver(driver: object, rail: FaultyRail, chaos: Chaos, database: Database): object {
  const over = ([verb, value]: [string, unknown]): [string, unknown] => {
    if (typeof value === 'object' && value !== null) return [verb, overDriver(value, rail, chaos, database)]
    if (typeof value !== 'function' || answeredAtOnce.has(verb)) return [verb, value]
    const call = value as Verb
    const withFaults: Verb = async (...args) => {
      const fault = await chaos.meet(rail, (walletId) => isFor(walletId, args[0], database))
      return withTrouble(fault, () => call(...args), signalOf(args))
    }
    return [verb, (...args: unknown[]) => (chaos.isPossible(rail) ? withFaults(...args) : call(...args))]
  }
  return Object.fromEntries(Object.entries(driver).map(over))
}

/** The reports of paid references, which can fail too. */
export function overPayee(payee: ReferencePayee, chaos: Chaos, database: Database): ReferencePayee {
  return {
    beneficiaryOf: payee.beneficiaryOf,
    async receive(payment) {
      if (!chaos.isPossible('references')) return payee.receive(payment)
      const fault = await chaos.meet('references', (walletId) => ownsReference(database, walletId, payment))
      return withTrouble(fault, () => payee.receive(payment))
    },
  }
}

/** An error in the form in which a network library throws it. */
export class RailFault extends Error {
  readonly code: string

  constructor(code: string, message: string) {
    super(message)
    this.name = 'RailFault'
    this.code = code
  }
}

async function withTrouble<Answer>(
  fault: Fault | undefined,
  call: () => Promise<Answer>,
  signal?: AbortSignal,
): Promise<Answer> {
  switch (fault?.kind) {
    case undefined:
      return call()
    case 'down':
      throw new RailFault('ECONNREFUSED', 'chaos: the rail is down')
    case 'error':
      throw new RailFault(`HTTP_${fault.status}`, `chaos: the rail answers ${fault.status}`)
    case 'slow': {
      const answer = await call()
      await pause(fault.seconds * second, undefined, { signal, ref: false })
      return answer
    }
    case 'silent':
      await call()
      await pause(silenceMs, undefined, { signal, ref: false })
      throw new RailFault('ETIMEDOUT', 'chaos: the rail is silent')
  }
}

function signalOf(args: readonly unknown[]): AbortSignal | undefined {
  return args.find((arg) => arg instanceof AbortSignal)
}

/** A call names its merchant or a key of the merchant. A call with a list is for all merchants. */
async function isFor(walletId: bigint, asked: unknown, database: Database): Promise<boolean> {
  if (typeof asked === 'string') return isKey(asked) && ownsKey(database, walletId, [asked])
  if (typeof asked !== 'object' || asked === null || Array.isArray(asked)) return false
  const { merchant, acquirerMerchantID, ...named } = asked as Readonly<Record<string, unknown>>
  if (typeof acquirerMerchantID === 'string') return acquirerMerchantID === String(walletId)
  if (typeof merchant === 'object' && merchant !== null && 'id' in merchant) return merchant.id === walletId
  const keys = [named.key, named.original, named.of, named.payment, named.reference].filter(isKey)
  return keys.length > 0 && ownsKey(database, walletId, keys)
}

function isKey(value: unknown): value is string {
  return typeof value === 'string' && isUuid(value)
}
