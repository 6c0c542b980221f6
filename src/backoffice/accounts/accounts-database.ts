// The database as the account library (better-auth) sees it.
import { CamelCasePlugin, type Kysely, type KyselyPlugin } from 'kysely'
import type { Database } from '../../storage/index.ts'

/** Tables of the schema `backoffice`, in camel case, with moments as `Date`. */
// biome-ignore lint/suspicious/noExplicitAny: the library names its tables itself
export function accountsDatabase({ kysely }: Database): Kysely<any> {
  return kysely.withSchema('backoffice').withPlugin(new CamelCasePlugin()).withPlugin(momentsAsDates)
}

/** Names of moments, which our parsers read as milliseconds. */
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
