// A PHP shop with the plugin, on stand-ins for WordPress.
import { execFileSync, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../free-port.ts'
import type { Json } from '../world.ts'

const root = join(import.meta.dirname, '../..')
/** Folder of the plugin's zip file. */
export const pluginFolder = join(root, 'deploy/woocommerce/comporta-for-woocommerce')
const startAttemptsMax = 200
/** Parallel requests of one shop. */
const workers = 8

/** Path of PHP 8 with cURL and SQLite. Undefined, with a warning, if there is no such PHP. */
export function findPhp(): string | undefined {
  const check =
    'exit(PHP_MAJOR_VERSION >= 8 && extension_loaded("curl") && extension_loaded("pdo_sqlite") ? 0 : 1);'
  try {
    execFileSync('php', ['-r', check], { stdio: 'ignore' })
    return 'php'
  } catch {
    process.stderr.write(
      '\nSKIPPED, and so NOT SHOWN: the WooCommerce plugin needs PHP 8 with cURL and SQLite\n\n',
    )
    return undefined
  }
}

export interface PhpShop {
  readonly origin: string
  /** Runs a method of acts.php. */
  act(name: string, asked?: object): Promise<Json>
  stop(): Promise<void>
}

/** Starts a shop without orders or settings. */
export async function startPhpShop(php: string): Promise<PhpShop> {
  const folder = mkdtempSync(join(tmpdir(), 'comporta-shop-'))
  const origin = `http://127.0.0.1:${await freePort()}`
  const child = spawn(
    php,
    ['-S', origin.slice('http://'.length), join(import.meta.dirname, 'shop/router.php')],
    {
      env: {
        PATH: process.env.PATH ?? '',
        SHOP_DIR: folder,
        PLUGIN_MAIN: join(pluginFolder, 'comporta-for-woocommerce.php'),
        PHP_CLI_SERVER_WORKERS: String(workers),
      },
      stdio: ['ignore', 'ignore', 'pipe'],
      // A process group, so that its workers end with it.
      detached: true,
    },
  )
  let errors = ''
  child.stderr?.on('data', (chunk: Buffer) => {
    errors += chunk.toString()
  })
  const kill = () => {
    if (child.pid !== undefined && child.exitCode === null && child.signalCode === null)
      process.kill(-child.pid, 'SIGKILL')
  }
  process.once('exit', kill)
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  await untilItAnswers(origin, () => errors)

  return {
    origin,
    async act(name, asked = {}) {
      const response = await fetch(`${origin}/act/${name}`, { method: 'POST', body: JSON.stringify(asked) })
      const text = await response.text()
      if (response.status === 200 && text.startsWith('{')) return JSON.parse(text)
      if (response.status === 200 && text.startsWith('[')) return JSON.parse(text)
      throw new Error(`${name} answered ${response.status}: ${text}\n${errors}`)
    },
    async stop() {
      kill()
      process.off('exit', kill)
      await exited
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function untilItAnswers(origin: string, errors: () => string): Promise<void> {
  for (let attempt = 0; attempt < startAttemptsMax; attempt++) {
    const answers = await fetch(origin).then(
      () => true,
      () => false,
    )
    if (answers) return
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  throw new Error(`PHP's server does not answer: ${errors()}`)
}
