// Packages of package-lock.json.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

export interface Locked {
  readonly name?: string
  readonly version?: string
  readonly dev?: boolean
  readonly optional?: boolean
  readonly devOptional?: boolean
  readonly license?: string
  readonly integrity?: string
  readonly resolved?: string
  readonly link?: boolean
  readonly os?: string | readonly string[]
  readonly cpu?: string | readonly string[]
  readonly hasInstallScript?: boolean
  readonly peerDependencies?: Record<string, string>
  readonly peerDependenciesMeta?: Record<string, { readonly optional?: boolean }>
  readonly deprecated?: string
}

export function lockedPackages(root: string): [path: string, locked: Locked][] {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, Locked>
  }
  return Object.entries(packages).filter(([path]) => path !== '')
}

export function runs({ dev, optional, devOptional }: Locked): boolean {
  return !(dev === true || optional === true || devOptional === true)
}

/**
 * Removes optional peers that only development needs, such as better-auth's vitest. Otherwise `npm ci --omit=dev`
 * installs them.
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

/** The name of a package from its path: `node_modules/one/node_modules/@scope/other` is `@scope/other`. */
export function nameOf(path: string, { name }: Locked): string {
  return name ?? path.split('node_modules/').at(-1) ?? path
}
