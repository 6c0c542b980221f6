// A production gateway process with commands, merchants and a provider.
import { spawn } from 'node:child_process'
import { appendFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text as textOf } from 'node:stream/consumers'
import { pino } from 'pino'
import { runCommand } from '../../src/cli/commands/commands.ts'
import { type Config, loadConfig } from '../../src/config.ts'
import { openGateway } from '../../src/main.ts'
import { createPostgresDatabase } from '../database.ts'
import { freePort } from '../free-port.ts'
import { type GatewayProcess, startGatewayProcess } from '../gateway-process.ts'
import { testDrivers } from './driver.ts'

const program = join(import.meta.dirname, 'comporta.ts')
const keyLine = `1 ${Buffer.alloc(32, 7).toString('base64')}\n`

export interface CommandAnswer {
  readonly code: number | null
  readonly out: string
  readonly err: string
  readonly json: Record<string, unknown>
}

export interface ProductionWorld {
  readonly local: string
  readonly databaseUrl: string
  file(text: string): string
  /** Adds a newer key to MASTER_KEY_FILE. */
  addMasterKey(): void
  command(args: readonly string[]): Promise<CommandAnswer>
  spawned(args: readonly string[], input?: string, crashAt?: string): Promise<CommandAnswer>
  cli(...args: string[]): Promise<Record<string, unknown>>
  start(): Promise<GatewayProcess>
  merchant(
    name: string,
    methods: string,
    more?: { readonly rights: string; readonly permissions: string },
  ): Promise<TestMerchant>
  printed(): string
  stop(): Promise<void>
}

export interface TestMerchant {
  readonly id: number
  readonly key: string
  call(path: string, body?: unknown): Promise<{ readonly status: number; readonly body: Answer }>
}

// biome-ignore lint/suspicious/noExplicitAny: what came over the wire is looked at field by field
type Answer = any

function unwrapped(config: ReturnType<typeof loadConfig>): Config {
  if (config.ok) return config.value
  throw new Error(config.refusal.join('; '))
}

export async function createProductionWorld(): Promise<ProductionWorld> {
  const folder = mkdtempSync(join(tmpdir(), 'comporta-connections-'))
  mkdirSync(join(folder, 'data'))
  const keyFile = join(folder, 'master.key')
  writeFileSync(keyFile, keyLine, { mode: 0o600 })
  const port = await freePort()
  const databaseUrl = await createPostgresDatabase()
  const environment = {
    PATH: process.env.PATH ?? '',
    MODE: 'production',
    DATABASE_URL: databaseUrl,
    DATA_DIR: join(folder, 'data'),
    BASE_URL: 'https://pay.example.com',
    MASTER_KEY_FILE: keyFile,
    PORT: String(port),
    RATE_LIMITS: 'off',
  }
  const gateways: GatewayProcess[] = []
  let printed = ''
  const write = (line: string) => {
    printed += line
  }
  const logger = pino({ level: 'debug' }, { write })
  let files = 0
  const local = `http://127.0.0.1:${port}`

  // Commands run in one process next to the gateway.
  let context: Awaited<ReturnType<typeof openGateway>> | undefined
  async function command(args: readonly string[]): Promise<CommandAnswer> {
    context ??= await openGateway(unwrapped(loadConfig(environment)), logger, {
      create: true,
      drivers: testDrivers,
    })
    const { json, text, exitCode: code } = await runCommand(context.commands, args)
    printed += `${JSON.stringify(json)}\n${text}\n`
    return { code, out: text, err: code === 0 ? '' : text, json: json as Record<string, unknown> }
  }

  async function spawned(args: readonly string[], input = '', crashAt?: string): Promise<CommandAnswer> {
    const child = spawn(process.execPath, ['--liftoff-only', program, ...args], {
      env: { ...environment, ...(crashAt !== undefined && { TEST_CRASH_AT: crashAt }) },
      stdio: 'pipe',
    })
    child.stdin.end(input)
    const exited = new Promise<number | null>((resolve) => child.once('exit', resolve))
    const [out, err, code] = await Promise.all([textOf(child.stdout), textOf(child.stderr), exited])
    printed += out + err
    return { code, out, err, json: out.startsWith('{') ? JSON.parse(out) : {} }
  }

  async function cli(...args: string[]): Promise<Record<string, unknown>> {
    const { code, json, err } = await command(args)
    if (code !== 0) throw new Error(`comporta ${args.join(' ')} answered ${code}: ${err}`)
    return json
  }

  return {
    ...{ local, databaseUrl, command, spawned, cli },
    file(text) {
      const path = join(folder, `secret-${files++}`)
      writeFileSync(path, text, { mode: 0o600 })
      return path
    },
    addMasterKey() {
      appendFileSync(keyFile, `2 ${Buffer.alloc(32, 8).toString('base64')}\n`)
    },
    async start() {
      const gateway = await startGatewayProcess({
        dataDir: environment.DATA_DIR,
        port,
        nodeArguments: ['--liftoff-only', program, 'serve'],
        environment: { ...environment, LOG_LEVEL: 'debug' },
      })
      gateways.push(gateway)
      return gateway
    },
    async merchant(
      name,
      methods,
      { rights, permissions } = { rights: 'partner,pci_dss', permissions: 'card' },
    ) {
      const { wallet_id: id } = await cli(
        ...['merchant', 'create', '--name', name, '--email', 'loja@example.com'],
        ...['--rights', rights, '--methods', methods],
      )
      const made = await cli(
        ...[
          'key',
          'create',
          String(id),
          '--permissions',
          `mb_pay,checkout,operations,refund,authorizations,mandates,${permissions}`,
        ],
      )
      const key = String(made.api_key)
      return {
        id: Number(id),
        key,
        async call(path, body) {
          const response = await fetch(local + path, {
            headers: { authorization: `Comporta ${key}`, 'content-type': 'application/json' },
            ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
          })
          return { status: response.status, body: await response.json() }
        },
      }
    },
    printed: () => printed + gateways.map((gateway) => gateway.output()).join('\n'),
    async stop() {
      for (const gateway of gateways) await gateway.kill()
      await context?.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
