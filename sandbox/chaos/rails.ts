// Puts trouble between the gateway and the sandbox's rails, where a network would have it: calls fail, or are not answered.
import { setTimeout as pause } from 'node:timers/promises'
import { isUuid } from '../../src/kernel/random.ts'
import { second } from '../../src/kernel/time.ts'
import type { OnlineWallet, Rails, ReferencePayee } from '../../src/rails/index.ts'
import type { Database } from '../../src/storage/index.ts'
import type { Chaos } from './chaos.ts'
import { silenceMs, type Trouble, type TroubledRail } from './model.ts'
import { ownsKey, ownsReference } from './store.ts'

type SandboxRails = Omit<Rails, 'creditorAccount' | 'simulated'>

const troubledAs = {
  acquirer: 'acquirer',
  threeDSecure: 'issuer',
  mobileWallet: 'mobile_wallet',
  onlineWallet: 'online_wallet',
  directDebit: 'bank',
  creditTransfer: 'bank',
  referenceNetwork: 'references',
} as const satisfies Readonly<Record<keyof SandboxRails, TroubledRail>>

/** Answered without a network. */
const answeredAtOnce = new Set(['creditorOf'])

// biome-ignore lint/suspicious/noExplicitAny: the verbs of seven contracts pass here, and none is looked into
type Verb = (...args: any[]) => Promise<unknown>

/** The same drivers, whose calls meet what is set. While nothing is, they are called directly. */
export function overRails(rails: SandboxRails, chaos: Chaos, database: Database): SandboxRails {
  const drivers = Object.entries(rails) as [keyof SandboxRails, object][]
  return Object.fromEntries(
    drivers.map(([name, driver]) => [name, overDriver(driver, troubledAs[name], chaos, database)]),
  ) as unknown as SandboxRails
}

/** The same for the online wallets of other methods. */
export function overWallets(
  wallets: Readonly<Record<string, OnlineWallet>>,
  chaos: Chaos,
  database: Database,
): Readonly<Record<string, OnlineWallet>> {
  const over = ([code, wallet]: [string, OnlineWallet]) =>
    [code, overDriver(wallet, troubledAs.onlineWallet, chaos, database) as OnlineWallet] as const
  return Object.fromEntries(Object.entries(wallets).map(over))
}

function overDriver(driver: object, rail: TroubledRail, chaos: Chaos, database: Database): object {
  const over = ([verb, value]: [string, unknown]): [string, unknown] => {
    if (typeof value !== 'function' || answeredAtOnce.has(verb)) return [verb, value]
    const call = value as Verb
    const troubled: Verb = async (...args) => {
      const fault = await chaos.meet(rail, (walletId) => isFor(walletId, args[0], database))
      return withTrouble(fault, () => call(...args), signalOf(args))
    }
    return [verb, (...args: unknown[]) => (chaos.isPossible(rail) ? troubled(...args) : call(...args))]
  }
  return Object.fromEntries(Object.entries(driver).map(over))
}

/** The network's reports of payments, which reach the gateway late or not at all while the network is in trouble. */
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

/** An error as a network library throws it. */
export class RailTrouble extends Error {
  readonly code: string

  constructor(code: string, message: string) {
    super(message)
    this.name = 'RailTrouble'
    this.code = code
  }
}

async function withTrouble<Answer>(
  fault: Trouble | undefined,
  call: () => Promise<Answer>,
  signal?: AbortSignal,
): Promise<Answer> {
  switch (fault?.kind) {
    case undefined:
      return call()
    case 'down':
      throw new RailTrouble('ECONNREFUSED', 'chaos: the rail is down')
    case 'error':
      throw new RailTrouble(`HTTP_${fault.status}`, `chaos: the rail answers ${fault.status}`)
    case 'slow': {
      const answer = await call()
      await pause(fault.seconds * second, undefined, { signal, ref: false })
      return answer
    }
    case 'silent':
      await call()
      await pause(silenceMs, undefined, { signal, ref: false })
      throw new RailTrouble('ETIMEDOUT', 'chaos: the rail is silent')
  }
}

function signalOf(args: readonly unknown[]): AbortSignal | undefined {
  return args.find((arg) => arg instanceof AbortSignal)
}

/** Whose the call is: by the merchant it names, else by the keys in it. Lists of references are everybody's. */
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
