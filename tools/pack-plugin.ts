// Writes the zip of the WooCommerce plugin, into dist or the given folder.
import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { zipSync } from 'fflate'

const name = 'comporta-for-woocommerce'
const source = join(import.meta.dirname, '..', 'deploy', 'woocommerce')
/** With a fixed time, every machine makes the same zip. A zip has local times from 1980 on. */
const mtime = new Date(2020, 0, 1)

const files = globSync(`${name}/**/*.*`, { cwd: source })
  .map((path) => path.replaceAll('\\', '/'))
  .sort()
const [, version] =
  /^ \* Version: +(\S+)$/m.exec(readFileSync(join(source, name, `${name}.php`), 'utf8')) ?? []
const folder = resolve(process.argv[2] ?? 'dist')
const target = join(folder, `${name}-${version}.zip`)
const contents = files.map((path) => [path, new Uint8Array(readFileSync(join(source, path)))] as const)
mkdirSync(folder, { recursive: true })
writeFileSync(target, zipSync(Object.fromEntries(contents), { level: 9, mtime }))
console.log(`${target}: ${files.length} files`)
