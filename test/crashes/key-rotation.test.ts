// Rotation of master keys during charges, with crashes.
import { randomUUID } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startCommand } from '../cli/command.ts'
import { databaseKinds } from '../database.ts'
import { type Subscribers, subscribersOf } from '../subscribers.ts'
import { type Json, startWorld, type World } from '../world.ts'
import { kills } from './kills.ts'

describe.each(databaseKinds)('on %s', (kind) => {
  let world: World
  let subscribers: Subscribers

  beforeAll(async () => {
    world = await startWorld(kind, kind === 'postgres' ? { WORKERS: '2', CRASH_AT: '' } : {})
    subscribers = subscribersOf(world)
  })
  afterAll(async () => {
    expect((await world.cli('audit')).json).toMatchObject({ ok: true, problems: [] })
    await world.stop()
  })

  function chargeMeanwhile(id: string) {
    let stopped = false
    const charges: Json[] = []
    const chargers = Array.from({ length: 2 }, async () => {
      while (!stopped) {
        const request = { request_id: randomUUID() }
        charges.push(
          await world.eventually(async () => {
            const answer = await subscribers.charge(id, 1, request).catch(() => undefined)
            if (answer === undefined || answer.body.code === 10014) return undefined
            expect(answer).toMatchObject({ status: 200 })
            return answer.body
          }, 60),
        )
      }
    })
    return async () => {
      stopped = true
      await Promise.all(chargers)
      return charges
    }
  }

  async function dieRotating([point, count]: (typeof kills.rotations)[number]): Promise<void> {
    if (kind === 'postgres') {
      const environment = { DATA_DIR: world.dataDir, DATABASE_URL: world.databaseUrl ?? '' }
      const rotating = startCommand(['vault', 'rotate'], { ...environment, CRASH_AT: `${point}:${count}` })
      expect(await rotating.ended).toBe(null)
      expect(rotating.said()).toContain(point)
    } else {
      await world.armCrash(point, count)
      const rotating = world.cli('vault', 'rotate').catch(() => undefined)
      await world.crashed()
      await rotating
      await world.restart()
    }
  }

  async function versionsInUse(): Promise<number[]> {
    const { json } = await world.cli('vault', 'status')
    const holdsAny = ({ secrets }: Json) => Object.values(secrets).some((count) => count !== 0)
    return json.versions.filter(holdsAny).map(({ version }: Json) => version)
  }

  it.each(kills.rotations)(
    'killed at "%s" (%i) during charges, continues in the next one, and no charge fails',
    async (point, count) => {
      const { id } = await subscribers.accepted({ amount: 90_000 })
      const endCharging = chargeMeanwhile(id)
      expect(await world.cli('vault', 'rotate')).toMatchObject({ code: 0, json: { added: true, left: {} } })
      await dieRotating([point, count] as (typeof kills.rotations)[number])
      const { code, json } = await world.cli('vault', 'rotate')
      expect({ code, left: json.left }).toEqual({ code: 0, left: {} })
      const charges = await endCharging()
      expect(await versionsInUse()).toEqual([json.version])
      expect(charges.length).toBeGreaterThan(3)
      await world.eventually(async () => {
        const all = await Promise.all(charges.map((charge) => subscribers.chargeOf(id, charge.id)))
        expect(all.filter(({ status }) => status === 'FAIL')).toEqual([])
        if (all.every(({ status }) => status === 'SUCCESS')) return true
        await world.advance('PT2M')
        return undefined
      })
    },
  )

  it('the old keys can be removed, and their cards are still charged', async () => {
    const { id } = await subscribers.accepted({ amount: 100 })
    const { json } = await world.cli('vault', 'rotate')
    const file = join(world.dataDir, 'master.key')
    const lines = readFileSync(file, 'utf8').split('\n')
    expect(lines.length).toBeGreaterThan(3)
    const kept = lines.filter((line) => line.startsWith('1 ') || line.startsWith(`${json.version} `))
    writeFileSync(file, `${kept.join('\n')}\n`)
    await world.kill()
    await world.restart()
    const { body } = await subscribers.charge(id, 1)
    expect(await subscribers.processed(id, body.id)).toMatchObject({ status: 'SUCCESS' })
    expect(await versionsInUse()).toEqual([json.version])
  })
})
