// Places of the specification: headings, rows, rules and bullets.

export interface Place {
  readonly heading: string
  readonly key: string
  /** Whether the specification says "not shown", so that a decision of ours is needed. */
  readonly open: boolean
}

const keyedByTwo = new Set(['Method', 'State'])

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

/** The cells of a Markdown row. `\|` is a bar inside a cell. Undefined for any other line. */
export function rowOf(line: string): string[] | undefined {
  const inner = /^\|(.+)\|\s*$/.exec(line)?.[1]
  return inner?.split(/(?<!\\)\|/).map((cell) => cell.trim().replaceAll('\\|', '|'))
}

function textKey(line: string): string {
  const rule = /^(\d+)\. /.exec(line)?.[1]
  if (rule !== undefined) return `rule ${rule}`
  return /^- ([^:(]+?)(?: \(|:)/.exec(line)?.[1] ?? ''
}
