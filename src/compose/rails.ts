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
  /** Available rails of a wallet; the same object while nothing changes. Default: all. */
  capabilitiesOf?(walletId: bigint): RailCapabilities
  statements?(): readonly StatementSource[]
  readonly administration?: RailAdministration
  /** A simulated network to merchants' servers, in the sandbox only. */
  readonly faultInjection?: CallbacksDeps['faultInjection']
  /** The sandbox's post box. Absent: mail goes to SMTP_URL. */
  readonly postBox?: MailCarrier
  workers?(notices: Notices): Readonly<Record<string, Worker>>
}

/** Bank files override the rails' answers, and calls are traced if tracing is on. */
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
    // A rail without a customer, or with reserved money.
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
