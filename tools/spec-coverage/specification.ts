// Reads the specification as a list of places: headings, rows of tables, numbered rules, bullets.

/** One place that the map has to answer for. */
export interface Place {
  /** The heading and the one above it, such as `Endpoints › Checkout`. */
  readonly heading: string
  /** The first cell of a row, `rule 3`, or the first words of a bullet; empty for the heading and its prose. */
  readonly key: string
  /** Whether something there is "not shown", so that it takes a decision. */
  readonly open: boolean
}

/** Tables whose first column repeats; their rows are known by the first two cells. */
const keyedByTwo = new Set(['Method', 'State'])

/** Every place of the specification's Markdown, each once. */
export function placesOf(markdown: string): Place[] {
  const places = new Map<string, Place>()
  const trail = headingTrail()
  let cellsInKey = 0
  for (const line of markdown.split('\n')) {
    const heading = trail(line)
    if (heading === '') continue
    const row = rowOf(line)
    if (row === undefined) cellsInKey = 0
    else if (cellsInKey === 0) {
      cellsInKey = keyedByTwo.has(row[0] ?? '') ? 2 : 1
      continue
    }
    const key = row === undefined ? textKey(line) : row.slice(0, cellsInKey).join(' ')
    if (row?.every((cell) => /^[:-]+$/.test(cell))) continue
    const name = `${heading}|${key}`
    places.set(name, { heading, key, open: line.includes('not shown') || places.get(name)?.open === true })
  }
  return [...places.values()]
}

/** Keeps the way down to the current heading: second level, and third level behind it. */
export function headingTrail(): (line: string) => string {
  let upper = ''
  let lower = ''
  return (line) => {
    const [, marks, title] = /^(##+) (.+)$/.exec(line) ?? []
    if (marks === '##') {
      upper = title?.trim() ?? ''
      lower = ''
    } else if (title !== undefined) lower = title.trim()
    return lower === '' ? upper : `${upper} › ${lower}`
  }
}

/** The cells of a line that is a Markdown row, `\|` standing for a bar inside a cell; else undefined. */
export function rowOf(line: string): string[] | undefined {
  const inner = /^\|(.+)\|\s*$/.exec(line)?.[1]
  return inner?.split(/(?<!\\)\|/).map((cell) => cell.trim().replaceAll('\\|', '|'))
}

function textKey(line: string): string {
  const rule = /^(\d+)\. /.exec(line)?.[1]
  if (rule !== undefined) return `rule ${rule}`
  return /^- ([^:(]+?)(?: \(|:)/.exec(line)?.[1] ?? ''
}
