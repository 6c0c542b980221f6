// Drivers of a gateway, and their notices.
import type { Authorizations } from '../authorizations/index.ts'
import { beforeDriver } from '../bank-files/index.ts'
import type { CallbacksDeps } from '../callbacks/index.ts'
import type { RailAdministration, StatementSource } from '../connections/index.ts'
import type { Module, NoticeTakers } from '../module.ts'
import { type ChargeHandler, findOperationByKey, type Operations } from '../operations/index.ts'
import type { GatewayRails, MailCarrier, MobileWalletNotice, Notices } from '../rails/index.ts'
import type { Runtime } from '../runtime.ts'
import type { AuditCheck, Database, SealedColumn, Worker } from '../storage/index.ts'
import { tracedRails } from '../telemetry/traced-rails.ts'
import type { RailCapabilities } from '../wallets/index.ts'

export interface RailDrivers extends GatewayRails {
  readonly secrets?: readonly SealedColumn[]
  readonly checks?: readonly AuditCheck[]
  /** The rails that a wallet can use. The object is the same while nothing changes. Default: all rails. */
  capabilitiesOf?(walletId: bigint): RailCapabilities
  statements?(): readonly StatementSource[]
  readonly administration?: RailAdministration
  /** The sandbox's simulated network to merchants' servers. */
  readonly faultInjection?: CallbacksDeps['faultInjection']
  /** The sandbox's post box. Absent: the gateway sends mail to SMTP_URL. */
  readonly postBox?: MailCarrier
  workers?(notices: Notices): Readonly<Record<string, Worker>>
}

/** Adds answers of bank files, which take precedence, and traces of calls if tracing is on. */
export function railsFor(runtime: Runtime, given: RailDrivers): RailDrivers {
  return tracedRails({ ...given, ...beforeDriver(runtime, given) })
}

export interface NoticeParts {
  readonly database: Database
  readonly operations: Operations
  readonly authorizations: Authorizations
  readonly charges: ChargeHandler
}

export function composeNotices(modules: readonly Module[], parts: NoticeParts): Notices {
  const { database, operations, authorizations, charges } = parts
  const takers = modules.flatMap(({ notices }) => notices ?? [])
  const { incomingTransfer, refundFailed, dispute, references } = Object.assign({}, ...takers) as NoticeTakers

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
    // The movement has no customer who decides, or its money is reserved.
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
