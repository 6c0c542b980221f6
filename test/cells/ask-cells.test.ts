// One command over all cells; a cell that does not answer is named.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { setCell } from '../../src/cells/index.ts'
import { openPostgres } from '../../src/storage/index.ts'
import { runHere } from '../command-here.ts'
import { createPostgresDatabase } from '../database.ts'
import { openWorld } from '../gateway-here.ts'
import { programFile } from '../program.ts'
import { cards, type World } from '../world.ts'

const worlds: World[] = []
const lines: string[] = []

beforeAll(async () => {
  for (const number of [0, 1]) {
    const databaseUrl = await createPostgresDatabase()
    const database = openPostgres({ url: databaseUrl })
    expect(await setCell(database, number)).toMatchObject({ ok: true })
    await database.close()
    const world = await openWorld({ databaseUrl })
    worlds.push(world)
    lines.push(`${number} ${commandOf(world)}`)
    await world.payOnPage(await world.createCheckout(), cards.frictionless)
  }
})
afterAll(async () => {
  for (const world of worlds) await world.stop()
})

/** As an operator runs it: with the environment of the cell only. */
function commandOf({ dataDir, databaseUrl }: World): string {
  return `env -i DATA_DIR='${dataDir}' DATABASE_URL='${databaseUrl}' LOG_LEVEL=warn '${process.execPath}' '${programFile()}'`
}

async function ask(question: string, list: readonly string[], ...more: string[]) {
  const file = join(inject('scratch'), 'cells.txt')
  writeFileSync(file, list.join('\n'))
  return runHere(['cells', question, ...more], { COMPORTA_CELLS: file })
}

it('adds up the answers of all cells', async () => {
  const asked = await ask('balance', ['# all of them', '', ...lines], '--json')
  const balance = JSON.parse(asked.text)
  expect(asked.code).toBe(0)
  expect(balance).toMatchObject({ is_complete: true, cells: [{ cell: 0 }, { cell: 1 }] })
  const own = JSON.parse((await worlds[0]?.cli('balance'))?.text ?? '').accounts
  const cc = own.find(({ kind }: { kind: string }) => kind === 'clearing:CC')
  expect(cc.balance).toBe('-10.00')
  // Both worlds made the same payment.
  expect(balance.totals).toEqual(
    own.map(({ kind, accounts, balance: amount }: { kind: string; accounts: number; balance: string }) => ({
      ...{ kind, accounts: String(2 * accounts), balance: (2 * Number(amount)).toFixed(2) },
    })),
  )
  const cents = balance.totals.map(({ balance: amount }: { balance: string }) =>
    BigInt(amount.replace('.', '')),
  )
  expect(cents.reduce((sum: bigint, one: bigint) => sum + one, 0n)).toBe(0n)

  const merchants = await ask('merchants', lines)
  for (const { shop } of worlds) expect(merchants.text).toContain(`${shop.wallet_id}`)
  const audit = await ask('audit', lines)
  expect([audit.code, audit.text]).toEqual([0, expect.stringMatching(/^all +\d+ +0$/m)])
  const queues = await ask('queues', lines)
  expect([queues.code, queues.text]).toEqual([0, expect.stringMatching(/^all +callbacks +0 +0$/m)])
  expect((await ask('reconcile', lines)).code).toBe(0)
})

it('names a cell that does not answer, and one that answers as another', async () => {
  const [first = '', second = ''] = lines
  for (const [line, error] of [
    [second.replace(/DATABASE_URL='[^']*'/, "DATABASE_URL='postgres://127.0.0.1:1/x'"), 'cannot be used'],
    ['1 false', 'its command ended with 1'],
    ['1 /nowhere/comporta', '/nowhere/comporta'],
    [`1 ${first.slice(2)}`, 'its command answers as cell 0'],
  ] as const) {
    const said = await ask('merchants', [first, line])
    expect(said.code).toBe(1)
    expect(said.text).toMatch(new RegExp(`Cell 1 is missing: .*${error}`))
    expect(said.text).toContain(`${worlds[0]?.shop.wallet_id}`)
    const json = JSON.parse((await ask('balance', [first, line], '--json')).text)
    expect(json).toMatchObject({
      is_complete: false,
      cells: [{ cell: 0 }, { cell: 1, error: expect.stringContaining(error) }],
    })
  }
})

it.each([
  ['', 'must have a line for each cell'],
  ['x false', 'line 1'],
  ['0', 'line 1'],
  ['0 false\n0 true', 'has cell 0 twice'],
])('refuses the list %j', async (list, reason) => {
  const file = join(inject('scratch'), 'cells.txt')
  writeFileSync(file, list)
  const said = await runHere(['cells', 'audit', '--file', file, '--json'], {})
  expect([said.code, JSON.parse(said.text).error.reason]).toEqual([2, expect.stringContaining(reason)])
})
