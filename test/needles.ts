// Searches for secrets in texts, files and database rows.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { unpackRequests } from '../src/request-log/blocks.ts'
import { requestBlocks } from '../src/request-log/table.ts'
import type { Database, StoredRowOf } from '../src/storage/index.ts'

export interface Needle {
  readonly name: string
  readonly spellings: readonly Buffer[]
}

/**
 * Finds a secret as it is, in hexadecimal digits (as PostgreSQL prints bytes), and inside base64.
 * @param alsoAs other ways to write it
 */
export function needle(name: string, secret: string, alsoAs: readonly string[] = []): Needle {
  const spellings = [secret, ...alsoAs].flatMap((text) => [
    text,
    Buffer.from(text).toString('hex'),
    ...insideBase64(text),
  ])
  return { name, spellings: spellings.map((text) => Buffer.from(text)) }
}

export function cardNeedle(number: string): Needle {
  const groups = number.match(/.{1,4}/g) ?? []
  return needle(
    `card number ${number}`,
    number,
    [' ', '-', '+', '%20'].map((gap) => groups.join(gap)),
  )
}

/** A text has three forms in base64, by its offset. The edges depend on the text around it. */
function insideBase64(text: string): string[] {
  return [0, 1, 2].map((shift) => {
    const encoded = Buffer.from('\0'.repeat(shift) + text).toString('base64url')
    return encoded.slice(shift === 0 ? 0 : shift + 1, Math.floor(((shift + text.length) * 8) / 6))
  })
}

export function found(needles: readonly Needle[], place: string, hay: string | Buffer): string[] {
  const bytes = typeof hay === 'string' ? Buffer.from(hay) : hay
  return needles
    .filter(({ spellings }) => spellings.some((spelling) => bytes.includes(spelling)))
    .map(({ name }) => `${name} in ${place}`)
}

export function* filesUnder(folder: string): Generator<readonly [path: string, content: Buffer]> {
  for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true })) {
    const path = join(entry.parentPath, entry.name)
    if (entry.isFile()) yield [path, readFileSync(path)]
  }
}

/** Every row of every table, as text and as values. Tables outside `public` have their schema in the name. */
export async function rowsOf(
  database: Database,
): Promise<readonly { readonly table: string; readonly text: string; readonly values: readonly string[] }[]> {
  const tables = await database.run<{ name: string }>({
    text: `
      select case when schemaname = 'public' then '' else quote_ident(schemaname) || '.' end || quote_ident(tablename) as name
      from pg_tables where schemaname not in ('pg_catalog', 'information_schema')`,
  })
  const rows = []
  for (const { name } of tables) {
    const inTable = await database.run<{ text: string; json: unknown }>({
      text: `select row::text as text, to_jsonb(row) as json from ${name} as row`,
    })
    if (name === 'request_log_blocks') rows.push(...(await loggedRows(database)))
    rows.push(...inTable.map(({ text, json }) => ({ table: name, text, values: valuesIn(json) })))
  }
  return rows
}

/** Unpacks the blocks of requests, as rows of a table `request_log`. */
async function loggedRows(database: Database) {
  const blocks = await database.run<StoredRowOf<typeof requestBlocks>>({
    text: `select ${requestBlocks.list()} from request_log_blocks`,
  })
  return blocks.flatMap((block) =>
    unpackRequests(requestBlocks.read(block)).map(({ walletId: _, ...request }) => ({
      table: 'request_log',
      text: JSON.stringify(request),
      values: valuesIn(request),
    })),
  )
}

export function valuesIn(json: unknown): string[] {
  if (typeof json === 'string' && /^[[{]/.test(json)) {
    try {
      return valuesIn(JSON.parse(json))
    } catch {
      return [json]
    }
  }
  if (typeof json !== 'object' || json === null) return [String(json)]
  return Object.values(json).flatMap(valuesIn)
}
