// Entry point of the sandbox: simulated drivers and their pages.
import type { App } from '../src/http/index.ts'
import type { Randomness } from '../src/kernel/random.ts'
import type { Keyring } from '../src/kernel/sealing.ts'
import type { Clock } from '../src/kernel/time.ts'
import {
  type GatewayRails,
  type MailCarrier,
  type Notices,
  type OnlineWallet,
  onlyNetwork,
  type Rails,
  type ReferencePayee,
} from '../src/rails/index.ts'
import {
  type AuditCheck,
  type Database,
  migrate,
  type SealedColumn,
  type Worker,
} from '../src/storage/index.ts'
import { createSandboxAcquirer } from './acquirer/acquirer.ts'
import { railBooksChecks } from './audit.ts'
import { creditorAccount } from './bank/model.ts'
import { createCreditTransfer, createDirectDebit } from './bank/rails.ts'
import { bankRoutes } from './bank/routes.ts'
import { brandPages } from './brand/routes.ts'
import { callbackFaults, type Interference } from './chaos/callbacks.ts'
import { type Chaos, createChaos } from './chaos/chaos.ts'
import { overPayee, overRails, overWallets } from './chaos/rails.ts'
import { chaosRoutes } from './chaos/routes.ts'
import { createSandboxClock, type SandboxClock } from './clock/clock.ts'
import { clockRoutes } from './clock/routes.ts'
import { createTimeTravel, type TimeTravel } from './clock/time-travel.ts'
import { consumerRoutes } from './consumer-routes.ts'
import { shopRoutes } from './demo-shop/forward.ts'
import type { SandboxedGateway } from './gateway.ts'
import { challengeApi } from './issuer/api.ts'
import { createChallenges } from './issuer/challenges.ts'
import type { SandboxLogger } from './issuer/context.ts'
import { createReporter } from './issuer/report.ts'
import { issuerRoutes } from './issuer/routes.ts'
import { createThreeDSecure } from './issuer/three-d-secure.ts'
import { createPostBox } from './mail/post-box.ts'
import { mailRoutes } from './mail/routes.ts'
import { boxedSecrets } from './mail/store.ts'
import { merchantRoutes } from './merchant-routes.ts'
import { sandboxMigrations } from './migrations/index.ts'
import { pageRoutes } from './pages/routes.ts'
import { simulated } from './pages/simulated-money.ts'
import { phoneApi } from './phone/api.ts'
import { phonePages } from './phone/app/routes.ts'
import type { SendNotice } from './phone/context.ts'
import { createCustomer } from './phone/customer.ts'
import { createMobileWallet } from './phone/wallet.ts'
import type { Player } from './player.ts'
import { players } from './players.ts'
import { referenceApi } from './references/api.ts'
import { referenceNetworkChecks } from './references/audit.ts'
import {
  createReferenceMachines,
  createReferenceNetwork,
  type ReferenceMachines,
} from './references/network.ts'
import { referencePages } from './references/routes.ts'
import { thanksRoutes } from './thanks/routes.ts'

export { type DemoShop, openDemoShop } from './demo-shop/start.ts'

export interface SandboxDeps {
  readonly database: Database
  readonly baseUrl: string
  readonly random: Randomness
  readonly keyring: Keyring
  readonly clock: Clock
  readonly logger: SandboxLogger & {
    info(details: object, message: string): void
    error(details: object, message: string): void
  }
  onError(error: unknown): void
}

export interface Sandbox {
  readonly clock: SandboxClock
  readonly rails: GatewayRails & {
    readonly secrets: readonly SealedColumn[]
    readonly checks: readonly AuditCheck[]
    readonly faultInjection: Interference
    readonly postBox: MailCarrier
    workers(notices: Notices): Readonly<Record<string, Worker>>
  }
  mount(gateway: SandboxedGateway, options: MountOptions): MountedSandbox
}

export interface MountOptions {
  /** The word before the key in the header `Authorization`. */
  readonly authScheme: string
}

export interface MountedSandbox {
  routes(shopUrl: string): (app: App) => void
  readonly clock: TimeTravel
}

/** Opens the sandbox: its database schema, its clock, and a driver for every rail. */
export async function openSandbox(deps: SandboxDeps): Promise<Sandbox> {
  const { database, random, keyring, logger, onError } = deps
  const applied = await migrate(database, sandboxMigrations)
  if (applied.length > 0) logger.info({ applied }, 'tables of the sandbox migrated')
  const clock = await createSandboxClock({
    database,
    base: deps.clock,
    onError: (error) => logger.error({ err: error }, 'the sandbox clock could not be read'),
  })
  const chaos = await createChaos({ database, clock, onError })
  const context = {
    database,
    clock,
    random,
    keyring,
    logger,
    onError,
    chaos,
    baseUrl: deps.baseUrl.replace(/\/+$/, ''),
  }
  const playing = players.map((create) => create(context))
  const ofPlayers = Object.assign({}, ...playing.map(({ rails }) => rails)) as Pick<Rails, 'onlineWallet'>
  const wallets: Record<string, OnlineWallet> = Object.assign(
    {},
    ...playing.map((each) => each.onlineWallets),
  )
  const { referenceNetwork, ...rails } = overRails(
    {
      acquirer: createSandboxAcquirer(context),
      threeDSecure: createThreeDSecure(context),
      mobileWallet: createMobileWallet(context),
      ...ofPlayers,
      directDebit: createDirectDebit(context),
      creditTransfer: createCreditTransfer(context),
      referenceNetwork: createReferenceNetwork(context),
    },
    chaos,
    database,
  )
  return {
    clock,
    rails: {
      ...rails,
      onlineWallets: overWallets(wallets, chaos, database),
      referenceNetworks: onlyNetwork(referenceNetwork),
      faultInjection: callbackFaults(chaos),
      postBox: createPostBox(context),
      secrets: boxedSecrets,
      creditorAccount,
      simulated,
      checks: [
        ...railBooksChecks,
        ...referenceNetworkChecks,
        ...playing.flatMap(({ checks = [] }) => checks),
      ],
      workers: (notices) => ({
        reference_notices: machinesOf(context, notices.references).notices,
        ...Object.assign({}, ...playing.map(({ workers }) => workers?.(notices))),
      }),
    },
    mount: (gateway, options) => mount(context, playing, gateway, options),
  }
}

type Context = Omit<SandboxDeps, 'clock'> & { readonly clock: SandboxClock; readonly chaos: Chaos }

function machinesOf(context: Context, payee: ReferencePayee): ReferenceMachines {
  const { chaos, database } = context
  return createReferenceMachines({ ...context, payee: overPayee(payee, chaos, database) })
}

function mount(
  context: Context,
  playing: readonly Player[],
  gateway: SandboxedGateway,
  { authScheme }: MountOptions,
): MountedSandbox {
  const { database, clock, baseUrl, chaos } = context
  const { notices, administration } = gateway
  const challenges = createChallenges(context, createReporter(context))
  const time = createTimeTravel(clock, async (now, deadline) => {
    const expired = await challenges.expire()
    return { challenges: expired, ...(await administration.runDue(now, deadline)) }
  })
  const machines = machinesOf(context, notices.references)
  const customer = createCustomer(context, noticeOf(context, notices))
  const routes = [
    clockRoutes(time),
    chaosRoutes(chaos, clock, administration.hasMerchant),
    referenceApi(machines, context.random),
    referencePages(machines, context),
    mailRoutes(context),
    merchantRoutes(administration),
    challengeApi(context, challenges),
    issuerRoutes(context, challenges),
    phoneApi(customer),
    phonePages(context, customer),
    pageRoutes({ database, clock, baseUrl, authScheme }),
    thanksRoutes(administration.findReceipt),
    ...playing.flatMap((player) => player.routes(gateway)),
    bankRoutes(context, gateway),
    consumerRoutes(administration),
    brandPages(context),
  ]
  return {
    clock: time,
    routes: (shopUrl) => (app) => {
      for (const register of [...routes, shopRoutes(shopUrl)]) register(app)
    },
  }
}

/** A lost notice is harmless, because the gateway asks later. */
function noticeOf({ logger }: Context, { mobileWallet }: Notices): SendNotice {
  return async (notice) => {
    try {
      await mobileWallet(notice)
    } catch (error) {
      const why = error instanceof Error ? error.name : 'unknown'
      logger.warn({ ...notice, why }, 'the gateway could not take the notice of a phone')
    }
  }
}
