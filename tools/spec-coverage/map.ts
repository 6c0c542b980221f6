// Reader of docs/SPEC-MAP.md: one clause a line, under headings.
import { headingTrail, rowOf } from './specification.ts'

export interface Clause {
  readonly line: number
  readonly heading: string
  readonly id: string
  readonly text: string
  readonly tests: readonly string[]
  /** The module that will implement the clause, if it has no test yet. */
  readonly planned?: string
  readonly decisions: readonly string[]
  readonly places: readonly string[]
}

const columns = 5

export function readMap(markdown: string): { clauses: Clause[]; broken: number[] } {
  const clauses: Clause[] = []
  const broken: number[] = []
  const trail = headingTrail()
  for (const [index, line] of markdown.split('\n').entries()) {
    const heading = trail(line)
    const cells = heading === '' ? undefined : rowOf(line)
    if (cells === undefined || cells[0] === 'id' || /^-+$/.test(cells[0] ?? '')) continue
    const [id = '', text = '', shown = '', decision = '', place = ''] = cells
    if (cells.length !== columns || !/^[A-Z]+-\d+$/.test(id) || text === '' || shown === '')
      broken.push(index + 1)
    else
      clauses.push({
        line: index + 1,
        heading,
        id,
        text,
        ...readShown(shown),
        decisions: listOf(decision, ','),
        places: listOf(place, ' ; '),
      })
  }
  return { clauses, broken }
}

function readShown(shown: string): { tests: string[]; planned?: string } {
  const planned = /^planned: (.+)$/.exec(shown)?.[1]
  if (planned !== undefined) return { tests: [], planned }
  return { tests: shown === 'none' ? [] : shown.split(' + ') }
}

function listOf(text: string, separator: string): string[] {
  return text
    .split(separator)
    .map((name) => name.trim())
    .filter(Boolean)
}
