// Where the project's own files lie, whether this is run as a source or as part of a built program; and its version.
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** The folder that holds package.json. */
export const projectRoot = folderWith('package.json', import.meta.dirname)

/** The version that package.json states, such as `0.1.0`. */
export function programVersion(): string {
  return (JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8')) as { version: string }).version
}

function folderWith(file: string, from: string): string {
  for (let folder = from; ; folder = dirname(folder)) {
    if (existsSync(join(folder, file))) return folder
    if (folder === dirname(folder)) throw new Error(`there is no ${file} above ${from}`)
  }
}
