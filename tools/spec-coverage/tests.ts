// Finds out whether a test that the map names exists, by its title as written in the file, and speaks as users do.
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parseSync, Visitor } from 'vite'

/** Why `reference` (`file › group › title`) is no test under `root`, or undefined when it is one. */
export function missingTest(root: string, reference: string): string | undefined {
  const [file = '', ...titles] = reference.replaceAll('`', '').split(' › ')
  if (!/^(src|test|tools)\/.*\.test\.tsx?$/.test(file)) return `${file} is no test file`
  if (!existsSync(join(root, file))) return `${file} does not exist`
  if (titles.length === 0) return `no title after ${file}`
  const paths = titlesOf(readFileSync(join(root, file), 'utf8'))
  const wanted = titles.join(' › ')
  return paths.some((path) => path === wanted || path.endsWith(` › ${wanted}`))
    ? undefined
    : `${file} has no test "${wanted}"`
}

/** What a test imports that speaks HTTP to the gateway or drives a browser. */
const outerModules: ReadonlySet<string> = new Set([
  'test/world.ts',
  'test/gateway-process.ts',
  'test/http/gateway.ts',
  'test/browser/browser.ts',
])

/**
 * Why `reference` shows nothing of the outer behaviour, or undefined when its file speaks HTTP or drives a browser:
 * through one of the modules that do, or by serving an app and fetching from it.
 */
export function innerTest(root: string, reference: string): string | undefined {
  const [file = ''] = reference.split(' › ')
  const text = readFileSync(join(root, file), 'utf8')
  const imported = [...text.matchAll(/ from '(\.[^']+)'/g)].map(([, path = '']) => join(dirname(file), path))
  const servesAnApp = /\bcreateApp\(/.test(text) && /\bfetch\(/.test(text)
  const speaks = servesAnApp || imported.some((path) => outerModules.has(path))
  return speaks ? undefined : `${file} neither speaks HTTP nor drives a browser`
}

/** The titles of a test file, each with the groups around it; `it.each` titles with their placeholders. */
function titlesOf(text: string): string[] {
  const groups: { title: string; end: number }[] = []
  const found: string[] = []
  new Visitor({
    CallExpression({ callee, arguments: [title], start, end }) {
      if (!/^(it|test|describe|suite)\b/.test(text.slice(callee.start, callee.end))) return
      const name = title === undefined ? undefined : plainText(title)
      if (name === undefined) return
      while ((groups.at(-1)?.end ?? Number.POSITIVE_INFINITY) <= start) groups.pop()
      groups.push({ title: name, end })
      found.push(groups.map((group) => group.title).join(' › '))
    },
  }).visit(parseSync('titles.ts', text).program)
  return found
}

function plainText(node: { type: string; value?: unknown; quasis?: { value: { raw: string } }[] }) {
  if (node.type === 'Literal' && typeof node.value === 'string') return node.value
  if (node.type === 'TemplateLiteral') return node.quasis?.map((quasi) => quasi.value.raw).join('…')
  return undefined
}
