// Tables of the site: columns of numbers, rows with anchors, and blocks on phones.

/** The part of a token that this file uses. */
export interface TableToken {
  readonly type: string
  readonly content: string
  tag: string
  children: TableToken[] | null
  attrs: [string, string][] | null
  attrGet(name: string): string | null
  attrSet(name: string, value: string): void
  attrJoin(name: string, value: string): void
}

/** ARIA roles for a table that phones show as blocks, because browsers no longer see a table there. */
const roles: Readonly<Record<string, string>> = {
  table_open: 'table',
  thead_open: 'rowgroup',
  tbody_open: 'rowgroup',
  tr_open: 'row',
  th_open: 'columnheader',
  td_open: 'cell',
}

export function readTables(tokens: readonly TableToken[]): void {
  const named = new Set<string>()
  for (const [index, token] of tokens.entries()) {
    alignByClass(token)
    nameRow(token, tokens[index + 2], named)
  }
  for (const [index, token] of tokens.entries()) {
    if (token.type !== 'table_open') continue
    const end = tokens.findIndex(({ type }, at) => at > index && type === 'table_close')
    readBlocks(tokens.slice(index, end))
  }
}

/** Gives each cell the heading of its column. On phones it is shown before the cell. */
function readBlocks(table: readonly TableToken[]): void {
  const heads = table.flatMap(({ type }, at) => (type === 'th_open' ? [table[at + 1]?.content ?? ''] : []))
  table[0]?.attrJoin('class', 'blocks')
  let column = 0
  for (const token of table) {
    const role = roles[token.type]
    if (role !== undefined) token.attrSet('role', role)
    if (token.type === 'tr_open') column = 0
    if (token.type === 'td_open') token.attrSet('data-head', (heads[column++] ?? '').replaceAll('`', ''))
  }
}

/** Aligns columns of numbers by a class, because the policy of the pages forbids style attributes. */
function alignByClass(token: TableToken): void {
  const style = token.attrGet('style')
  if (style === null || !/^t[hd]_open$/.test(token.type)) return
  token.attrs = (token.attrs ?? []).filter(([name]) => name !== 'style')
  token.attrJoin('class', style.replace('text-align:', ''))
}

/**
 * Gives rows anchors. The `link` of an error leads to the row with its code. A word such as `NO_ENDPOINT` leads to its first row.
 */
function nameRow(token: TableToken, first: TableToken | undefined, named: Set<string>): void {
  if (token.type !== 'tr_open') return
  const [, code, word] =
    /^(?:<a id="\d{5}"><\/a>(\d{5})|`([A-Z][A-Z_]{2,})`)$/.exec(first?.content ?? '') ?? []
  const id = code ?? word
  if (id === undefined || named.has(id)) return
  named.add(id)
  token.attrSet('id', id)
  // The row has the anchor now, so the cell does not need it.
  if (code !== undefined && first)
    first.children = (first.children ?? []).filter(({ type }) => type === 'text')
}
