// Review of the lock file: licences, install scripts, checksums, versions.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { deprecatedExplained, licences, licencesExplained, scriptsExplained } from './explained.ts'
import { type Locked, lockedPackages, nameOf, runs } from './lock.ts'

export interface Review {
  /** Complaints about packages that explained.ts does not mention. */
  readonly problems: readonly string[]
  readonly page: string
  readonly counts: string
}

interface Package extends Locked {
  readonly path: string
  readonly name: string
}

/**
 * Reads the lock file under `root`, and the install scripts that package.json allows. `license-checker-rseidelsohn`
 * would read only the packages of this machine, without scripts, checksums and origins.
 */
export function reviewDependencies(root: string): Review {
  const packages = lockedPackages(root)
    .filter(([path, { link }]) => path.includes('node_modules/') && link !== true)
    .map(([path, locked]): Package => ({ ...locked, path, name: nameOf(path, locked) }))
  const { allowScripts = {} } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    allowScripts?: Record<string, boolean>
  }
  const problems = [...packages.flatMap(problemsOf), ...scriptProblems(packages, Object.keys(allowScripts))]
  const running = packages.filter(runs).length
  const counts = `${running} packages run, ${packages.length - running} build and test`
  return { problems, page: pageOf(packages), counts }
}

function problemsOf(one: Package): string[] {
  const { name, license, resolved, deprecated } = one
  const problems: string[] = []
  if (!isLicensed(one)) problems.push(`${name}: the licence ${license} is not explained`)
  if (one.devOptional === true)
    problems.push(`${name}: npm ci --omit=dev installs it, as an optional peer: npm run -s deps -- --write`)
  if (one.integrity === undefined) problems.push(`${name}: the lock file has no checksum`)
  if (resolved !== undefined && !resolved.startsWith('https://registry.npmjs.org/'))
    problems.push(`${name}: comes from ${resolved}, not from the registry`)
  if (deprecated !== undefined && !(name in deprecatedExplained))
    problems.push(`${name}: is deprecated (${deprecated})`)
  return problems
}

function isLicensed({ name, license = '' }: Package): boolean {
  const explained = Object.entries(licencesExplained).find(([beginning]) => name.startsWith(beginning))
  const allowed = [...licences, ...(explained?.[1][0].split(' or ') ?? [])]
  return isAllowed(license, allowed)
}

export function isAllowed(expression: string, allowed: readonly string[]): boolean {
  const choices = expression.replaceAll(/[()]/g, '').split(/ or /i)
  return choices.some((choice) => choice.split(/ and /i).every((one) => allowed.includes(one)))
}

function scriptProblems(packages: readonly Package[], allowed: readonly string[]): string[] {
  const having = packages.filter(({ hasInstallScript }) => hasInstallScript === true)
  const explains = (beginning: string, name: string) =>
    beginning.endsWith('/') ? name.startsWith(beginning) : name === beginning
  const unexplained = having
    .filter(({ name }) => !Object.keys(scriptsExplained).some((one) => explains(one, name)))
    .map(({ name }) => `${name}: runs a program when it is installed, which is not explained`)
  const idle = allowed
    .filter((name) => !having.some((one) => one.name === name))
    .map((name) => `${name}: package.json lets it run a program when it is installed, and it has none`)
  return [...unexplained, ...idle]
}

function pageOf(packages: readonly Package[]): string {
  const running = packages.filter(runs)
  const scripts = packages.filter(({ hasInstallScript }) => hasInstallScript === true)
  return `# Packages

\`npm run -s deps\` generates this page from package-lock.json. It fails if
[explained.ts](../../tools/dependencies/explained.ts) does not explain a licence or an install script.

- **Licences of the running program**: ${licencesOf(running)}.

- **Licences of build and test tools**: ${licencesOf(packages.filter((one) => !runs(one)))}.
- **Programs at installation**: ${scripts.map(({ name }) => name).join(', ')}.
- **Deprecated**: ${
    packages
      .filter(({ deprecated }) => deprecated !== undefined)
      .map(({ name }) => name)
      .join(', ') || 'none'
  }.
- **In two versions in the running program**: ${doubled(running)}

Licences with further conditions:

${Object.entries(licencesExplained)
  .map(([name, [licence, why]]) => `- \`${name}\`, ${licence}: ${why}`)
  .join('\n')}

Programs at installation:

${Object.entries(scriptsExplained)
  .map(([name, why]) => `- \`${name}\`: ${why}`)
  .join('\n')}
`
}

function licencesOf(packages: readonly Package[]): string {
  return [...new Set(packages.map(({ license = 'none' }) => license))].toSorted().join(', ')
}

function doubled(packages: readonly Package[]): string {
  const byName = Object.entries(Object.groupBy(packages, ({ name }) => name))
  return byName
    .map(([name, some = []]) => [name, [...new Set(some.map(({ version }) => version))]] as const)
    .filter(([, versions]) => versions.length > 1)
    .map(([name, versions]) => `${name} ${versions.toSorted().join(' and ')}`)
    .toSorted()
    .join(', ')
}
