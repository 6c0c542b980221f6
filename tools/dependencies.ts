// Review of the project's packages: `npm run -s deps [-- --write] [-- --online]`.
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { oldExplained } from './dependencies/explained.ts'
import { leaveOutOptionalPeers } from './dependencies/lock.ts'
import { reviewDependencies } from './dependencies/review.ts'

const root = join(import.meta.dirname, '..')
/** The packages that check and generate have their own lock file in this folder. */
export const toolsFolder = import.meta.dirname
export const pageFile = join(root, 'docs/inside/packages.md')
const ageDaysMax = 730

function npm(...args: string[]): string {
  try {
    return execFileSync('npm', args, { cwd: root, encoding: 'utf8', stdio: 'pipe', maxBuffer: 2 ** 26 })
  } catch (error) {
    return (error as { stdout: string }).stdout
  }
}

/**
 * Complains about packages without a new version for two years.
 * @param names packages to check; if empty, all that run
 */
function tooOld(names: readonly string[]): string[] {
  return names.flatMap((name) => {
    const modified = npm('view', name, 'time.modified').trim()
    if (modified === '') return [`${name}: the registry does not say when it was published last`]
    const days = Math.floor((Date.now() - Date.parse(modified)) / 86_400_000)
    const isWrong = days > ageDaysMax && !(name in oldExplained)
    return isWrong ? [`${name}: was published last ${days} days ago, which is not explained`] : []
  })
}

function vulnerable(folder: string): string[] {
  const { vulnerabilities, message } = JSON.parse(npm('audit', '--json', '--prefix', folder)) as {
    vulnerabilities?: Record<string, { name: string; severity: string; range: string }>
    message?: string
  }
  if (vulnerabilities === undefined) return [`npm audit was not answered: ${message}`]
  return Object.values(vulnerabilities).map(({ name, severity, range }) => `${name} ${range}: ${severity}`)
}

function main(): void {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: { write: { type: 'boolean', default: false }, online: { type: 'boolean', default: false } },
  })
  if (values.write) {
    leaveOutOptionalPeers(root)
    // npm marks in the lock file which packages only development needs.
    npm('install', '--package-lock-only', '--ignore-scripts')
  }
  const { page, problems: ofGateway, counts } = reviewDependencies(root)
  const problems = [...ofGateway, ...reviewDependencies(toolsFolder).problems]
  if (values.write) writeFileSync(pageFile, page)
  else process.stdout.write(page)
  console.log(counts)
  const { dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const asked = positionals.length > 0 ? positionals : Object.keys(dependencies)
  const found = values.online
    ? [...problems, ...tooOld(asked), ...vulnerable(root), ...vulnerable(toolsFolder)]
    : problems
  for (const problem of found) console.error(problem)
  process.exitCode = found.length === 0 ? 0 : 1
}

if (import.meta.main) main()
