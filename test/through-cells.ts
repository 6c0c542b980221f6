// A gateway as cell 0 behind HAProxy, with an empty cell 1 for requests that name nobody.
import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { inject } from 'vitest'
import { setCell } from '../src/cells/index.ts'
import { openPostgres } from '../src/storage/index.ts'
import { partsIfThere, startRouter } from './cells/router.ts'
import { createPostgresDatabase } from './database.ts'
import { freePort } from './free-port.ts'
import type { GatewayOptions, GatewayProcess } from './gateway-process.ts'

type Start = (options: GatewayOptions) => Promise<GatewayProcess>

/**
 * A sandbox has one bank and one phone for all its merchants. The backoffice of a cell has a host of its own, and
 * monitoring asks each gateway directly.
 */
const rules = '    use_backend cell_0 if { path_beg /sandbox /backoffice /metrics }\n'

export function throughCells(start: Start): Start {
  return async (options) => {
    // HAProxy listens on 127.0.0.1.
    if (options.environment?.HOST !== undefined) return start(options)
    const parts = partsIfThere()
    if (parts === undefined) throw new Error('THROUGH_CELLS needs HAProxy')
    const [inner, second] = [await freePort(), await freePort()]
    const router = await startRouter(parts, options.port, [inner, second], 1, rules)
    const environment = { BASE_URL: router.address, ...options.environment, CELLS: '0,1' }
    const dataDir = mkdtempSync(join(inject('scratch'), 'comporta-empty-'))
    const databaseUrl = await createPostgresDatabase()
    const database = openPostgres({ url: databaseUrl })
    await setCell(database, 1)
    await database.close()
    const empty = await start({ ...options, dataDir, databaseUrl, port: second, environment })
    const gateway = await start({ ...options, port: inner, environment })
    const end = async () => {
      router.stop()
      await empty.stop()
      rmSync(dataDir, { recursive: true, force: true })
    }
    return {
      ...gateway,
      async stop() {
        const code = await gateway.stop()
        await end()
        return code
      },
      async kill() {
        await gateway.kill()
        await end()
      },
    }
  }
}
