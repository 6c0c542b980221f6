// The packages of package-lock.json: what is installed, and which of it runs.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** A package in the lock file; `name` where it is installed under another one. */
export interface Locked {
  readonly name?: string
  readonly version?: string
  readonly dev?: boolean
  readonly optional?: boolean
  readonly devOptional?: boolean
  readonly license?: string
  readonly integrity?: string
  /** From where, unless that is the registry. */
  readonly resolved?: string
  readonly link?: boolean
  /** Systems and processors for which npm installs it. */
  readonly os?: string | readonly string[]
  readonly cpu?: string | readonly string[]
  readonly hasInstallScript?: boolean
  readonly peerDependencies?: Record<string, string>
  readonly peerDependenciesMeta?: Record<string, { readonly optional?: boolean }>
  /** Why its authors say that it should not be used. */
  readonly deprecated?: string
}

/** Every package but the project itself, by the path under which it is installed. */
export function lockedPackages(root: string): [path: string, locked: Locked][] {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, Locked>
  }
  return Object.entries(packages).filter(([path]) => path !== '')
}

/** Whether the image has it: `npm prune` in the Dockerfile leaves out the others. */
export function runs({ dev, optional, devOptional }: Locked): boolean {
  return !(dev === true || optional === true || devOptional === true)
}

/**
 * Rewrites the lock file without the optional peers, such as better-auth's vitest, that are there only to develop:
 * `npm ci --omit=dev` would install them (docs/inside/toolchain.md).
 */
export function leaveOutOptionalPeers(root: string): void {
  const file = join(root, 'package-lock.json')
  const lock = JSON.parse(readFileSync(file, 'utf8')) as { packages: Record<string, Locked> }
  for (const locked of Object.values(lock.packages).filter(runs))
    for (const [name, { optional }] of Object.entries(locked.peerDependenciesMeta ?? {})) {
      if (optional !== true || lock.packages[`node_modules/${name}`]?.devOptional !== true) continue
      delete locked.peerDependencies?.[name]
      delete locked.peerDependenciesMeta?.[name]
    }
  writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`)
}

/** `node_modules/one/node_modules/@scope/other` is `@scope/other`. */
export function nameOf(path: string, { name }: Locked): string {
  return name ?? path.split('node_modules/').at(-1) ?? path
}
