// Long lists: in whichever way a page is found, all pages together are the whole list.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { listRows } from '../../bench/list-rows.ts'
import { instant } from '../../src/kernel/time.ts'
import { type CardCursor, type ListedCard, listCards } from '../../src/methods/cards/index.ts'
import { listMandates } from '../../src/methods/mbway/mandates/list.ts'
import { listReferences } from '../../src/methods/multibanco/index.ts'
import { type Database, statement } from '../../src/storage/index.ts'
import { databaseKinds, openTestDatabase } from '../database.ts'

const wallet = 81n
const size = 5200
const now = instant(Date.UTC(2026, 0, 1))
const month = '2026-01'

describe.each(databaseKinds)('long lists on %s', (kind) => {
  let database: Database

  beforeAll(async () => {
    database = await openTestDatabase(kind)
    for (const rows of ['references', 'cards', 'mandates'])
      await database.run(statement(listRows[rows] as string), [wallet, size])
  })
  afterAll(() => database.close())

  async function referencesThatBegin(ref: string | undefined): Promise<string[]> {
    const found: string[] = []
    for (let before: string | undefined, isOver = false; !isOver; ) {
      const page = await listReferences(database, wallet, { ref }, { before, limit: 1500 }, now)
      found.push(...page.references.map((one) => one.ref))
      before = page.next
      isOver = before === undefined
    }
    return found
  }

  it('finds references by the first digits of many, and of few', async () => {
    const all = Array.from({ length: size }, (_, index) => String(size - index).padStart(9, '0'))
    expect(await referencesThatBegin(undefined)).toEqual(all)
    expect(await referencesThatBegin('0000')).toEqual(all)
    expect(await referencesThatBegin('0000051')).toEqual(all.filter((ref) => ref.startsWith('0000051')))
    expect(await referencesThatBegin('000000777')).toEqual(['000000777'])
    expect(await referencesThatBegin('00000077x')).toEqual([])
  })

  async function cardsWith(last4: string | undefined): Promise<ListedCard[]> {
    const found: ListedCard[] = []
    for (let before: CardCursor | undefined, isOver = false; !isOver; before = found.at(-1)) {
      const page = await listCards(
        database,
        wallet,
        { last4, withDeleted: false },
        { before, limit: 1000 },
        now,
      )
      found.push(...page)
      isOver = page.length < 1000
    }
    return found
  }

  it('lists cards newest first, all or those of some last digits', async () => {
    const all = await cardsWith(undefined)
    expect(new Set(all.map(({ token }) => token)).size).toBe(size)
    expect(all.map(({ createdAt }) => createdAt)).toEqual(
      all.map((one) => one.createdAt).sort((a, b) => b - a),
    )
    expect(await cardsWith('0777')).toEqual(all.filter(({ last4 }) => last4 === '0777'))
  })

  it('finds pages by number from the nearer end, also the last one and later ones', async () => {
    const ids = await database.run(
      statement<{ id: string }>('select id from mandates where wallet_id = $1 order by id desc'),
      [wallet],
    )
    for (const [limit, pages] of [
      [100, [0, 9, 10, 25, 26, 27, 51, 52, 53]],
      [70, [15, 36, 37, 38, 73, 74, 75]],
    ] as const) {
      for (const offset of pages) {
        const { total, mandates } = await listMandates(database, wallet, {}, { offset, limit }, month)
        expect(total).toBe(size)
        expect(mandates.map(({ id }) => id)).toEqual(
          ids.slice(offset * limit, (offset + 1) * limit).map(({ id }) => id),
        )
      }
    }
  })
})
