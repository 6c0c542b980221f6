// The database as the library of accounts sees it: its tables in a schema of their own, its names, its dates.
import { CamelCasePlugin, type Kysely, type KyselyPlugin } from 'kysely'
import type { Database } from '../../storage/index.ts'

/** Tables of the schema `backoffice`, in camel case, with moments as `Date`. */
// biome-ignore lint/suspicious/noExplicitAny: the library names its tables itself
export function accountsDatabase({ kysely }: Database): Kysely<any> {
  return kysely.withSchema('backoffice').withPlugin(new CamelCasePlugin()).withPlugin(momentsAsDates)
}

/** Columns that hold a moment are named so; our own parsers read them as milliseconds. */
const isMoment = /(?:At|Until)$/

const momentsAsDates: KyselyPlugin = {
  transformQuery: ({ node }) => node,
  transformResult: async ({ result }) => ({
    ...result,
    rows: result.rows.map((row) =>
      Object.fromEntries(
        Object.entries(row).map(([name, value]) => [
          name,
          isMoment.test(name) && typeof value === 'number' ? new Date(value) : value,
        ]),
      ),
    ),
  }),
}
