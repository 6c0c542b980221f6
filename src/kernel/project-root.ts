// The project's folder and version, for sources and built programs.
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

export const projectRoot = folderWith('package.json', import.meta.dirname)

export function programVersion(): string {
  return (JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8')) as { version: string }).version
}

function folderWith(file: string, from: string): string {
  for (let folder = from; ; folder = dirname(folder)) {
    if (existsSync(join(folder, file))) return folder
    if (folder === dirname(folder)) throw new Error(`there is no ${file} above ${from}`)
  }
}
