// The addresses of a cell on one machine: loopback addresses, or a network namespace for each machine.
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import type { Environment } from './units.ts'

export const machineNames = ['db1', 'db2', 'db3', 'gateway1', 'gateway2', 'witness'] as const
export type MachineName = (typeof machineNames)[number]

const lastNumber: Readonly<Record<MachineName | 'public', number>> = {
  db1: 11,
  db2: 12,
  db3: 13,
  gateway1: 21,
  gateway2: 22,
  witness: 31,
  public: 10,
}
const publicPort = 8443
const databasePort = 6432
const gatewayPort = 8080

export interface Network {
  cellOf(name: MachineName): Environment
  addressOf(name: MachineName): string
  /** All addresses by which others reach a machine. Its certificate contains them. */
  namesOf(name: MachineName): string[]
  /** The command in the form in which it runs on that machine. */
  on(name: MachineName, command: readonly string[]): string[]
  /** Disconnects the network of a machine. Undefined without namespaces. */
  readonly cut?: (name: MachineName, isCut: boolean) => void
}

/** Uses the first network 127.0.N.0 with free ports. */
export async function loopback(): Promise<Network> {
  for (let third = 41; third < 255; third++) {
    const at = (last: number) => `127.0.${third}.${last}`
    if (await isFree(at(lastNumber.witness), 2379)) return loopbackAt(at)
  }
  throw new Error('no network 127.0.41.0 to 127.0.254.0 is free: end other cells')
}

function loopbackAt(at: (last: number) => string): Network {
  const addressOf = (name: MachineName) => at(lastNumber[name])
  return {
    addressOf,
    cellOf: (name) => ({
      ...addressesIn(addressOf),
      PUBLIC: `${at(lastNumber.public)}:${publicPort}`,
      // All machines share 127.0.0.1, so the database port is on the machine's own address.
      DATABASE: `${addressOf(name)}:${databasePort}`,
      GATEWAY: `${addressOf(name)}:${gatewayPort}`,
    }),
    namesOf: (name) =>
      name.startsWith('db')
        ? [addressOf(name), addressOf('gateway1'), addressOf('gateway2')]
        : [addressOf(name), at(lastNumber.public)],
    on: (_, command) => [...command],
  }
}

/**
 * Makes a namespace for each machine, joined by a bridge in the namespace of this process. Start the process with
 * `unshare --net`, so that this is not the system's own namespace. The addresses are reserved for documentation, so
 * they lead nowhere.
 * @param folder working folder of the processes that hold the namespaces
 */
export async function namespaces(folder: string): Promise<Network> {
  const at = (last: number) => `192.0.2.${last}`
  const addressOf = (name: MachineName) => at(lastNumber[name])
  ip('link set lo up')
  ip('link add cell type bridge')
  ip(`address add ${at(1)}/24 dev cell`)
  ip('link set cell up')
  const holders = new Map<MachineName, number>()
  const inside = (name: MachineName) => ['nsenter', `--net=/proc/${holders.get(name)}/ns/net`]
  for (const name of machineNames) {
    const holder = spawn('unshare', ['--net', 'sh', '-c', 'echo; exec sleep infinity'], {
      cwd: folder,
      detached: true,
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    await once(holder.stdout, 'data')
    holder.unref()
    holders.set(name, holder.pid ?? 0)
    ip(`link add ${name} type veth peer name eth0 netns ${holder.pid}`)
    ip(`link set ${name} master cell up`)
    const own = [
      'ip link set lo up',
      'ip link set eth0 up',
      `ip address add ${addressOf(name)}/24 dev eth0`,
      ...(name === 'gateway1' ? [`ip address add ${at(lastNumber.public)}/24 dev eth0`] : []),
      // HAProxy of the second machine listens on the public address before that machine has it.
      'echo 1 > /proc/sys/net/ipv4/ip_nonlocal_bind',
    ]
    const [program = '', ...args] = inside(name)
    execFileSync(program, [...args, 'sh', '-ec', own.join('\n')])
  }
  return {
    addressOf,
    cellOf: () => ({
      ...addressesIn(addressOf),
      PUBLIC: `${at(lastNumber.public)}:${publicPort}`,
      DATABASE: '127.0.0.1:5432',
      GATEWAY: `127.0.0.1:${gatewayPort}`,
    }),
    namesOf: (name) => [addressOf(name), at(lastNumber.public)],
    on: (name, command) => [...inside(name), ...command],
    cut: (name, isCut) => ip(`link set ${name} ${isCut ? 'down' : 'up'}`),
  }
}

function addressesIn(addressOf: (name: MachineName) => string): Record<string, string> {
  return Object.fromEntries(machineNames.map((name) => [name.toUpperCase(), addressOf(name)]))
}

function ip(args: string): void {
  execFileSync('ip', args.split(' '))
}

async function isFree(address: string, port: number): Promise<boolean> {
  const server = createServer()
  const free = await new Promise<boolean>((resolve) =>
    server
      .once('error', () => resolve(false))
      .once('listening', () => resolve(true))
      .listen(port, address),
  )
  server.close()
  return free
}
