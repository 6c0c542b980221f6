// The drivers that a gateway is composed on, and how their notices reach the modules.
import type { Authorizations } from '../authorizations/index.ts'
import { beforeDriver } from '../bank-files/index.ts'
import type { CallbacksDeps } from '../callbacks/index.ts'
import type { RailAdministration, StatementSource } from '../connections/index.ts'
import type { Module, NoticeTakers } from '../module.ts'
import { type ChargeHandler, findOperationByKey, type Operations } from '../operations/index.ts'
import type { GatewayRails, MobileWalletNotice, Notices } from '../rails/index.ts'
import type { Runtime } from '../runtime.ts'
import type { AuditCheck, Database, Worker } from '../storage/index.ts'
import { tracedRails } from '../telemetry/traced-rails.ts'
import type { RailCapabilities } from '../wallets/index.ts'

/** Drivers, with their own workers and audit checks. */
export interface RailDrivers extends GatewayRails {
  /** Audit checks of the drivers' records; none where those are kept elsewhere. */
  readonly checks?: readonly AuditCheck[]
  /** What there are rails for, of a wallet; the same object while nothing changes. Absent: every method. */
  capabilitiesOf?(walletId: bigint): RailCapabilities
  /** Whose providers give statements of what they have booked; absent: none. */
  statements?(): readonly StatementSource[]
  /** What operators do with connections; absent where there are none, as in the sandbox. */
  readonly administration?: RailAdministration
  /** What lies between the gateway and merchants' servers, where the drivers play it; absent: a network. */
  readonly faultInjection?: CallbacksDeps['faultInjection']
  /** What drivers do by themselves, such as repeating notices: by the name under which it is counted. */
  workers?(notices: Notices): Readonly<Record<string, Worker>>
}

/** The drivers as modules ask them: what a file of the bank has said decides, and calls are traced where that is on. */
export function railsFor(runtime: Runtime, given: RailDrivers): RailDrivers {
  return tracedRails({ ...given, ...beforeDriver(runtime, given) })
}

export interface NoticeParts {
  readonly database: Database
  readonly operations: Operations
  readonly authorizations: Authorizations
  readonly charges: ChargeHandler
}

/** The notices of rails, each taken by the module that knows its key, which asks the rail what happened. */
export function composeNotices(modules: readonly Module[], parts: NoticeParts): Notices {
  const { database, operations, authorizations, charges } = parts
  const takers = modules.flatMap(({ notices }) => notices ?? [])
  const { incomingTransfer, refundFailed, dispute, references } = Object.assign({}, ...takers) as NoticeTakers

  /** Asks the takers in turn whose it is, then looks for an operation that it is about. */
  async function take(
    kind: 'card' | 'mobileWallet' | 'onlineWallet' | 'bankOrder',
    notice: string | MobileWalletNotice,
    walletId: bigint | undefined,
  ): Promise<void> {
    let isOfModule = false
    for (const taker of takers) {
      const ask = taker[kind] as ((about: typeof notice) => Promise<boolean>) | undefined
      isOfModule = (await ask?.(notice)) === true
      if (isOfModule) break
    }
    const operation = await findOperationByKey(
      database,
      typeof notice === 'string' ? notice : notice.key,
      walletId,
    )
    if (operation === undefined) return
    // Its rail was asked without a customer, or holds money for it.
    if (operation.status === 'PENDING' && !isOfModule) await operations.engine.onNotice(operation, charges)
    if (operation.status === 'COMPLETED' && operation.type === 'AUTH' && operation.lapsedAt === undefined)
      await authorizations.onNotice(operation)
  }

  return {
    card: (key, walletId) => take('card', key, walletId),
    mobileWallet: (notice, walletId) => take('mobileWallet', notice, walletId),
    onlineWallet: (key, walletId) => take('onlineWallet', key, walletId),
    bankOrder: (key, walletId) => take('bankOrder', key, walletId),
    ...{ incomingTransfer, refundFailed, dispute, references },
  }
}
