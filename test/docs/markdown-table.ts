// A table of Markdown with its columns aligned, as the generated parts of the documentation are written.

/** @param rows cells that hold no `|` of their own */
export function markdownTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((_, at) => Math.max(3, ...[head, ...rows].map((cells) => (cells[at] ?? '').length)))
  const line = (cells: readonly string[], fill = ' ') =>
    `| ${widths.map((width, at) => (cells[at] ?? '').padEnd(width, fill)).join(' | ')} |`
  const rule = line([], '-')
  return [line(head), rule, ...rows.map((cells) => line(cells))].join('\n')
}

export const code = (text: string) => `\`${text}\``
