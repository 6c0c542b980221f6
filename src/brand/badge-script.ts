// The badge's script as the build made it.
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type PublicFile, publicFile } from './public-file.ts'

const logicalName = 'badge.js'

/** @throws when the browser files are not built: merchants' pages must not lose their badge */
export function loadBadgeScript(manifestPath: string): PublicFile {
  const manifest = JSON.parse(readFileSync(manifestPath, 'utf8')) as Record<
    string,
    { file: string } | undefined
  >
  const built = manifest[logicalName]
  if (built === undefined) throw new Error(`${manifestPath} has no ${logicalName}; run npm run build:web`)
  return publicFile(readFileSync(join(dirname(manifestPath), built.file)), 'text/javascript; charset=utf-8')
}
