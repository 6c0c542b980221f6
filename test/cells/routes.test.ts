// Two cells behind HAProxy: each request finds its cell, and no cell shows anything of another.
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { setCell } from '../../src/cells/index.ts'
import { routesOf } from '../../src/cells/rules.ts'
import { projectRoot } from '../../src/kernel/project-root.ts'
import { cellOfId } from '../../src/kernel/random.ts'
import { openPostgres } from '../../src/storage/index.ts'
import { installParts, MissingParts, type Parts } from '../../tools/ha/parts.ts'
import { openPage } from '../browserless.ts'
import { createPostgresDatabase } from '../database.ts'
import { freePort } from '../free-port.ts'
import { openWorld } from '../gateway-here.ts'
import { cards, type Json, type Merchant, type World } from '../world.ts'

function partsIfThere(): Parts | undefined {
  try {
    return installParts(() => undefined)
  } catch (error) {
    if (!(error instanceof MissingParts)) throw error
    process.stderr.write(`\nSKIPPED, and so NOT SHOWN: HAProxy in front of two cells: ${error.message}\n\n`)
    return undefined
  }
}

const parts = partsIfThere()

// An identifier that no rule finds would come to the other cell.
describe.skipIf(parts === undefined).each([0, 1])('through HAProxy, with cell %i for the rest', (rest) => {
  let router: ChildProcess
  let address: string
  const worlds: World[] = []

  beforeAll(async () => {
    const [port, ...ports] = [await freePort(), await freePort(), await freePort()]
    address = `http://127.0.0.1:${port}`
    router = await startRouter(port, ports, rest)
    for (const number of [0, 1]) {
      const databaseUrl = await createPostgresDatabase()
      const database = openPostgres({ url: databaseUrl })
      expect(await setCell(database, number)).toMatchObject({ ok: true })
      await database.close()
      worlds.push(await openWorld({ databaseUrl }, { BASE_URL: address, PORT: String(ports[number]) }))
    }
  })
  afterAll(async () => {
    router?.kill('SIGKILL')
    for (const world of worlds) await world.stop()
  })

  const ask = (path: string, { api_key }: Pick<Merchant, 'api_key'>, body?: unknown) =>
    fetch(`${address}${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { authorization: `Comporta ${api_key}`, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    }).then(async (answer) => ({ status: answer.status, body: (await answer.json()) as Json }))
  const checkout = {
    ...{ payment: { amount: 10, currency: 'EUR' } },
    ...{ url_confirm: 'https://shop.example/ok', url_cancel: 'https://shop.example/no' },
  }

  it('a key, a page and a link lead to their cell, and ids of the other are unknown', async () => {
    const paid: string[] = []
    for (const [number, world] of worlds.entries()) {
      const { shop } = world
      const made = await ask('/api/v2/checkout', shop, checkout)
      expect(made.status).toBe(200)
      expect(made.body.url_redirect).toContain(address)
      expect(cellOfId(made.body.id)).toBe(number)
      await world.payOnPage(made.body, cards.frictionless)
      const [operation] = (await ask('/api/v2/operations', shop)).body.elements
      expect(operation).toMatchObject({ status: 'COMPLETED' })
      paid.push(operation.id)
      const link = await ask('/api/v2/payment_links', shop, { amount: 5, description: `Rent ${number}` })
      expect((await openPage(link.body.url)).text).toContain(`Rent ${number}`)
    }
    for (const [number, { shop }] of worlds.entries()) {
      const [own = '', other = ''] = number === 0 ? paid : paid.toReversed()
      expect((await ask(`/api/v2/operations/${own}`, shop)).status).toBe(200)
      const forged = own.slice(0, 20) + other.slice(20, 23) + own.slice(23)
      for (const id of [other, forged]) expect((await ask(`/api/v2/operations/${id}`, shop)).status).toBe(404)
    }
  })

  it('a key with a forged cell is unknown', async () => {
    const [{ shop } = { shop: { api_key: '' } }] = worlds
    for (const cell of ['01', 'zz']) {
      const api_key = shop.api_key.replace(/^cmp_test_00/, `cmp_test_${cell}`)
      expect((await ask('/api/v2/operations', { api_key })).status).toBe(401)
    }
  })
})

async function startRouter(port: number, cells: readonly number[], rest: number): Promise<ChildProcess> {
  const folder = join(inject('scratch'), `router-${port}`)
  mkdirSync(folder)
  writeFileSync(join(folder, 'cells.map'), routesOf([0, 1]))
  writeFileSync(join(folder, 'exceptions.map'), '')
  const configuration = readFileSync(join(projectRoot, 'deploy/ha/cells.cfg'), 'utf8')
  // As many as a test's limit of open files allows.
  writeFileSync(
    join(folder, 'haproxy.cfg'),
    configuration
      .replace('maxconn 20000', 'maxconn 500')
      .replace('default_backend cell_0', `default_backend cell_${rest}`),
  )
  const [first, second] = cells.map((each) => `127.0.0.1:${each}`)
  const router = spawn(parts?.haproxy ?? '', ['-db', '-f', join(folder, 'haproxy.cfg')], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: {
      ...{ CELLS: `127.0.0.1:${port}`, MAPS: folder, CELL_0: first, CELL_1: second },
      ...{ LD_LIBRARY_PATH: parts?.libraries },
    },
  })
  // No cell is there yet.
  while ((await fetch(`http://127.0.0.1:${port}/healthz`).catch(() => undefined))?.status !== 503)
    await new Promise((resolve) => setTimeout(resolve, 50))
  return router
}
