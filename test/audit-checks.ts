// All checks of the audit that the modules and the sandbox declare.
import { globSync } from 'node:fs'
import { join } from 'node:path'
import type { AuditCheck } from '../src/storage/index.ts'

const root = join(import.meta.dirname, '..')
const loaded: Record<string, unknown>[] = await Promise.all(
  globSync('{src,sandbox}/**/audit.ts', { cwd: root }).map((file) => import(join(root, file))),
)

export const declaredChecks: readonly AuditCheck[] = [
  ...new Set(
    loaded.flatMap((file) =>
      Object.entries(file).flatMap(([name, value]) =>
        name.endsWith('Checks') && Array.isArray(value) ? (value as AuditCheck[]) : [],
      ),
    ),
  ),
]
