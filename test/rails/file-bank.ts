// The gateway's side of a bank by files: orders and folders.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { bankFiles } from '../../drivers/bank-files/index.ts'
import { addBankOrder, createBankAdmin } from '../../src/bank-files/index.ts'
import type { Connection, DriverTools } from '../../src/connections/index.ts'
import { cents } from '../../src/kernel/money.ts'
import { systemRandomness } from '../../src/kernel/random.ts'
import { instant } from '../../src/kernel/time.ts'
import { createLedger } from '../../src/ledger/index.ts'
import type { CreditorAccount, CreditTransfer, DirectDebit } from '../../src/rails/index.ts'
import { suspenseAccounts } from '../../src/suspense/index.ts'
import { type DatabaseKind, openTestDatabase } from '../database.ts'

export const settings = {
  name: 'Comporta Lda',
  iban: 'NL41MOCK0000000001',
  bic: 'MOCKNL2A',
  creditor_id: 'DE98ZZZ09999999999',
}

export interface FileBank {
  /** Writes each order before the call, as the gateway does. */
  readonly directDebit: DirectDebit
  readonly creditTransfer: CreditTransfer
  /** New files for the bank. */
  exported(): Promise<string[]>
  /** Imports a message; throws a refusal. */
  imported(text: string): Promise<{ entries: number; matched: number; unmatched: number; repeated: number }>
  /** Keys of orders with a notice. */
  readonly noticed: string[]
  close(): Promise<void>
}

/** On a Monday. `set`: additional settings. */
export async function openFileBank(kind: DatabaseKind, set: Record<string, string> = {}): Promise<FileBank> {
  const database = await openTestDatabase(kind)
  const folder = mkdtempSync(join(tmpdir(), 'comporta-file-bank-'))
  const clock = { now: () => instant(Date.parse('2026-11-23T09:00:00Z')) }
  const connection = { settings: { ...settings, ...set } } as unknown as Connection
  const rails = bankFiles.open(connection, { database, clock } as unknown as DriverTools)
  const { directDebit, creditTransfer, creditorAccount: creditor } = rails as Required<typeof rails>
  const noticed: string[] = []
  const notices = {
    bankOrder: async (key: string) => {
      noticed.push(key)
    },
    incomingTransfer: async () => {
      throw new Error('no transfer is expected')
    },
  }
  const { bankAdmin } = createBankAdmin({
    ...{ database, clock, random: systemRandomness, notices, folder: join(folder, 'out'), exportMinutes: 0 },
    ...{ creditor: creditor as CreditorAccount, settleAloneMax: cents(0) },
    suspenseAccounts: () => suspenseAccounts(createLedger({ database })),
    onError(error) {
      throw error
    },
  })
  let files = 0
  const shared = { walletId: 1000n, createdAt: clock.now(), remittance: 'Demo Shop' }
  return {
    directDebit: {
      ...directDebit,
      async collect(asked) {
        const { key: id, reference: operationId, debtor: party, amount, mandate, dueOn } = asked
        const partyAddress = party.address
        const order = { ...shared, id, operationId, party, partyAddress, amount, mandate, dueOn } as const
        await addBankOrder(database, { ...order, kind: 'collection', currency: 'EUR' })
        return directDebit.collect(asked)
      },
    },
    creditTransfer: {
      ...creditTransfer,
      async send(asked) {
        const { key: id, reference: operationId, beneficiary: party, amount } = asked
        const order = { ...shared, id, operationId, party, amount, dueOn: '2026-11-24' } as const
        await addBankOrder(database, { ...order, kind: 'transfer', currency: 'EUR' })
        return creditTransfer.send(asked)
      },
    },
    noticed,
    exported: async () => (await bankAdmin.writeFiles()).map(({ path }) => readFileSync(path, 'utf8')),
    async imported(text) {
      files += 1
      const path = join(folder, `${files}.xml`)
      writeFileSync(path, text)
      const answer = await bankAdmin.importFile(path)
      if (!answer.ok) throw new Error(answer.refusal)
      return answer.value
    },
    async close() {
      await database.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
