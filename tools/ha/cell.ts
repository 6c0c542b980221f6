// A highly available cell on one machine, from the files of deploy/ha.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Agent, request } from 'undici'
import { createMachine, type Machine } from './machine.ts'
import { type MachineName, machineNames, type Network } from './network.ts'
import type { Parts } from './parts.ts'
import { killIn } from './processes.ts'
import type { Environment } from './units.ts'

const root = join(import.meta.dirname, '..', '..')
const deploy = join(root, 'deploy', 'ha')
const readySecondsMax = 150
const readyPauseMs = 200
const databases = ['db1', 'db2', 'db3'] as const
const gateways = ['gateway1', 'gateway2'] as const
const etcds = ['gateway1', 'gateway2', 'witness'] as const

export type DatabaseName = (typeof databases)[number]
export type GatewayName = (typeof gateways)[number]

/** A database server of the cell, as Patroni reports it. */
export interface Member {
  readonly name: string
  readonly role: string
  readonly state: string
  readonly timeline?: number
}

export interface CellOptions {
  readonly parts: Parts
  readonly network: (folder: string) => Promise<Network>
  /** Called when the machines have their folders, before anything runs. */
  readonly prepare?: (folder: string) => void
  /** Further settings of both gateways. */
  readonly settings?: Environment
  readonly say?: (line: string) => void
}

export type Cell = Awaited<ReturnType<typeof startCell>>

/**
 * Starts six machines, and resolves when both gateways are ready. A second process ends everything if this process
 * ends. Throws with the last lines of the log if a part does not become ready.
 */
export async function startCell({
  parts,
  network: connect,
  prepare,
  settings = {},
  say = () => undefined,
}: CellOptions) {
  const folder = mkdtempSync(join(process.env.COMPORTA_HA_FOLDER ?? tmpdir(), 'comporta-ha-'))
  const guard = startGuard(folder)
  mkdirSync(join(folder, 'archive'))
  const network = await connect(folder)
  makeCertificates(folder, network)
  const machines = createMachines(folder, network, parts, settings.RATE_LIMITS !== 'off')
  const inside = insideClient(machines.gateway1)
  prepare?.(folder)
  const start = (name: MachineName): void => {
    machines[name].switchOn()
    if (isOneOf(etcds, name)) machines[name].startUnit('etcd')
    if (isOneOf(databases, name)) machines[name].startUnit('patroni')
    if (isOneOf(gateways, name)) machines[name].startUnit('haproxy')
  }
  const startGateway = (name: GatewayName) =>
    machines[name].startGateway(gatewayCommand(), {
      ...gatewayEnvironment(folder, machines, name),
      ...settings,
    })
  const members = async (): Promise<Member[]> => {
    for (const name of databases) {
      const answer = await inside('GET', `https://${network.addressOf(name)}:8008/cluster`)
      if (answer !== undefined) return (JSON.parse(answer) as { members: Member[] }).members
    }
    return []
  }
  const publicUrl = `https://${network.cellOf('gateway1').PUBLIC}`
  const isReady = async (name: GatewayName) =>
    (await inside('GET', `https://${network.addressOf(name)}:8443/readyz`)) !== undefined

  say('Starting etcd and HAProxy …')
  for (const name of etcds) start(name)
  await until(machines.witness, 'etcd.log', async () =>
    (await inside('GET', `https://${network.addressOf('witness')}:2379/health`))?.includes('true'),
  )
  say('Starting three members of PostgreSQL …')
  for (const name of databases) start(name)
  await until(machines.db1, 'patroni.log', async () => isWhole(await members()))
  say('Starting two gateways …')
  for (const name of gateways) {
    // The first gateway creates the tables, so the second one waits.
    startGateway(name)
    await until(machines[name], 'gateway.log', () => isReady(name))
  }

  return {
    folder,
    network,
    machines,
    start,
    startGateway,
    publicUrl,
    /** The certificate authority of the public certificate, in PEM. */
    authority: readFileSync(join(folder, 'certificates', 'ca.crt'), 'utf8'),
    /** Settings of a gateway, for commands of operators. */
    environmentOf: (name: GatewayName) => ({ ...gatewayEnvironment(folder, machines, name), ...settings }),
    members,
    isWhole: async () => isWhole(await members()),
    isReady,
    primary: async () =>
      (await members()).find(({ role }) => role === 'leader')?.name as DatabaseName | undefined,
    /** Switches over by Patroni. Resolves when another member is the primary. */
    async switchover(): Promise<void> {
      const leader = (await members()).find(({ role }) => role === 'leader')?.name as DatabaseName
      const answer = await inside('POST', `https://${network.addressOf(leader)}:8008/switchover`, { leader })
      if (answer === undefined) throw new Error(`Patroni refused the switchover of ${leader}`)
    },
    /** Kills everything on a machine with SIGKILL. Nothing starts there until `start`. */
    kill(name: MachineName): void {
      machines[name].switchOff()
      killIn(machines[name].folder)
    },
    /** Ends everything that was started, and removes the folder. */
    async stop(): Promise<void> {
      for (const name of machineNames) machines[name].switchOff()
      for (const name of gateways) await machines[name].endGateway()
      guard.ref()
      const ended = once(guard, 'exit')
      guard.stdin?.end()
      await ended
    },
  }
}

function isOneOf<Name extends string>(names: readonly Name[], name: string): name is Name {
  return (names as readonly string[]).includes(name)
}

/** Whether there is a primary, a synchronous standby, and a third member that follows. */
function isWhole(members: readonly Member[]): boolean {
  const of = (role: string, state: string) =>
    members.filter((member) => member.role === role && member.state === state).length
  return (
    of('leader', 'running') === 1 && of('sync_standby', 'streaming') === 1 && of('replica', 'streaming') === 1
  )
}

function startGuard(folder: string): ChildProcess {
  const guard = spawn(process.execPath, [join(import.meta.dirname, 'guard.ts'), folder], {
    detached: true,
    cwd: '/',
    stdio: ['pipe', 'ignore', 'inherit'],
  })
  guard.unref()
  return guard
}

function makeCertificates(folder: string, network: Network): void {
  const named = machineNames.map((name) => `${name}=${network.namesOf(name).join(',')}`)
  const authority = join(folder, 'certificates')
  execFileSync('sh', [join(deploy, 'certificates.sh'), authority, ...named], { stdio: 'pipe' })
  for (const name of machineNames) {
    const etc = join(folder, name, 'etc')
    mkdirSync(etc, { recursive: true, mode: 0o700 })
    for (const file of ['ca.crt', 'cell.crt', 'cell.key', 'cell.pem'])
      writeFileSync(join(etc, file), readFileSync(join(authority, name, file)), { mode: 0o600 })
  }
}

function createMachines(
  folder: string,
  network: Network,
  parts: Parts,
  isLimited: boolean,
): Record<MachineName, Machine> {
  const secret = () => randomBytes(24).toString('hex')
  const values = {
    KEY_REQUESTS: isLimited ? '1000' : '1000000',
    ADDRESS_REQUESTS: isLimited ? '2000' : '1000000',
    PATRONI_SUPERUSER_USERNAME: 'postgres',
    PATRONI_SUPERUSER_PASSWORD: secret(),
    PATRONI_REPLICATION_USERNAME: 'replicator',
    PATRONI_REPLICATION_PASSWORD: secret(),
    PATRONI_REWIND_USERNAME: 'rewind',
    PATRONI_REWIND_PASSWORD: secret(),
    DATABASE_PASSWORD: secret(),
  }
  writeFileSync(join(folder, 'master.key'), `1 ${randomBytes(32).toString('base64')}\n`, { mode: 0o600 })
  const made = machineNames.map((name) => [
    name,
    createMachine({ name, cell: folder, network, parts, values }),
  ])
  return Object.fromEntries(made) as Record<MachineName, Machine>
}

/** Sends requests with a certificate of the cell. Returns the text of an answer with status 200, else undefined. */
function insideClient(machine: Machine) {
  const read = (file: string) => readFileSync(join(machine.etc, file), 'utf8')
  const dispatcher = new Agent({
    connect: { ca: read('ca.crt'), cert: read('cell.crt'), key: read('cell.key'), timeout: 2_000 },
  })
  return async (method: 'GET' | 'POST', url: string, body?: object): Promise<string | undefined> => {
    try {
      const sent = body === undefined ? {} : { body: JSON.stringify(body) }
      const answer = await request(url, { dispatcher, method, ...sent })
      const text = await answer.body.text()
      return answer.statusCode === 200 ? text : undefined
    } catch {
      return undefined
    }
  }
}

function gatewayCommand(): string[] {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    scripts: { start: string }
  }
  const [, ...args] = scripts.start.split(' ')
  return [process.execPath, ...args.map((arg) => (arg.startsWith('bin/') ? join(root, arg) : arg))]
}

function gatewayEnvironment(
  folder: string,
  machines: Readonly<Record<MachineName, Machine>>,
  name: GatewayName,
): Environment {
  const { etc, environment } = machines[name]
  const { GATEWAY = '', DATABASE, PUBLIC, DATABASE_PASSWORD } = environment
  const [HOST = '', PORT = ''] = GATEWAY.split(':')
  const files = { sslrootcert: 'ca.crt', sslcert: 'cell.crt', sslkey: 'cell.key' }
  const tls = Object.entries(files).map(([setting, file]) => `&${setting}=${join(etc, file)}`)
  return {
    HOST,
    PORT,
    MODE: 'sandbox',
    LOG_LEVEL: 'warn',
    BASE_URL: `https://${PUBLIC}`,
    TRUST_PROXY: 'loopback',
    DATA_DIR: join(folder, name, 'gateway'),
    MASTER_KEY_FILE: join(folder, 'master.key'),
    DATABASE_URL: `postgres://comporta:${DATABASE_PASSWORD}@${DATABASE}/comporta?sslmode=verify-full${tls.join('')}`,
    NODE_EXTRA_CA_CERTS: join(etc, 'ca.crt'),
  }
}

/** @param look answers true when `machine` is ready */
async function until(machine: Machine, log: string, look: () => Promise<boolean | undefined>): Promise<void> {
  for (const end = performance.now() + readySecondsMax * 1000; performance.now() < end; ) {
    if ((await look()) === true) return
    await new Promise((resolve) => setTimeout(resolve, readyPauseMs))
  }
  const lines = machine.logOf(log).trimEnd().split('\n').slice(-20)
  throw new Error(
    `${machine.name} was not ready within ${readySecondsMax} s; the end of ${log}:\n${lines.join('\n')}`,
  )
}
