// The cell of deploy/ha on this machine: it pays through a switchover, and leaves nothing behind. Only `npm run prove` runs it,
// because under load Patroni loses its lease.
import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it, type TestContext } from 'vitest'
import { startCell } from '../../tools/ha/cell.ts'
import { loopback } from '../../tools/ha/network.ts'
import { installParts, MissingParts, type Parts } from '../../tools/ha/parts.ts'
import { processesIn } from '../../tools/ha/processes.ts'
import { judgesTimes } from '../patience.ts'
import { openShop } from '../verification/soak/cell/shop.ts'

const root = join(import.meta.dirname, '../..')
const temporary = mkdtempSync(join(tmpdir(), 'comporta-ha-test-'))
let starter: ChildProcess | undefined
afterAll(() => {
  starter?.kill('SIGKILL')
  rmSync(temporary, { recursive: true, force: true })
})

function partsOr(skip: TestContext['skip']): Parts {
  try {
    return installParts(() => undefined)
  } catch (error) {
    if (!(error instanceof MissingParts)) throw error
    process.stderr.write(`\nSKIPPED, and so NOT SHOWN: the cell of deploy/ha: ${error.message}\n\n`)
    return skip(error.message)
  }
}

it.runIf(judgesTimes)('pays through a switchover: each payment once, with its callback', async ({ skip }) => {
  const cell = await startCell({
    parts: partsOr(skip),
    network: loopback,
    settings: { RATE_LIMITS: 'off', LOG_LEVEL: 'error' },
  })
  try {
    const shop = await openShop(cell, '127.0.0.1')
    await expect.poll(() => shop.answeredSince(0)).toBe(true)
    const former = await cell.primary()
    await cell.switchover()
    await expect.poll(async () => [undefined, former].includes(await cell.primary())).toBe(false)
    const since = shop.now()
    await expect.poll(() => shop.answeredSince(since)).toBe(true)
    await expect.poll(cell.isWhole).toBe(true)
    await shop.end()
    await expect.poll(shop.withoutCallback).toEqual([])
    expect(await shop.verdict()).toEqual([])
    await shop.close()
  } finally {
    await cell.stop()
  }
  expect(processesIn(cell.folder)).toEqual([])
  expect(existsSync(cell.folder)).toBe(false)
})

it.runIf(judgesTimes)('ends everything also if its starter is killed', async ({ skip }) => {
  partsOr(skip)
  starter = spawn(process.execPath, ['tools/ha/index.ts'], {
    cwd: root,
    // The parts are in the usual folder, so only the cell's own folder may be elsewhere.
    env: { ...process.env, COMPORTA_HA_FOLDER: temporary },
    stdio: 'ignore',
  })
  const folders = () => readdirSync(temporary).map((name) => join(temporary, name))
  // The cell uses etcd and HAProxy of three machines.
  await expect.poll(() => folders().flatMap(processesIn).length).toBeGreaterThan(4)
  const [folder = ''] = folders()
  starter.kill('SIGKILL')
  await expect.poll(() => existsSync(folder)).toBe(false)
  expect(processesIn(folder)).toEqual([])
})
