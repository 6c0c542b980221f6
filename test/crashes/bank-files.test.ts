// Killed while it writes files for the bank: each order is in exactly one file all the same.
import { readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { moneyOf } from '../money.ts'
import { startWorld, type World } from '../world.ts'

let world: World

beforeAll(async () => {
  world = await startWorld()
})
afterAll(async () => {
  expect((await world.cli('audit')).json).toMatchObject({ ok: true, problems: [] })
  await world.stop()
})

it('whatever moment it dies at', async () => {
  const money = moneyOf(world)
  const marks: string[] = []
  for (let round = 0; round < 6; round++) {
    const checkout = await world.createCheckout()
    await money.payByDebit(checkout)
    marks.push(`<EndToEndId>${checkout.payment.id.replaceAll('-', '')}</EndToEndId>`)
    const writing = world.cli('bank', 'files').catch(() => undefined)
    // Spread over what it does: before it is asked, while it gathers, writes and says so.
    await new Promise((resolve) => setTimeout(resolve, 300 + 40 * round))
    await world.kill()
    await writing
    await world.restart()
  }
  await world.cli('bank', 'files')
  expect(occurrences(marks)).toEqual(marks.map(() => 1))
})

it('a file that was gathered and never written is written under its name by the next run', async () => {
  const money = moneyOf(world)
  const checkout = await world.createCheckout()
  await money.payByDebit(checkout)
  // A folder that cannot be made is where a full disk would stop it: after gathering, before the file.
  const folder = join(world.dataDir, 'bank')
  renameSync(folder, `${folder}-away`)
  writeFileSync(folder, '')
  expect((await world.cli('bank', 'files').catch(() => ({ code: 1 }))).code).toBe(1)
  renameSync(folder, `${folder}-file`)
  renameSync(`${folder}-away`, folder)
  expect((await world.cli('bank', 'files')).json.files).toHaveLength(1)
  expect(occurrences([checkout.payment.id.replaceAll('-', '')])).toEqual([1])
})

function occurrences(marks: readonly string[]): number[] {
  const folder = join(world.dataDir, 'bank')
  const texts = readdirSync(folder)
    .filter((name) => name.endsWith('.xml'))
    .map((name) => readFileSync(join(folder, name), 'utf8'))
  return marks.map((mark) => texts.reduce((sum, text) => sum + text.split(mark).length - 1, 0))
}
