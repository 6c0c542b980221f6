// The browser files that the shop's page names, with their integrity, out of the build's manifest.
import { readFileSync } from 'node:fs'

export interface ShopAsset {
  readonly url: string
  /** Subresource integrity, `sha384-…`. */
  readonly integrity: string
}

export interface ShopAssets {
  readonly script: ShopAsset
  readonly style: ShopAsset
  /** `secure-fields.js`, pinned as merchants pin it. */
  readonly library: ShopAsset
}

/** What `tools/build-web.ts` writes: logical name → file and integrity. */
type Manifest = Readonly<Record<string, { readonly file: string; readonly integrity: string } | undefined>>

/** @throws when the manifest of the built browser files is missing or lacks one */
export function loadShopAssets(manifestPath: string): ShopAssets {
  const manifest = JSON.parse(readFileSync(manifestPath, 'utf8')) as Manifest
  const asset = (name: string, url?: string): ShopAsset => {
    const built = manifest[name]
    if (built === undefined) throw new Error(`${manifestPath} has no ${name}; run npm run build:web`)
    return { url: url ?? `/assets/${built.file}`, integrity: built.integrity }
  }
  return {
    script: asset('shop.js'),
    style: asset('shop.css'),
    library: asset('secure-fields.js', '/secure-fields/v1/secure-fields.js'),
  }
}
