// Hashed style sheets and scripts, from the build's manifest.
import { readFileSync } from 'node:fs'

export interface Asset {
  readonly url: string
  /** `sha384-…` (PCI DSS 6.4.3). */
  readonly integrity: string
}

export interface Assets {
  readonly script: Asset
  readonly style: Asset
  readonly icon: Asset
}

type Manifest = Readonly<Record<string, { readonly file: string; readonly integrity: string } | undefined>>

/** Throws if a file is missing: the gateway must not start without its pages. */
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
