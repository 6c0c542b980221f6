// Writes and checks the version of the gateway, the SDK and the plugin, for `npm version`.
import { execFileSync } from 'node:child_process'
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')
export const changelog = 'CHANGELOG.md'
const plugin = 'deploy/woocommerce/comporta-for-woocommerce'
const number = String.raw`(\d+\.\d+\.\d+(?:-[\w.]+)?)`

/** Files that contain the version. The second group of the pattern is the version. */
const places: readonly (readonly [files: string, pattern: RegExp])[] = [
  ['{,sdk/,examples/*/}package.json', new RegExp(`("@comporta/sdk": "|^  "version": ")${number}`, 'gm')],
  [
    'package-lock.json',
    new RegExp(`("name": "(?:comporta|@comporta/sdk)",\\n +"version": "|"@comporta/sdk": ")${number}`, 'g'),
  ],
  [
    `${plugin}/comporta-for-woocommerce.php`,
    new RegExp(`(^ \\* Version: +|const VERSION += ')${number}`, 'gm'),
  ],
  [`${plugin}/readme.txt`, new RegExp(`(^Stable tag: )${number}`, 'gm')],
  ['deploy/kubernetes/comporta.yaml', new RegExp(`(/comporta:)${number}`, 'g')],
  [
    '{{docs,docs/pt,sdk}/*.md,tools/gate/packages.test.ts}',
    new RegExp(`(\\bcomporta(?:-sdk|-for-woocommerce)?-)${number}(?=\\.(?:tgz|zip))`, 'g'),
  ],
]

/** The texts of files, by their path in the project. */
export type Texts = Readonly<Record<string, string>>

/** The files that contain the version, and the changelog. */
export function versionedTexts(): Texts {
  const paths = places.flatMap(([files]) => globSync(files, { cwd: root }))
  return Object.fromEntries(
    [...new Set([...paths, changelog, `${plugin}/readme.txt`])].map((path) => [
      path,
      readFileSync(join(root, path), 'utf8'),
    ]),
  )
}

function* found(texts: Texts) {
  for (const [files, pattern] of places) {
    const paths = globSync(files, { cwd: root }).filter((path) => texts[path] !== undefined)
    for (const path of paths) yield { path, pattern, text: texts[path] ?? '' }
  }
}

/** The places in texts and tags that have another version. */
export function differences(texts: Texts, version: string, tags: readonly string[]): string[] {
  const others = [...found(texts)].flatMap(({ path, pattern, text }) =>
    [...text.matchAll(pattern)].flatMap(([, , other]) =>
      other === version ? [] : [`${path} says ${other}`],
    ),
  )
  const [newest] = /^## \[\d[^\]]*\].*$/m.exec(texts[changelog] ?? '') ?? ['no version']
  return [
    ...new Set(others),
    ...(newest.startsWith(`## [${version}] - `) ? [] : [`${changelog} says ${newest}`]),
    ...(texts[changelog]?.includes('\n## [Unreleased]\n') ? [] : [`${changelog} has no [Unreleased]`]),
    ...(texts[`${plugin}/readme.txt`]?.includes(`\n= ${version} =\n`)
      ? []
      : [`${plugin}/readme.txt has no entry for ${version}`]),
    ...tags.filter((tag) => /^v\d/.test(tag) && tag !== `v${version}`).map((tag) => `the tag is ${tag}`),
  ]
}

/** The same files for `version`. The changes under [Unreleased] move to the version, released on `day`. */
export function textsOf(texts: Texts, version: string, day: string): Texts {
  const next: Record<string, string> = { ...texts }
  for (const { path, pattern } of found(texts))
    next[path] = (next[path] ?? '').replace(pattern, (_, before: string) => `${before}${version}`)
  const heading = `## [${version}] - `
  const changes = next[changelog] ?? ''
  next[changelog] = changes.includes(heading)
    ? changes
        .split('\n')
        .map((line) => (line.startsWith(heading) ? `${heading}${day}` : line))
        .join('\n')
    : changes.replace('## [Unreleased]\n', `## [Unreleased]\n\n${heading}${day}\n`)
  const readme = `${plugin}/readme.txt`
  if (!next[readme]?.includes(`\n= ${version} =\n`))
    next[readme] = (next[readme] ?? '').replace(
      '== Changelog ==\n',
      `== Changelog ==\n\n= ${version} =\n* For the gateway of the same version.\n`,
    )
  return next
}

export function ownVersion(): string {
  return (JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }).version
}

/** Tags of the commit that is checked out. Empty outside a clone. */
export function tagsHere(): string[] {
  try {
    const tags = execFileSync('git', ['tag', '--points-at', 'HEAD'], {
      cwd: root,
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    return tags.toString().split('\n').filter(Boolean)
  } catch {
    return []
  }
}

if (import.meta.main) {
  const version = ownVersion()
  const before = versionedTexts()
  const after = textsOf(before, version, new Date().toISOString().slice(0, 10))
  for (const [path, text] of Object.entries(after)) {
    if (text === before[path]) continue
    writeFileSync(join(root, path), text)
    console.log(`${path}: ${version}`)
  }
}
