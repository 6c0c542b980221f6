// The operator's actions on bank files.
import { crashPoint } from '../kernel/crash-points.ts'
import type { Cents } from '../kernel/money.ts'
import type { Result } from '../kernel/result.ts'
import { minute } from '../kernel/time.ts'
import type { Module } from '../module.ts'
import type { Executor, Worker } from '../storage/index.ts'
import { bankFileChecks } from './audit.ts'
import { createSettlingByHand } from './by-hand/settle.ts'
import { type ImportDeps, type ImportSummary, importBankFile, importFileAt } from './incoming/import.ts'
import { createInbox } from './incoming/inbox.ts'
import {
  listHinted,
  listReports,
  listUnmatched,
  lockImports,
  resolveEntry,
  takeAsTransfer,
} from './incoming/store.ts'
import { createEntryWorker, type EntryWorkerDeps } from './incoming/worker.ts'
import { listFiles, waitingOrders } from './store.ts'
import { type BankFilesDeps, readWrittenFile, writeBankFiles } from './write.ts'

export interface BankAdminDeps extends BankFilesDeps, EntryWorkerDeps, Pick<ImportDeps, 'suspenseAccounts'> {
  readonly inbox?: string | undefined
  /** Minutes between automatic exports; 0: no automatic export. */
  readonly exportMinutes: number
  /** Largest order that one person may settle alone; 0: none. */
  readonly settleAloneMax: Cents
}

export type BankAdmin = ReturnType<typeof createBankAdmin>['bankAdmin']

export function createBankAdmin(deps: BankAdminDeps) {
  const { database, clock } = deps
  const worker = createEntryWorker(deps)
  async function importAndApply(importing: Promise<Result<ImportSummary, string>>) {
    const imported = await importing
    crashPoint('bank entries written, nothing follows')
    // If a process died after an import, the same import again completes its work.
    await worker.runDue()
    return imported
  }

  /** Imports read the operator's decisions, so both use the same lock. */
  const lockedAgainstImports = (decide: (tx: Executor) => Promise<boolean>) =>
    database.transaction(async (tx) => {
      await lockImports(tx)
      return decide(tx)
    })
  const bankAdmin = {
    ...createSettlingByHand({ ...deps, follow: () => worker.runDue() }),
    writeFiles: () => writeBankFiles(deps),
    waiting: () => waitingOrders(database),
    readFile: (name: string) => readWrittenFile(deps, name),
    importFile: (path: string) => importAndApply(importFileAt(deps, path)),
    importContent: (name: string, file: string | Uint8Array) =>
      importAndApply(importBankFile(deps, name, file)),
    async files(limit: number) {
      const [written, imported] = await Promise.all([
        listFiles(database, limit),
        listReports(database, limit),
      ])
      return { written, imported }
    },
    unmatched: (limit: number) => listUnmatched(database, limit),
    /** Unanswered orders with a hint from the bank, oldest first. */
    hinted: (limit: number) => listHinted(database, limit),
    /** Closes an unmatched entry with a note. Returns false if it is not unmatched. */
    async resolve(entryId: string, note: string) {
      const accounts = await deps.suspenseAccounts()
      return lockedAgainstImports((tx) => resolveEntry(tx, accounts, clock.now(), entryId, note))
    },
    /** Turns an unmatched credit into an incoming transfer. Returns false if it is not one. */
    async takeAsTransfer(entryId: string) {
      const accounts = await deps.suspenseAccounts()
      const taken = await lockedAgainstImports((tx) => takeAsTransfer(tx, accounts, clock.now(), entryId))
      await worker.runDue()
      return taken
    },
  }
  const { inbox: folder, exportMinutes, onError } = deps
  const importFile = (path: string, whenRead: () => Promise<void>) =>
    importAndApply(importFileAt(deps, path, whenRead))
  const inbox = folder === undefined ? [] : [createInbox({ folder, importFile, onError })]
  const timer = exportMinutes === 0 ? [] : [createExportTimer(exportMinutes, bankAdmin.writeFiles, onError)]
  const workers = { bank_entries: [worker, ...inbox, ...timer] }
  return { bankAdmin, workers, checks: bankFileChecks } satisfies Module & { bankAdmin: unknown }
}

/** The scheduled export of orders. It uses real time, because banks have business hours. */
export function createExportTimer(
  minutes: number,
  write: () => Promise<unknown>,
  onError: (error: unknown) => void,
): Worker {
  let timer: NodeJS.Timeout | undefined
  let round: Promise<unknown> = Promise.resolve()
  return {
    async start() {
      timer = setInterval(() => {
        round = round.then(write).catch(onError)
      }, minutes * minute)
    },
    async stop() {
      clearInterval(timer)
      await round
    },
    runDue: async () => 0,
  }
}
