// Check of docs/SPEC-MAP.md: each clause has a test or a decision. `npm run spec`.
import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { type Clause, readMap } from './spec-coverage/map.ts'
import { placesOf } from './spec-coverage/specification.ts'
import { innerTest, missingTest } from './spec-coverage/tests.ts'
import { layersIn } from './tidy/layers.ts'

const architecturePath = 'docs/ARCHITECTURE.md'
const mapPath = 'docs/SPEC-MAP.md'
const gapsPath = 'docs/inside/specification-gaps.md'
const specificationPath = '../shared/SPEC.md'

export function specCoverage(
  root: string,
  specification?: string,
): { clauses: Clause[]; problems: string[] } {
  const { clauses, broken } = readMap(readFileSync(join(root, mapPath), 'utf8'))
  const known = readKnown(root)
  const problems = [
    ...broken.map(
      (line) => `${mapPath}:${line}  No clause: a line has id, clause, shown by, decision, place.`,
    ),
    ...clauses.flatMap((clause) => problemsOf(root, clause, known).map((problem) => at(clause, problem))),
    ...duplicates(clauses),
    ...[...known.open]
      .filter((id) => !clauses.some((clause) => clause.decisions.includes(id)))
      .map((id) => `${gapsPath}  ${id} is named by no clause of ${mapPath}.`),
    ...(specification === undefined ? [] : gaps(clauses, specification)),
  ]
  return { clauses, problems }
}

function at(clause: Clause, problem: string): string {
  return `${mapPath}:${clause.line}  ${clause.id}: ${problem}`
}

interface Known {
  readonly modules: ReadonlySet<string>
  readonly open: ReadonlySet<string>
  isRecord(number: string): boolean
}

function readKnown(root: string): Known {
  const read = (path: string) => (existsSync(join(root, path)) ? readFileSync(join(root, path), 'utf8') : '')
  const list = read('docs/decisions/README.md')
  return {
    modules: new Set(layersIn(read(architecturePath)).keys()),
    open: new Set([...read(gapsPath).matchAll(/^## (O-\d+) /gm)].map(([, id = '']) => id)),
    isRecord: (number) => /^\d{4}$/.test(number) && list.includes(`(${number}-`),
  }
}

function problemsOf(root: string, clause: Clause, { modules, open, isRecord }: Known): string[] {
  const problems: string[] = []
  for (const test of clause.tests) {
    const missing = missingTest(root, test)
    if (missing !== undefined) {
      problems.push(`${missing}. Name the test as it is, or write it.`)
      continue
    }
    const inner = innerTest(root, test)
    if (inner !== undefined) problems.push(`${inner}. Name a test that meets the clause from outside.`)
  }
  for (const id of clause.decisions) {
    if (!open.has(id) && !isRecord(id))
      problems.push(`there is no decision ${id}. Write it, or name another.`)
  }
  if (clause.planned !== undefined && !modules.has(clause.planned)) {
    problems.push(`${architecturePath} has no module ${clause.planned}. Plan it for an existing module.`)
  }
  const nothing = clause.tests.length === 0 && clause.planned === undefined
  if (/not shown/i.test(clause.text) && clause.decisions.length === 0) {
    problems.push('"not shown" needs a decision.')
  } else if (nothing && clause.decisions.length === 0) {
    problems.push('"none" needs a decision with the reason.')
  }
  return problems
}

function duplicates(clauses: readonly Clause[]): string[] {
  const first = new Map<string, Clause>()
  return clauses.flatMap((clause) => {
    const earlier = first.get(clause.id)
    if (earlier !== undefined)
      return [at(clause, `the id is also on line ${earlier.line}. Give this clause a new one.`)]
    first.set(clause.id, clause)
    return []
  })
}

/**
 * Finds places of the specification without a line in the map, open ones without a decision, and lines without a
 * place.
 */
function gaps(clauses: readonly Clause[], specification: string): string[] {
  const places = placesOf(specification)
  const problems: string[] = []
  for (const { heading, key, open } of places) {
    const here = clauses.filter(
      (clause) => clause.heading === heading || (key === '' && clause.heading.startsWith(`${heading} › `)),
    )
    const answers = key === '' ? here : here.filter((clause) => clause.places.includes(key))
    const place = key === '' ? `"${heading}"` : `"${key}" of "${heading}"`
    if (answers.length === 0) problems.push(`${mapPath}  No clause for ${place}.`)
    else if (open && answers.every((clause) => clause.decisions.length === 0)) {
      problems.push(`${mapPath}  Something is not shown in ${place}, and no clause there has a decision.`)
    }
  }
  const known = new Set(places.map(({ heading, key }) => `${heading}|${key}`))
  for (const clause of clauses) {
    for (const key of clause.places.length === 0 ? [''] : clause.places) {
      if (known.has(`${clause.heading}|${key}`)) continue
      problems.push(at(clause, `the specification has no "${key}" under "${clause.heading}".`))
    }
  }
  return problems
}

function report(clauses: readonly Clause[], problems: readonly string[]): string {
  const shown = clauses.filter((clause) => clause.tests.length > 0).length
  const planned = clauses.filter((clause) => clause.planned !== undefined).length
  const decided = clauses.filter((clause) => clause.decisions.length > 0).length
  const counts = `${clauses.length} clauses: ${shown} shown, ${planned} planned; ${decided} rest on a decision.`
  return [...problems, counts, ...(problems.length > 0 ? [`${problems.length} problems.`] : [])].join('\n')
}

function listPlanned(clauses: readonly Clause[], module: string | undefined): void {
  const planned = clauses.filter((clause) => clause.planned !== undefined)
  for (const clause of planned.filter((one) => module === undefined || one.planned === module)) {
    console.log(`${clause.id.padEnd(8)}${clause.planned?.padEnd(16)}${clause.text}`)
  }
}

if (import.meta.main) {
  const root = resolve(import.meta.dirname, '..')
  const specification = join(root, specificationPath)
  const { clauses, problems } = specCoverage(
    root,
    existsSync(specification) ? readFileSync(specification, 'utf8') : undefined,
  )
  const todo = process.argv.slice(2).find((argument) => argument.startsWith('--todo'))
  if (todo !== undefined) listPlanned(clauses, todo.split('=')[1])
  console.log(report(clauses, problems))
  process.exitCode = problems.length === 0 ? 0 : 1
}
