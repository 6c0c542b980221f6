// Multibanco by files, with the gateway's own entity: it writes files of references (AEPS) and reads files of payments (MEPS).
import { access, constants } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { CheckResult, Connection, Driver, SettingSpec } from '../../src/connections/index.ts'
import { lisbonDayOf } from '../../src/kernel/lisbon.ts'
import type { OwnReferences, PublishedReference } from '../../src/rails/index.ts'
import type { Database } from '../../src/storage/index.ts'
import { asReported, exchangeFiles } from './exchange.ts'
import { addReferences, openPaymentsOf, withdrawReferences } from './store.ts'

const neverEnds = '9999-12-31'

const settings: readonly SettingSpec[] = [
  {
    ...{ name: 'entity', secret: false, required: true },
    help: 'The five digits of your entity.',
    check: (text) => (/^\d{5}$/.test(text) ? undefined : 'must be 5 digits'),
  },
  {
    ...{ name: 'source', secret: false, required: true },
    help: 'Code of the institution that sends your files (8 digits, from your bank).',
    check: institution,
  },
  {
    ...{ name: 'destination', secret: false, required: true },
    help: 'Code of the institution that receives them (8 digits).',
    check: institution,
  },
  {
    ...{ name: 'outbox', secret: false, required: true },
    help: 'Folder for the files of references that the gateway writes.',
    check: folder,
  },
  {
    ...{ name: 'inbox', secret: false, required: true },
    help: 'Folder with the files of payments that the gateway reads.',
    check: folder,
  },
  {
    ...{ name: 'write_from', secret: false, required: false },
    help: 'Hour in Portugal, 0 to 23, after which the daily file is written. Default: 18.',
    check: (text) => (/^(1?\d|2[0-3])$/.test(text) ? undefined : 'must be an hour from 0 to 23'),
  },
]

/**
 * This driver follows the file layouts of a public implementation. It has never exchanged files with the real
 * network. A payment that a file reports is final.
 */
export const multibancoFiles: Driver = {
  name: 'multibanco-files',
  rails: ['referenceNetwork'],
  gatewayOnly: true,
  proven: false,
  settings,
  open(connection, { database }) {
    return { referenceNetwork: networkOf(connection, database) }
  },
  check: async ({ settings: set }) =>
    Promise.all(
      (['outbox', 'inbox'] as const).map(async (name): Promise<CheckResult> => {
        const path = set[name] ?? ''
        const ok = await isUsable(path)
        return { name, ok, detail: ok ? path : `${path} must be readable and writable` }
      }),
    ),
  exchange: exchangeFiles,
}

/** A missing folder is usable if its parent is writable: the first exchange creates it. */
async function isUsable(folder: string): Promise<boolean> {
  try {
    await access(folder, constants.R_OK | constants.W_OK)
    return true
  } catch (error) {
    const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT' && folder !== dirname(folder)
    return isMissing && isUsable(dirname(folder))
  }
}

function networkOf({ id, settings: set }: Connection, database: Database): OwnReferences {
  const entity = set.entity ?? ''
  const refsOf = (names: readonly { readonly entity: string; readonly ref: string }[]) =>
    names.filter((name) => name.entity === entity).map(({ ref }) => ref)
  return {
    numbering: 'ours',
    entity,
    publish: (references) =>
      addReferences(
        database,
        references
          .filter((reference) => reference.entity === entity)
          .map((reference) => ({ connectionId: id, ...limitsOf(reference) })),
      ),
    withdraw: (names) => withdrawReferences(database, id, refsOf(names)),
    async unanswered(names) {
      const payments = await openPaymentsOf(database, id, refsOf(names))
      return payments.map((payment) => asReported(payment, entity))
    },
  }
}

/** The network stores only days, so the gateway checks the exact times. */
function limitsOf({ ref, amountMin, amountMax, starts, expires, limitsFrom }: PublishedReference) {
  return {
    ...{ ref, amountMin, amountMax },
    firstDay: lisbonDayOf(starts ?? limitsFrom),
    lastDay: expires === undefined ? neverEnds : lisbonDayOf(expires),
  }
}

function institution(text: string): string | undefined {
  return /^\d{8}$/.test(text) ? undefined : 'must be 8 digits'
}

function folder(text: string): string | undefined {
  return text.startsWith('/') ? undefined : 'must be an absolute path'
}
