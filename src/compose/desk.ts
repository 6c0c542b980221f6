// Wires the backoffice and the operator's commands.
import { createAudits } from '../audits/index.ts'
import { createBackoffice } from '../backoffice/index.ts'
import { takeBackup } from '../backups/index.ts'
import { createBankAdmin } from '../bank-files/index.ts'
import { readCell, setCell } from '../cells/index.ts'
import { createChain } from '../chain/index.ts'
import type { CommandContext } from '../cli/context.ts'
import { embeddedDatabaseIn } from '../config.ts'
import { connectionSecrets } from '../connections/index.ts'
import { programVersion } from '../kernel/project-root.ts'
import { systemClock } from '../kernel/time.ts'
import { totalsByKind } from '../ledger/index.ts'
import type { Mail } from '../mail/index.ts'
import { topUpReference } from '../methods/bank-transfer/index.ts'
import type { Core, Module } from '../module.ts'
import type { Notices } from '../rails/index.ts'
import { createReconciliation } from '../reconciliation/index.ts'
import type { Runtime } from '../runtime.ts'
import { createBacklogs } from '../storage/backlogs.ts'
import { bytesPerMebibyte, createKeyRotation, migrate } from '../storage/index.ts'
import { suspenseAccounts } from '../suspense/index.ts'
import type { Books } from './books.ts'
import type { RailDrivers } from './rails.ts'
import type { Selling } from './selling.ts'

export function composeTools(
  core: Core,
  { config }: Runtime,
  drivers: RailDrivers,
  notices: Notices,
  books: Books,
) {
  return {
    bank: createBankAdmin({
      ...{ ...core, notices },
      suspenseAccounts: () => suspenseAccounts(books.ledger),
      creditor: drivers.creditorAccount,
      folder: config.bankOutbox,
      inbox: config.bankInbox,
      exportMinutes: config.bankExportMinutes,
      settleAloneMax: config.bankSettleAloneMax,
    }),
    reconciliation: createReconciliation({ ...core, sources: () => drivers.statements?.() ?? [] }),
    chain: createChain(core),
  }
}

export function composeDesk(
  core: Core,
  runtime: Runtime,
  modules: readonly Module[],
  parts: Books &
    Selling & { readonly mail: Mail } & ReturnType<typeof composeTools> & {
      readonly rails: RailDrivers['administration']
    },
  manifestPath: string,
) {
  const { wallets, operations, callbacks, requestLog, cards, suspense, payouts, transfers } = parts
  const { reconciliation, bank, chain } = parts
  const machine = { ...core, clock: systemClock }
  const backlogs = createBacklogs(core)
  const audits = createAudits({ ...machine, checks: modules.flatMap(({ checks }) => checks ?? []) })
  const vault = createKeyRotation({
    ...{ ...core, keyring: runtime.keyring },
    columns: [...modules.flatMap(({ secrets }) => secrets ?? []), ...connectionSecrets],
  })
  const backoffice = createBackoffice({
    ...{ ...machine, gatewayClock: core.clock, manifestPath, signInRules: runtime.config },
    ...{ wallets, operations, callbacks, requestLog, cards, mail: parts.mail },
    operator: {
      backlogs,
      lastFailover: parts.processes.lastFailover,
      ...{ audits, callbacks, suspense, reconciliation, vault, payouts, transfers, rails: parts.rails },
      bank: bank.bankAdmin,
      bankReferenceOf: topUpReference,
    },
  })
  const commands: Omit<CommandContext, 'demo' | 'clock' | 'rails'> = {
    ...{ wallets, callbacks, chain, vault, payouts, transfers, suspense, reconciliation },
    people: backoffice.people,
    log: backoffice.log,
    audit: audits.report,
    totals: () => totalsByKind(core.database),
    backlogs,
    migrate: () => migrate(core.database),
    cell: { read: () => readCell(core.database), set: (number) => setCell(core.database, number) },
    ...(core.database.kind === 'pglite' && { backup: takeBackupOf(runtime) }),
    bank: bank.bankAdmin,
  }
  return { audits, backoffice, commands, vault: { start: vault.listen } }
}

function takeBackupOf({ config, database, keyring }: Runtime): NonNullable<CommandContext['backup']> {
  return (file, stop) =>
    takeBackup(
      {
        database,
        folder: embeddedDatabaseIn(config.dataDir),
        keys: keyring.keys,
        version: programVersion(),
        clock: systemClock,
        freeBytesMin: config.diskFreeMinMb * bytesPerMebibyte,
      },
      file,
      stop,
    )
}
