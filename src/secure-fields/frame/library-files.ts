// Built files: the merchant's library, and the frame's script and style.
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

export interface BuiltFile {
  readonly file: string
  readonly integrity: string
}

export interface LibraryFiles {
  readonly library: BuiltFile & { readonly content: Buffer }
  readonly frameScript: BuiltFile
  readonly frameStyle: BuiltFile
}

type Manifest = Readonly<Record<string, BuiltFile | undefined>>

/** Throws if a file is missing: the gateway must not start without its card fields. */
export function loadLibraryFiles(manifestPath: string): LibraryFiles {
  const manifest = readManifest(manifestPath)
  const built = (name: string): BuiltFile => {
    const file = manifest[name]
    if (file === undefined) throw new Error(`${manifestPath} has no ${name}: run npm run build:web`)
    return file
  }
  const library = built('secure-fields.js')
  return {
    library: { ...library, content: readFileSync(join(dirname(manifestPath), library.file)) },
    frameScript: built('secure-fields-frame.js'),
    frameStyle: built('secure-fields-frame.css'),
  }
}

function readManifest(path: string): Manifest {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch (error) {
    throw new Error(`${path} cannot be read; run npm run build:web`, { cause: error })
  }
}
