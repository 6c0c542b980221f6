// Gateway process for fuzzing, with routes and memory seen from inside.
import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { freePort } from '../../free-port.ts'
import { startGatewayProcess } from '../../gateway-process.ts'
import type { Schema } from './schema-values.ts'

const run = promisify(execFile)
const root = join(import.meta.dirname, '..', '..', '..')

export interface Route {
  readonly method: string
  readonly url: string
  readonly isOpen: boolean
  readonly page: boolean
  readonly waits: boolean
  readonly params?: Schema
  readonly querystring?: Schema
  readonly headers?: Schema
  readonly body?: Schema
  readonly example?: Schema
}

export interface Memory {
  readonly heapUsed: number
  readonly rss: number
  readonly polluted: readonly string[]
}

export interface FuzzedGateway {
  readonly baseUrl: string
  readonly port: number
  readonly dataDir: string
  // biome-ignore lint/suspicious/noExplicitAny: demo.json
  readonly demo: any
  readonly routes: readonly Route[]
  output(): string
  memory(): Promise<Memory>
  command(...args: readonly string[]): Promise<string>
  stop(): Promise<void>
}

export async function startFuzzedGateway(): Promise<FuzzedGateway> {
  const dataDir = mkdtempSync(join(tmpdir(), 'comporta-fuzz-'))
  const port = await freePort()
  const watch = join(import.meta.dirname, 'watch.ts')
  const gateway = await startGatewayProcess({
    dataDir,
    port,
    environment: { RATE_LIMITS: 'off', FUZZ_FOLDER: dataDir },
    nodeArguments: ['--liftoff-only', '--expose-gc', '--import', watch, 'bin/comporta.js', 'serve'],
  })
  const lines = (name: string) => {
    try {
      return readFileSync(join(dataDir, name), 'utf8')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line))
    } catch {
      return []
    }
  }
  const examples = await examplesOf(gateway.baseUrl)
  const declared: Route[] = lines('routes.jsonl')
  return {
    baseUrl: gateway.baseUrl,
    port,
    dataDir,
    demo: JSON.parse(readFileSync(join(dataDir, 'demo.json'), 'utf8')),
    routes: declared.map((route) => ({ ...route, example: examples.get(exampleKey(route)) })),
    output: gateway.output,
    async memory() {
      const before = lines('memory.jsonl').length
      process.kill(gateway.pid, 'SIGUSR2')
      for (let waits = 0; waits < 200; waits++) {
        const seen = lines('memory.jsonl')
        if (seen.length > before) return seen.at(-1)
        await pause(50)
      }
      throw new Error('the gateway does not report its memory')
    },
    async command(...args) {
      const options = { cwd: root, env: { PATH: process.env.PATH ?? '', DATA_DIR: dataDir } }
      return run(process.execPath, ['bin/comporta.js', ...args], options).then(
        () => '',
        (error: { stdout: string; stderr: string }) => error.stdout + error.stderr,
      )
    },
    async stop() {
      await gateway.stop()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

async function examplesOf(baseUrl: string): Promise<ReadonlyMap<string, Schema>> {
  const { paths } = (await (await fetch(`${baseUrl}/openapi.json`)).json()) as Schema
  const all = Object.entries<Schema>(paths).flatMap(([path, methods]) =>
    Object.entries<Schema>(methods).map(([method, { requestBody }]): [string, Schema] => [
      `${method} ${path.replace(/\{\w+\}/g, ':')}`,
      requestBody?.content['application/json']?.example,
    ]),
  )
  return new Map(all)
}

function exampleKey({ method, url }: Pick<Route, 'method' | 'url'>): string {
  const path = url.replace('/backoffice/api/wallets/:wallet', '/api/v2').replace(/:\w+/g, ':')
  return `${method.toLowerCase()} ${path}`
}
