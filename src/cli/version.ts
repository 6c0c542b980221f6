// The version of this program, as package.json states it.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Such as `0.1.0`. */
export function programVersion(): string {
  const path = join(import.meta.dirname, '..', '..', 'package.json')
  return (JSON.parse(readFileSync(path, 'utf8')) as { version: string }).version
}
