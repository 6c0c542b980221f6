// Where the project's own files lie, whether this is run as a source or as part of a built program.
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** The folder that holds package.json. */
export const projectRoot = folderWith('package.json', import.meta.dirname)

function folderWith(file: string, from: string): string {
  for (let folder = from; ; folder = dirname(folder)) {
    if (existsSync(join(folder, file))) return folder
    if (folder === dirname(folder)) throw new Error(`there is no ${file} above ${from}`)
  }
}
