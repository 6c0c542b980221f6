// What an operator does with the bank's files: has orders written, imports what the bank says, explains what nothing matches.
import { crashPoint } from '../kernel/crash-points.ts'
import type { Cents } from '../kernel/money.ts'
import type { Result } from '../kernel/result.ts'
import type { Module } from '../module.ts'
import type { Executor } from '../storage/index.ts'
import { bankFileChecks } from './audit.ts'
import { createSettlingByHand, type SettlingByHand } from './by-hand/settle.ts'
import { createExportTimer } from './export-times.ts'
import { type ImportDeps, type ImportSummary, importBankFile } from './incoming/import.ts'
import { importFileAt } from './incoming/import-file.ts'
import { createInbox } from './incoming/inbox.ts'
import type { BankReport } from './incoming/model.ts'
import {
  listHinted,
  listReports,
  listUnmatched,
  lockImports,
  resolveEntry,
  takeAsTransfer,
} from './incoming/store.ts'
import { createEntryWorker, type EntryWorkerDeps } from './incoming/worker.ts'
import { type ListedFile, listFiles, waitingOrders } from './store.ts'
import { type BankFilesDeps, readWrittenFile, type WrittenFile, writeBankFiles } from './write.ts'

/** What an operator does with the bank's files. */
export interface BankAdmin extends SettlingByHand {
  /** Writes what the bank is to do, and what a crash left unwritten. */
  writeFiles(): Promise<readonly WrittenFile[]>
  /** What the next files would carry, by kind: how many orders, and their sum in cents. */
  waiting(): ReturnType<typeof waitingOrders>
  /** A written file as it lies in the folder; undefined where there is none, or the bank has taken it. */
  readFile(name: string): Promise<string | undefined>
  /** Imports a file of the bank, and does what follows; a refusal says why nothing was changed. */
  importFile(path: string): Promise<Result<ImportSummary, string>>
  /** The same for a file that was sent, as text or as bytes; `name` is for people. */
  importContent(name: string, file: string | Uint8Array): Promise<Result<ImportSummary, string>>
  /** Files for the bank and of the bank, newest first. */
  files(limit: number): Promise<{
    readonly written: readonly ListedFile[]
    readonly imported: readonly BankReport[]
  }>
  /** Entries that nothing follows from, oldest first. */
  unmatched(limit: number): ReturnType<typeof listUnmatched>
  /** Orders that the bank has not answered, with what it said of them instead, oldest first. */
  hinted(limit: number): ReturnType<typeof listHinted>
  /** Notes what was done about one; false when it is not unmatched. */
  resolve(entryId: string, note: string): Promise<boolean>
  /** Makes an unmatched credit an incoming transfer; false when it is none. */
  takeAsTransfer(entryId: string): Promise<boolean>
}

export interface BankAdminDeps extends BankFilesDeps, EntryWorkerDeps, Pick<ImportDeps, 'suspenseAccounts'> {
  /** A folder whose files are imported by themselves. */
  readonly inbox?: string | undefined
  /** Every how many minutes orders are written by themselves; 0: never. */
  readonly exportMinutes: number
  /** The largest order that one person answers by hand alone, in cents; 0: none. */
  readonly settleAloneMax: Cents
}

/** The operator's desk, and the workers: what follows from imported files first, the folders where they are set. */
export function createBankAdmin(deps: BankAdminDeps): Module & { readonly bankAdmin: BankAdmin } {
  const { database, clock } = deps
  const worker = createEntryWorker(deps)
  async function andWhatFollows(importing: Promise<Result<ImportSummary, string>>) {
    const imported = await importing
    crashPoint('bank entries written, nothing follows')
    // The same import again goes on with what a process that died left undone.
    await worker.runDue()
    return imported
  }

  /** An import decides by what the operator has said of lines: it comes before or after. */
  const besideImports = (decide: (tx: Executor) => Promise<boolean>) =>
    database.transaction(async (tx) => {
      await lockImports(tx)
      return decide(tx)
    })
  const bankAdmin: BankAdmin = {
    ...createSettlingByHand({ ...deps, follow: () => worker.runDue() }),
    writeFiles: () => writeBankFiles(deps),
    waiting: () => waitingOrders(database),
    readFile: (name) => readWrittenFile(deps, name),
    importFile: (path) => andWhatFollows(importFileAt(deps, path)),
    importContent: (name, file) => andWhatFollows(importBankFile(deps, name, file)),
    async files(limit) {
      const [written, imported] = await Promise.all([
        listFiles(database, limit),
        listReports(database, limit),
      ])
      return { written, imported }
    },
    unmatched: (limit) => listUnmatched(database, limit),
    hinted: (limit) => listHinted(database, limit),
    async resolve(entryId, note) {
      const accounts = await deps.suspenseAccounts()
      return besideImports((tx) => resolveEntry(tx, entryId, note, accounts, clock.now()))
    },
    async takeAsTransfer(entryId) {
      const accounts = await deps.suspenseAccounts()
      const taken = await besideImports((tx) => takeAsTransfer(tx, entryId, accounts, clock.now()))
      await worker.runDue()
      return taken
    },
  }
  const { inbox: folder, exportMinutes, onError } = deps
  const importFile = (path: string, whenRead: () => Promise<void>) =>
    andWhatFollows(importFileAt(deps, path, whenRead))
  const inbox = folder === undefined ? [] : [createInbox({ folder, importFile, onError })]
  const timer = exportMinutes === 0 ? [] : [createExportTimer(exportMinutes, bankAdmin.writeFiles, onError)]
  return { bankAdmin, workers: { bank_entries: [worker, ...inbox, ...timer] }, checks: bankFileChecks }
}
