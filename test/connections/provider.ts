// A test provider with accounts and rails in memory, which can fail.
import type { StatementLine } from '../../src/connections/index.ts'
import { type Instant, systemClock } from '../../src/kernel/time.ts'
import type { Dispute, FailedRefund } from '../../src/rails/index.ts'
import { startHttpProvider } from '../providers/http-provider.ts'
import { memoryAcquirer } from '../rails/memory/acquirer.ts'
import {
  type AuthenticatingAcquirer,
  authenticatingAcquirer,
} from '../rails/memory/authenticating-acquirer.ts'
import { memoryBank } from '../rails/memory/bank.ts'
import { memoryMobileWallet } from '../rails/memory/mobile-wallet.ts'
import { memoryReferenceProvider } from '../rails/memory/reference-provider.ts'
import { decode, encode } from './wire.ts'

interface Account {
  readonly token: string
  readonly wallet: ReturnType<typeof memoryMobileWallet>
  readonly pages: AuthenticatingAcquirer
  readonly references: ReturnType<typeof memoryReferenceProvider>
  readonly rails: Readonly<Record<string, object>>
  readonly failedRefunds: Map<string, FailedRefund>
  readonly disputes: Map<string, Dispute>
  readonly booked: Map<string, StatementLine[]>
  readonly calls: string[]
}

export interface Provider {
  readonly url: string
  open(name: string, token: string): Account
  setDown(isDown: boolean): void
  delay(milliseconds: number): void
  setEndless(isEndless: boolean): void
  redirectTo(url: string | undefined): void
  /** Handles the next call of this verb. Then it runs `meanwhile` and breaks the connection. */
  loseAnswerOf(verb: string, meanwhile?: () => Promise<void>): void
  close(): Promise<void>
}

export async function startProvider(
  phones: ReadonlySet<string>,
  now: () => Instant = systemClock.now,
): Promise<Provider> {
  const accounts = new Map<string, Account>()
  let lost: string | undefined
  let elsewhere: string | undefined
  let meanwhile: (() => Promise<void>) | undefined
  const server = await startHttpProvider(async ({ headers, body }) => {
    if (elsewhere !== undefined) return { status: 307, headers: { location: elsewhere }, body: '' }
    const account = accounts.get(String(headers.account))
    if (account === undefined || headers.authorization !== `Bearer ${account.token}`)
      return { status: 401, body: 'no' }
    const { rail, verb, args } = decode(body) as { rail: string; verb: string; args: unknown[] }
    account.calls.push(`${rail}.${verb}`)
    const verbs = account.rails[rail] as Record<string, (...given: unknown[]) => unknown> | undefined
    const answer = await verbs?.[verb]?.(...args)
    if (lost !== verb) return { status: 200, body: encode(answer) }
    lost = undefined
    await meanwhile?.()
    return 'broken'
  })

  return {
    ...{ url: server.url, setDown: server.setDown, delay: server.delay, close: server.close },
    setEndless: server.setEndless,
    redirectTo(url) {
      elsewhere = url
    },
    open(name, token) {
      const wallet = memoryMobileWallet(now, phones)
      const { directDebit, creditTransfer } = memoryBank()
      const limits = { payableManyTimes: false, openAmount: false, startsLater: false }
      const references = memoryReferenceProvider(now, limits)
      const failedRefunds = new Map<string, FailedRefund>()
      const disputes = new Map<string, Dispute>()
      const booked = new Map<string, StatementLine[]>()
      const pages = authenticatingAcquirer(() => true)
      const { customers = {}, ...acquirerWithPages } = pages.acquirer
      const account = {
        token,
        ...{ wallet, references },
        ...{ pages, failedRefunds, disputes, booked },
        calls: [],
        rails: {
          acquirer: memoryAcquirer(),
          ...{ acquirerWithPages, pages: customers },
          threeDSecure: { versions: async () => undefined },
          ...{ mobileWallet: wallet.wallet, referenceNetwork: references.network },
          account: { hello: () => 'hello' },
          statements: { of: (day: string) => booked.get(day) ?? [] },
          reported: {
            refund: (key: string) => failedRefunds.get(key),
            dispute: (id: string) => disputes.get(id),
          },
          ...{ directDebit, creditTransfer },
        },
      }
      accounts.set(name, account)
      return account
    },
    loseAnswerOf(verb: string, whatElse?: () => Promise<void>) {
      lost = verb
      meanwhile = whatElse
    },
  }
}
