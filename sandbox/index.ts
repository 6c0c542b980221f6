// The entry point of the sandbox: the pretend outside world, composed in sandbox mode and absent in production.
import type { App } from '../src/http/index.ts'
import type { Randomness } from '../src/kernel/random.ts'
import type {
  CardAcquirer,
  CreditTransfer,
  DirectDebit,
  MobileWallet,
  OnlineWallet,
  ReferenceNetwork,
  ReferencePayee,
  ThreeDSecure,
  WalletNews,
} from '../src/rails/index.ts'
import type { Database, Worker } from '../src/storage/index.ts'
import { createSandboxAcquirer } from './acquirer.ts'
import { createCreditTransfer, createDirectDebit } from './bank/rails.ts'
import { bankRoutes } from './bank/routes.ts'
import { brandPages } from './brand/routes.ts'
import type { SandboxClock } from './clock.ts'
import { clockRoutes } from './clock-routes.ts'
import { consumerRoutes } from './consumer-routes.ts'
import type { GatewayNews } from './gateway-news.ts'
import { challengeApi } from './issuer/api.ts'
import { createChallenges } from './issuer/challenges.ts'
import type { SandboxLogger } from './issuer/context.ts'
import { createReporter } from './issuer/report.ts'
import { issuerRoutes } from './issuer/routes.ts'
import { createThreeDSecure } from './issuer/three-d-secure.ts'
import { merchantRoutes, type SetCallbackUrls } from './merchant-routes.ts'
import { onlineWalletApi } from './online-wallet/api.ts'
import { createDecide } from './online-wallet/decide.ts'
import { createOnlineWallet, type OnlineWalletDeps } from './online-wallet/rail.ts'
import { onlineWalletRoutes } from './online-wallet/routes.ts'
import { pageRoutes } from './pages/routes.ts'
import { phoneApi } from './phone/api.ts'
import { createCustomer } from './phone/customer.ts'
import { phonePages } from './phone/page-routes.ts'
import { createMobileWallet } from './phone/wallet.ts'
import { referenceApi } from './references/api.ts'
import { createReferenceNetwork, sandboxEntity } from './references/network.ts'
import { referencePages } from './references/routes.ts'
import { demoShop, type ShopDeps } from './shop/index.ts'
import { type FindReceipt, thanksRoutes } from './thanks/routes.ts'
import { createTimeTravel, type RunDue, type TimeTravel } from './time-travel.ts'

export { railBooksChecks } from './audit.ts'
export { houseAccount } from './bank/model.ts'
export { createSandboxClock, type SandboxClock } from './clock.ts'
export type { GatewayNews } from './gateway-news.ts'
export type { SandboxLogger } from './issuer/context.ts'
export type { SetCallbackUrls } from './merchant-routes.ts'
export { referenceNetworkChecks } from './references/audit.ts'
export type { FindReceipt } from './thanks/routes.ts'
export type { RunDue, TimeTravel } from './time-travel.ts'

export interface SandboxDeps {
  readonly database: Database
  /** Public address of the gateway. */
  readonly baseUrl: string
  /** The word before an API key in the `Authorization` header. */
  readonly authScheme: string
  readonly random: Randomness
  /** The clock that the gateway runs on. */
  readonly clock: SandboxClock
  /** Everything in the gateway that waits for its time; called after each move of the clock. */
  readonly runDue: RunDue
  readonly setCallbackUrls: SetCallbackUrls
  /** Hears what customers did on their phones. */
  readonly walletNews?: WalletNews
  /** Absent: there is no demo shop. */
  readonly shop?: Pick<ShopDeps, 'callbackUrlOf' | 'demoFile' | 'manifestPath'>
  readonly findReceipt: FindReceipt
  /** How the bank and the online wallet reach the gateway. */
  readonly news: GatewayNews
  /** The gateway as the reference network sees it, asked once everything is composed. */
  payee(): ReferencePayee
  readonly onError: (error: unknown) => void
  readonly logger: SandboxLogger
}

export interface Sandbox {
  readonly acquirer: CardAcquirer
  readonly threeDSecure: ThreeDSecure
  readonly onlineWallet: OnlineWallet
  readonly directDebit: DirectDebit
  readonly creditTransfer: CreditTransfer
  readonly references: ReferenceNetwork
  /** The gateway's five digits at the reference network. */
  readonly entity: string
  /** What the pretend world does by itself. */
  readonly worker: Worker
  readonly mobileWallet: MobileWallet
  /** The clock for the operator's command. */
  readonly commands: TimeTravel
  readonly routes: (app: App) => void
}

/** The online wallet, the bank and consumers, who have news for the gateway. */
function moneyRoutes(deps: OnlineWalletDeps, news: GatewayNews): ((app: App) => void)[] {
  const decide = createDecide(deps.database, news)
  const wallet = [onlineWalletRoutes(deps, decide), onlineWalletApi(deps, decide)]
  return [...wallet, bankRoutes(deps, news), consumerRoutes(news)]
}

export function createSandbox(deps: SandboxDeps): Sandbox {
  const { database, clock, random, logger, runDue, news } = deps
  const issuer = { database, clock, random, logger, baseUrl: deps.baseUrl.replace(/\/+$/, '') }
  const challenges = createChallenges(issuer, createReporter(issuer))
  const time = createTimeTravel(clock, async (now) => {
    const expired = await challenges.expire()
    return { challenges: expired, ...(await runDue(now)) }
  })
  const references = createReferenceNetwork(deps)
  const phone = { database, clock, random, news: tellOf(deps) }
  const customer = createCustomer(phone)
  const routes = [
    clockRoutes(time),
    referenceApi(references),
    referencePages(references, deps),
    merchantRoutes(deps.setCallbackUrls),
    challengeApi(issuer, challenges),
    issuerRoutes(issuer, challenges),
    phoneApi(customer),
    phonePages(phone, customer),
    pageRoutes({
      database,
      clock,
      baseUrl: issuer.baseUrl,
      authScheme: deps.authScheme,
      shop: deps.shop !== undefined,
    }),
    thanksRoutes(deps.findReceipt),
    ...moneyRoutes(issuer, news),
    brandPages(issuer),
    ...(deps.shop === undefined
      ? []
      : [demoShop({ ...issuer, ...deps.shop, setCallbackUrl: deps.setCallbackUrls })]),
  ]
  return {
    acquirer: createSandboxAcquirer({ database, clock, random }),
    threeDSecure: createThreeDSecure(issuer),
    onlineWallet: createOnlineWallet(issuer),
    directDebit: createDirectDebit(issuer),
    creditTransfer: createCreditTransfer(issuer),
    references: references.port,
    entity: sandboxEntity,
    worker: references.notices,
    mobileWallet: createMobileWallet(phone),
    commands: time,
    routes(app) {
      for (const register of routes) register(app)
    },
  }
}

/** What the gateway does not hear it asks for later: the customer is answered all the same. */
function tellOf({ walletNews, logger }: SandboxDeps): WalletNews {
  return async (news) => {
    try {
      await walletNews?.(news)
    } catch (error) {
      const why = error instanceof Error ? error.name : 'unknown'
      logger.warn({ ...news, why }, 'the gateway could not take the news of a phone')
    }
  }
}
