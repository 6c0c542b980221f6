// Killed while it writes files for the bank: each order is in exactly one file all the same.
import { existsSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { CrashPoint } from '../../src/kernel/crash-points.ts'
import { moneyOf } from '../money.ts'
import { startWorld, type World } from '../world.ts'
import { kills } from './kills.ts'

let world: World

beforeAll(async () => {
  world = await startWorld()
})
afterAll(async () => {
  expect((await world.cli('audit')).json).toMatchObject({ ok: true, problems: [] })
  await world.stop()
})

it.each(kills.bankFiles)('dies at "%s" (%i)', async (point: CrashPoint, count) => {
  const money = moneyOf(world)
  const checkout = await world.createCheckout()
  await money.payByDebit(checkout)
  const mark = `<EndToEndId>${checkout.payment.id.replaceAll('-', '')}</EndToEndId>`
  await world.armCrash(point, count)
  const writing = world.cli('bank', 'files').catch(() => undefined)
  await world.crashed()
  await writing
  expect(occurrences([mark])).toEqual([point === 'bank file named, not marked' ? 1 : 0])
  await world.restart()
  expect(await world.cli('bank', 'files')).toMatchObject({ code: 0 })
  expect(occurrences([mark])).toEqual([1])
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
  const texts = (existsSync(folder) ? readdirSync(folder) : [])
    .filter((name) => name.endsWith('.xml'))
    .map((name) => readFileSync(join(folder, name), 'utf8'))
  return marks.map((mark) => texts.reduce((sum, text) => sum + text.split(mark).length - 1, 0))
}
