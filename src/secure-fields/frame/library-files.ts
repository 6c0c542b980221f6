// What the build made for secure form fields: the merchant's library, and the script and style of the frame.
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** A file that the browser checks before it uses it. */
export interface BuiltFile {
  /** Hashed name under which its content never changes. */
  readonly file: string
  /** Subresource integrity, `sha384-…`. */
  readonly integrity: string
}

export interface LibraryFiles {
  readonly library: BuiltFile & { readonly content: Buffer }
  readonly frameScript: BuiltFile
  readonly frameStyle: BuiltFile
}

/** What `tools/build-web.ts` writes: logical name → file and integrity. */
type Manifest = Readonly<Record<string, BuiltFile | undefined>>

/**
 * Reads the built files.
 *
 * @param manifestPath path of `dist/web/manifest.json`
 * @throws when it is missing or lacks a file: the gateway must not start without its card fields
 */
export function loadLibraryFiles(manifestPath: string): LibraryFiles {
  const manifest = readManifest(manifestPath)
  const built = (name: string): BuiltFile => {
    const file = manifest[name]
    if (file === undefined) throw new Error(`${manifestPath} has no ${name}; run npm run build:web`)
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
