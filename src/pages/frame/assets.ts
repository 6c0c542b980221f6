// Where the browser finds the style sheet and script of the pages: hashed names out of the build's manifest.
import { readFileSync } from 'node:fs'

/** A file served under `/assets`, for ever the same under its name. */
export interface Asset {
  readonly url: string
  /** Subresource integrity, `sha384-…` (PCI DSS 6.4.3). */
  readonly integrity: string
}

export interface Assets {
  readonly script: Asset
  readonly style: Asset
  readonly icon: Asset
}

/** What `tools/build-web.ts` writes: logical name → file and integrity. */
type Manifest = Readonly<Record<string, { readonly file: string; readonly integrity: string } | undefined>>

/**
 * Reads the manifest of the built browser files.
 *
 * @param manifestPath path of `dist/web/manifest.json`
 * @throws when it is missing or lacks a file: the gateway must not start without its pages
 */
export function loadAssets(manifestPath: string): Assets {
  const manifest = readManifest(manifestPath)
  const asset = (name: string): Asset => {
    const built = manifest[name]
    if (built === undefined) throw new Error(`${manifestPath} has no ${name}; run npm run build:web`)
    return { url: `/assets/${built.file}`, integrity: built.integrity }
  }
  return { script: asset('checkout.js'), style: asset('checkout.css'), icon: asset('checkout.svg') }
}

function readManifest(path: string): Manifest {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch (error) {
    throw new Error(`${path} cannot be read; run npm run build:web`, { cause: error })
  }
}
