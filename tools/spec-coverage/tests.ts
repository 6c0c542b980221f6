// Existence of the tests that the map names.
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parseSync, Visitor } from 'vite'

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

const outerModules: ReadonlySet<string> = new Set([
  'test/world.ts',
  'test/gateway-process.ts',
  'test/http/gateway.ts',
  'test/browser/browser.ts',
])

export function innerTest(root: string, reference: string): string | undefined {
  const [file = ''] = reference.split(' › ')
  const text = readFileSync(join(root, file), 'utf8')
  const imported = [...text.matchAll(/ from '(\.[^']+)'/g)].map(([, path = '']) => join(dirname(file), path))
  const servesAnApp = /\bcreateApp\(/.test(text) && /\bfetch\(/.test(text)
  const speaks = servesAnApp || imported.some((path) => outerModules.has(path))
  return speaks ? undefined : `${file} neither speaks HTTP nor drives a browser`
}

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
