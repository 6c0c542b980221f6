// Reads docs/SPEC-MAP.md: one clause a line, under the specification's headings.
import { headingTrail, rowOf } from './specification.ts'

export interface Clause {
  readonly line: number
  readonly heading: string
  readonly id: string
  readonly text: string
  /** Tests as `file › group › title`. */
  readonly tests: readonly string[]
  /** The module where it will be built; then there are no tests yet. */
  readonly planned?: string
  /** `O-n` or the number of a record. */
  readonly decisions: readonly string[]
  /** Rows, rules and bullets of the specification; none for prose. */
  readonly places: readonly string[]
}

const columns = 5

/** The clauses of the map, and the lines that are rows of clauses but not whole. */
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
      clauses.push({ line: index + 1, heading, id, text, ...readShown(shown), ...readRest(decision, place) })
  }
  return { clauses, broken }
}

function readShown(shown: string): { tests: string[]; planned?: string } {
  const planned = /^planned: (.+)$/.exec(shown)?.[1]
  if (planned !== undefined) return { tests: [], planned }
  return { tests: shown === 'none' ? [] : shown.split(' + ') }
}

function readRest(decision: string, place: string) {
  return {
    decisions: decision
      .split(',')
      .map((name) => name.trim())
      .filter(Boolean),
    places: place
      .split(' ; ')
      .map((name) => name.trim())
      .filter(Boolean),
  }
}
