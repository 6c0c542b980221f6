// One machine of a cell: its folder, its files from deploy/ha, and its processes.
import { type ChildProcess, spawn } from 'node:child_process'
import { chmodSync, closeSync, mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { MachineName, Network } from './network.ts'
import type { Parts } from './parts.ts'
import { signal } from './processes.ts'
import { commandOf, type Environment, namesIn } from './units.ts'

const root = join(import.meta.dirname, '..', '..')
const deploy = join(root, 'deploy', 'ha')
/**
 * PostgreSQL refuses to run as root. In this namespace root is an ordinary user that can still read the Python
 * packages of root.
 */
const unprivileged = ['unshare', '--user', '--map-user=1000', '--map-group=1000']
const restartMs = 1_000
const stopSecondsMax = 60
const stopPauseMs = 50

export type Unit = 'etcd' | 'patroni' | 'haproxy'

export interface MachineOptions {
  readonly name: MachineName
  /** The folder of the cell, which contains the folder of this machine. */
  readonly cell: string
  readonly network: Network
  readonly parts: Parts
  /** Values for deploy/ha/database.env, and the limits of cell.env. */
  readonly values: Environment
}

export type Machine = ReturnType<typeof createMachine>

/** Writes the files of deploy/ha with the paths of `cell`, where the certificates are. Starts nothing. */
export function createMachine({ name, cell, network, parts, values }: MachineOptions) {
  const folder = join(cell, name)
  const etc = join(folder, 'etc')
  const address = network.addressOf(name)
  const environment = environmentOf({ ...network.cellOf(name), NAME: name, ADDRESS: address, ...values })
  const moved = (text: string) =>
    text
      .replaceAll('/etc/comporta-ha', etc)
      .replaceAll('/run/comporta-ha', join(folder, 'run'))
      .replaceAll('/var/lib/postgresql/comporta', join(folder, 'data', 'pg'))
      .replaceAll('/var/lib/etcd', join(folder, 'data'))
      .replaceAll('/usr/lib/postgresql/18/bin', parts.postgres)
      .replaceAll('/opt/patroni/bin/patronictl', `${parts.patroni}ctl`)
      .replaceAll('/opt/patroni/bin/patroni', parts.patroni)
      .replaceAll('/usr/bin/etcd', parts.etcd)
      .replaceAll('/usr/sbin/haproxy', parts.haproxy)
      .replaceAll(/\/archive\b/g, join(cell, 'archive'))

  for (const part of ['etc', 'run', 'data', 'log'])
    mkdirSync(join(folder, part), { recursive: true, mode: 0o700 })
  writeFiles(name, etc, moved)
  writeFileSync(
    join(etc, 'cell.env'),
    Object.entries(network.cellOf(name))
      .map((pair) => `${pair.join('=')}\n`)
      .join(''),
  )

  const running = new Map<string, ChildProcess>()
  let isOn = true

  /**
   * Starts a process again one second after its end, while the machine is on. systemd does this with
   * `Restart=always`.
   */
  function keepRunning(
    log: string,
    command: readonly string[],
    env: Environment,
    user: 'own' | 'other',
  ): void {
    const isRoot = process.getuid?.() === 0
    const [program = '', ...args] = network.on(
      name,
      isRoot && user === 'other' ? [...unprivileged, ...command] : command,
    )
    const output = openSync(join(folder, 'log', log), 'a')
    const child = spawn(program, args, {
      cwd: folder,
      // In a process group of its own, so that Ctrl-C in a terminal reaches only the starter.
      detached: true,
      env: { PATH: `${parts.postgres}:${process.env.PATH}`, LC_ALL: 'C', HOME: folder, ...env },
      stdio: ['ignore', output, output],
    })
    closeSync(output)
    child.unref()
    running.set(log, child)
    child.once('exit', () =>
      setTimeout(() => {
        if (isOn && running.get(log) === child) keepRunning(log, command, env, user)
      }, restartMs).unref(),
    )
  }

  return {
    name,
    folder,
    address,
    etc,
    environment,
    startUnit(unit: Unit): void {
      const command = commandOf(moved(readFileSync(join(deploy, `${unit}.service`), 'utf8')), environment)
      // Otherwise PostgreSQL would load an older libpq of the system.
      const libraries = unit === 'patroni' ? join(parts.postgres, '..', 'lib') : parts.libraries
      keepRunning(`${unit}.log`, command, { ...environment, LD_LIBRARY_PATH: libraries }, 'other')
    },
    startGateway(command: readonly string[], settings: Environment): void {
      keepRunning('gateway.log', command, settings, 'own')
    },
    logOf(log: string): string {
      try {
        return readFileSync(join(folder, 'log', log), 'utf8')
      } catch {
        return ''
      }
    },
    switchOff(): void {
      isOn = false
    },
    switchOn(): void {
      isOn = true
    },
    /** Sends SIGTERM to the gateway, which does not start again. Resolves to false if it had to be killed. */
    async endGateway(): Promise<boolean> {
      const gateway = running.get('gateway.log')
      running.delete('gateway.log')
      if (gateway?.pid === undefined) return true
      signal(gateway.pid, 'SIGTERM')
      for (const end = performance.now() + stopSecondsMax * 1000; performance.now() < end; ) {
        if (gateway.exitCode !== null || gateway.signalCode !== null) return true
        await new Promise((resolve) => setTimeout(resolve, stopPauseMs))
      }
      signal(gateway.pid, 'SIGKILL')
      return false
    },
    /** The id of a process, by the name of its log, such as `etcd.log`. */
    processOf: (log: string) => running.get(log)?.pid,
  }
}

/** Checks that the files of deploy/ha name the same variables. */
function environmentOf(values: Environment): Environment {
  const named = ['cell.env', 'machine.env', 'database.env'].flatMap((file) =>
    namesIn(readFileSync(join(deploy, file), 'utf8')),
  )
  const different = [
    ...named.filter((name) => values[name] === undefined),
    ...Object.keys(values).filter((name) => !named.includes(name)),
  ]
  if (different.length > 0)
    throw new Error(`deploy/ha/*.env and npm run ha differ in ${different.join(', ')}`)
  return values
}

function writeFiles(name: MachineName, etc: string, moved: (text: string) => string): void {
  const write = (file: string, text: string) => writeFileSync(join(etc, file), moved(text), { mode: 0o600 })
  const textOf = (file: string) => readFileSync(join(deploy, file), 'utf8')
  if (name.startsWith('db')) {
    // The watchdog would restart the machine on which all this runs.
    write('patroni.yaml', replaced(textOf('patroni.yaml'), 'mode: automatic', 'mode: "off"'))
    write('postgresql.conf', smaller(textOf('../postgresql/comporta.conf')))
    for (const script of ['create-database.sh', 'cell.sh']) {
      write(script, textOf(script))
      chmodSync(join(etc, script), 0o700)
    }
  } else {
    // An ordinary user may open fewer files.
    write('haproxy.cfg', replaced(textOf('haproxy.cfg'), 'maxconn 20000', 'maxconn 2000'))
    writeFileSync(join(etc, 'public.pem'), readFileSync(join(etc, 'cell.pem')), { mode: 0o600 })
  }
}

/** Uses less memory, because three servers share one machine. */
function smaller(settings: string): string {
  const values = { shared_buffers: '128MB', max_wal_size: '512MB', min_wal_size: '80MB' }
  return Object.entries(values).reduce(
    (text, [name, value]) => replaced(text, new RegExp(`^${name} = .*$`, 'm'), `${name} = '${value}'`),
    settings,
  )
}

function replaced(text: string, from: string | RegExp, to: string): string {
  const changed = text.replace(from, to)
  if (changed === text) throw new Error(`a file of deploy/ha no longer has ${from}`)
  return changed
}
