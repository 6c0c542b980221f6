// Multibanco with an entity of one's own, by files: references go out as AEPS, payments come in as MEPS.
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
    help: 'The five digits that the network has given you.',
    check: (text) => (/^\d{5}$/.test(text) ? undefined : 'must be 5 digits'),
  },
  {
    ...{ name: 'source', secret: false, required: true },
    help: 'The institution that sends your files, as your bank calls it.',
    check: institution,
  },
  {
    ...{ name: 'destination', secret: false, required: true },
    help: 'The institution that takes them.',
    check: institution,
  },
  {
    ...{ name: 'outbox', secret: false, required: true },
    help: 'Folder into which files of references are written.',
    check: folder,
  },
  {
    ...{ name: 'inbox', secret: false, required: true },
    help: 'Folder from which files of payments are taken.',
    check: folder,
  },
  {
    ...{ name: 'write_from', secret: false, required: false },
    help: 'Hour of the day in Portugal from which the file of the day is written, 0 to 23; 18 unless set.',
    check: (text) => (/^(1?\d|2[0-3])$/.test(text) ? undefined : 'must be an hour from 0 to 23'),
  },
]

/**
 * Written from the layouts that a public implementation reads and writes; never exchanged with the network. The network
 * has taken every payment that it reports.
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
        return { name, ok, detail: ok ? path : `${path} cannot be written and read` }
      }),
    ),
  exchange: exchangeFiles,
}

/** A folder that is not there is made with the first exchange, where its parent allows that. */
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

/** The network knows days: within its first and last one, the exact times are the gateway's to check. */
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
