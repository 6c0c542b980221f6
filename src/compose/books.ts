// Wires wallets, ledger, callbacks, operations and the list of methods.
import { createCallbacks } from '../callbacks/index.ts'
import { createProcesses } from '../cells/index.ts'
import { createIdempotency } from '../idempotency/index.ts'
import { programVersion } from '../kernel/project-root.ts'
import { systemClock } from '../kernel/time.ts'
import { createLedger, openAccount } from '../ledger/index.ts'
import { findPayer } from '../methods/balance/index.ts'
import { createMethodTable } from '../methods/method.ts'
import type { Core } from '../module.ts'
import { countDaySoFar, createOperations, type RailOf } from '../operations/index.ts'
import { payoutRail } from '../payouts/index.ts'
import { createRequestLog } from '../request-log/index.ts'
import type { Runtime } from '../runtime.ts'
import { subscriptionSettlement } from '../subscriptions/index.ts'
import { createWallets } from '../wallets/index.ts'
import type { RailDrivers } from './rails.ts'
import { requestOutcomes } from './request-outcomes.ts'

export type Books = ReturnType<typeof composeBooks>

export function composeBooks(core: Core, { config }: Runtime, drivers: RailDrivers) {
  const { database } = core
  const ledger = createLedger({ database })
  const processes = createProcesses({
    ...core,
    outbox: config.bankExportMinutes > 0 ? config.bankOutbox : undefined,
  })
  const wallets = createWallets({
    ...core,
    capabilitiesOf: drivers.capabilitiesOf,
    openAccounts: async (tx, walletId, kind) => {
      await openAccount(tx, { walletId, kind })
    },
    countDaySoFar,
  })
  const callbacks = createCallbacks({
    ...core,
    machineClock: systemClock,
    version: programVersion(),
    publicOnly: core.mode === 'production',
    endpointsOf: (walletId) => wallets.get(walletId),
    credentialsOf: (walletId) => wallets.callbackCredentials(walletId),
    faultInjection: drivers.faultInjection,
    processes: processes.live,
  })
  const methods = createMethodTable()
  const sentByBank = payoutRail({ database, rail: drivers.creditTransfer })
  const railOf: RailOf = ({ type, method }) =>
    type === 'WALLETFUNDS' ? sentByBank : methods.of(method)?.rail
  return {
    requestLog: createRequestLog({ ...core, days: config.requestLogDays }),
    idempotency: createIdempotency({ ...core, outcomeOf: requestOutcomes(core) }),
    processes,
    ledger,
    wallets,
    callbacks,
    methods,
    railOf,
    operations: createOperations({
      ...{ ...core, ledger, wallets, callbacks, railOf },
      extension: subscriptionSettlement({ ...core, wallets }),
      payerOf: ({ walletId, id }) => findPayer(database, walletId, id),
    }),
  }
}
