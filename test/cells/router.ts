// HAProxy in front of two cells, with deploy/ha/cells.cfg.
import { spawn } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { inject } from 'vitest'
import { routesOf } from '../../src/cells/rules.ts'
import { projectRoot } from '../../src/kernel/project-root.ts'
import { installParts, MissingParts, type Parts } from '../../tools/ha/parts.ts'

/** Undefined if HAProxy cannot be installed here. */
export function partsIfThere(): Parts | undefined {
  try {
    return installParts(() => undefined)
  } catch (error) {
    if (!(error instanceof MissingParts)) throw error
    process.stderr.write(`\nSKIPPED, and so NOT SHOWN: HAProxy in front of two cells: ${error.message}\n\n`)
    return undefined
  }
}

export interface Router {
  readonly address: string
  stop(): void
}

/**
 * @param cells the ports of cells 0 and 1
 * @param rest the cell of requests that name nobody
 * @param rules lines before the choice of the cell
 */
export async function startRouter(
  parts: Parts,
  port: number,
  cells: readonly number[],
  rest: number,
  rules = '',
): Promise<Router> {
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
      .replace('    use_backend', `${rules}    use_backend`)
      .replace('default_backend cell_0', `default_backend cell_${rest}`),
  )
  const [first, second] = cells.map((each) => `127.0.0.1:${each}`)
  const router = spawn(parts.haproxy, ['-db', '-f', join(folder, 'haproxy.cfg')], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: {
      ...{ CELLS: `127.0.0.1:${port}`, MAPS: folder, CELL_0: first, CELL_1: second },
      ...{ LD_LIBRARY_PATH: parts.libraries },
    },
  })
  const stop = () => void router.kill('SIGKILL')
  process.once('exit', stop)
  router.once('exit', () => process.off('exit', stop))
  const address = `http://127.0.0.1:${port}`
  // Without cells it answers 503.
  while ((await fetch(`${address}/healthz`).catch(() => undefined)) === undefined) {
    if (router.exitCode !== null) throw new Error(`HAProxy ended with ${router.exitCode}`)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  return { address, stop }
}
