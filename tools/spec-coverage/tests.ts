// Finds out whether a test that the map names exists, by its title as written in the file.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseSync, Visitor } from 'vite'

/** Why `reference` (`file › group › title`) is no test under `root`, or undefined when it is one. */
export function missingTest(root: string, reference: string): string | undefined {
  const [file = '', ...titles] = reference.replaceAll('`', '').split(' › ')
  if (!/^(src|test)\/.*\.test\.tsx?$/.test(file)) return `${file} is no test file`
  if (!existsSync(join(root, file))) return `${file} does not exist`
  if (titles.length === 0) return `no title after ${file}`
  const paths = titlesOf(readFileSync(join(root, file), 'utf8'))
  const wanted = titles.join(' › ')
  return paths.some((path) => path === wanted || path.endsWith(` › ${wanted}`))
    ? undefined
    : `${file} has no test "${wanted}"`
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
