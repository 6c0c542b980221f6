// Packages of tools/package.json, which are installed at the first use. `node tools/tool.ts [<package> <arguments>]`
// runs one.
import { execSync, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const folder = import.meta.dirname
const packages = join(folder, 'node_modules')
const stampFile = join(packages, '.installed')

export function installTools(): void {
  const wanted = createHash('sha256')
    .update(readFileSync(join(folder, 'package-lock.json')))
    .digest('hex')
  if (existsSync(stampFile) && readFileSync(stampFile, 'utf8') === wanted) return
  console.log(
    'Installing the tools of tools/package.json, which npm ci leaves out (about half a minute, once) …',
  )
  execSync('npm ci --no-audit --no-fund', { cwd: folder, stdio: 'inherit' })
  writeFileSync(stampFile, wanted)
}

function runTool(name: string, args: readonly string[]): number {
  const { bin } = JSON.parse(readFileSync(join(packages, name, 'package.json'), 'utf8')) as {
    bin: string | Record<string, string>
  }
  const file = typeof bin === 'string' ? bin : Object.values(bin)[0]
  const program = join(packages, name, file ?? '')
  return spawnSync(process.execPath, [program, ...args], { stdio: 'inherit' }).status ?? 1
}

if (import.meta.main) {
  const [name, ...args] = process.argv.slice(2)
  installTools()
  if (name !== undefined) process.exitCode = runTool(name, args)
}
