// The version of this program, as package.json states it.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { projectRoot } from '../kernel/project-root.ts'

/** Such as `0.1.0`. */
export function programVersion(): string {
  return (JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8')) as { version: string }).version
}
