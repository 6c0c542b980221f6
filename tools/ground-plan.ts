// Draws the ground plan in docs/ARCHITECTURE.md; `--write` updates it.
import { readFileSync, writeFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { layersIn, moduleOf } from './tidy/layers.ts'
import { type CodeFile, isTest, readTree, targetsOf } from './tidy/tree.ts'

const pagePath = 'docs/ARCHITECTURE.md'
const opening = '<!-- ground plan: npm run tables -->'
const closing = '<!-- end of ground plan -->'
const foundations = ['kernel', 'storage', 'http', 'rails', 'module']
/** Folders outside `src` that use it, or that it uses. */
const besides = ['client', 'drivers', 'sandbox', 'web', 'sdk']
const linesPerBlock = 1500
const barWidth = 12
/** A smaller change of size does not count. Otherwise each commit would change the plan. */
const tolerance = 0.2

interface Row {
  readonly name: string
  readonly layer: number | undefined
  files: number
  lines: number
  readonly imports: Set<string>
}

export function withGroundPlan(page: string, code: readonly CodeFile[]): string {
  const [before, rest] = page.split(opening)
  const [drawn, after] = rest?.split(closing) ?? []
  if (before === undefined || drawn === undefined || after === undefined)
    throw new Error(`${pagePath} has no ${opening} … ${closing}`)
  const rows = rowsOf(page, code)
  return `${before}${opening}\n\n\`\`\`text\n${drawing(rows, sizesIn(drawn))}\n\`\`\`\n\n${closing}${after}`
}

function rowsOf(page: string, code: readonly CodeFile[]): Row[] {
  const layers = layersIn(page)
  const names = [...layers.keys()]
  const rowNameOf = (path: string): string | undefined => {
    const [folder = '', ...parts] = path.split('/')
    if (besides.includes(folder)) return `${folder}/`
    if (folder !== 'src') return undefined
    if (parts.length === 1 && parts[0] !== 'module.ts') return 'main.ts …'
    const module = moduleOf(path, layers)
    return names.find((name) => name === module) ?? names.find((name) => posix.matchesGlob(module, name))
  }
  const rows = new Map<string, Row>()
  for (const file of code) {
    const name = isTest(file.path) ? undefined : rowNameOf(file.path)
    if (name === undefined || file.path.includes('/generated/')) continue
    const layer = layers.get(name) ?? (name === 'main.ts …' ? Math.max(...layers.values()) : undefined)
    const row = rows.get(name) ?? { name, layer, files: 0, lines: 0, imports: new Set() }
    rows.set(name, row)
    row.files++
    row.lines += file.text.split('\n').length - 1
    for (const { target } of targetsOf(file)) {
      const imported = rowNameOf(target)
      if (imported !== undefined && imported !== name && !foundations.includes(imported))
        row.imports.add(imported)
    }
  }
  const place = ({ name, layer }: Row) =>
    layer === undefined ? 1000 + besides.indexOf(name.slice(0, -1)) : -layer
  return [...rows.values()].sort((a, b) => place(a) - place(b) || a.name.localeCompare(b.name))
}

type Size = readonly [files: number, lines: number]

function sizesIn(drawn: string): ReadonlyMap<string, Size> {
  const rows = drawn.matchAll(/^.{2} (\S.*?) +(\d+) +(\d+) ▇/gmu)
  return new Map([...rows].map(([, name = '', files, lines]) => [name, [Number(files), Number(lines)]]))
}

function drawing(rows: readonly Row[], drawn: ReadonlyMap<string, Size>): string {
  const isNear = (old: number, now: number) => Math.abs(old - now) <= Math.max(2, now * tolerance)
  const nameWidth = Math.max(...rows.map(({ name }) => name.length))
  const lines = rows.map((row, index) => {
    const old = drawn.get(row.name)
    const isKept = old !== undefined && isNear(old[0], row.files) && isNear(old[1], row.lines)
    const [files, size] = isKept ? old : [row.files, Math.round(row.lines / 10) * 10]
    const isFirst = rows[index - 1]?.layer !== row.layer
    const layer = isFirst ? String(row.layer ?? '') : ''
    const bar = '▇'.repeat(Math.max(1, Math.round(size / linesPerBlock)))
    const imports = shortest(row, rows).join(', ')
    const title = row.layer === undefined && isFirst ? ['   beside src'] : []
    const sizes = `${String(files).padStart(5)} ${String(size).padStart(6)} ${bar.padEnd(barWidth)}`
    return [
      ...title,
      `${layer.padStart(2)} ${row.name.padEnd(nameWidth)} ${sizes}${imports && ` → ${imports}`}`.trimEnd(),
    ].join('\n')
  })
  return [`   ${'module'.padEnd(nameWidth)} files  lines`, ...lines].join('\n')
}

function shortest({ imports, layer = Number.POSITIVE_INFINITY }: Row, rows: readonly Row[]): string[] {
  const below = rows.filter((row) => imports.has(row.name) && row.layer !== undefined && row.layer < layer)
  const reached = new Map(below.map((row) => [row.name, reachedFrom(row, rows)]))
  const leads = (from: Row, to: Row) => from !== to && reached.get(from.name)?.has(to.name) === true
  return below
    .filter((row) => !below.some((other) => leads(other, row) && !leads(row, other)))
    .map(({ name }) => name)
}

function reachedFrom(row: Row, rows: readonly Row[], found = new Set<string>()): ReadonlySet<string> {
  for (const next of rows.filter(({ name }) => row.imports.has(name) && !found.has(name))) {
    found.add(next.name)
    reachedFrom(next, rows, found)
  }
  return found
}

if (import.meta.main) {
  const root = join(import.meta.dirname, '..')
  const file = join(root, pagePath)
  const page = readFileSync(file, 'utf8')
  const fresh = withGroundPlan(page, readTree(root).code)
  if (process.argv.includes('--write')) writeFileSync(file, fresh)
  else if (fresh !== page)
    console.log(`The ground plan in ${pagePath} is stale: npm run tables draws it again.`)
  process.exitCode = fresh === page || process.argv.includes('--write') ? 0 : 1
}
