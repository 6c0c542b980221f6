// Diagrams of the site: Mermaid text → SVG.
import { renderMermaidSVG } from 'beautiful-mermaid'

/** Draws a diagram as a figure, with a list of the same steps for screen readers. */
export function drawingOf(source: string): string {
  const steps = stepsOf(source)
  const label = /^\s*accTitle:\s*(.+)$/m.exec(source)?.[1] ?? 'Diagram'
  const drawing = renderMermaidSVG(source.replaceAll(/^\s*accTitle:.*\n/gm, ''), { transparent: true })
    // Removes a font that another host serves, and colours that docs.css sets.
    .replace(/<style>[\s\S]*?<\/style>/, '')
    .replace(/<svg ([^>]*?) style="[^"]*"/, `<svg $1 role="img" aria-label="${escaped(label)}"`)
    .replaceAll('{', '&#123;')
  const text = steps.map((step) => `<li>${escaped(step)}</li>`).join('')
  const list =
    steps.length === 0 ? '' : `<details><summary>The same as text</summary><ol>${text}</ol></details>`
  return `<figure class="diagram" v-pre><div tabindex="0">${drawing}</div>${list}</figure>\n`
}

/** The messages of a sequence diagram, such as `Your server to Comporta: POST /api/v2/checkout`. */
function stepsOf(source: string): string[] {
  const names = new Map(
    [...source.matchAll(/^\s*(?:participant|actor) (\w+)(?: as (.+))?$/gm)].map(([, id = '', name]) => [
      id,
      name ?? id,
    ]),
  )
  return [...source.matchAll(/^\s*(?:(\w+)-{1,2}>>?(\w+)|Note over [\w,]+):\s*(.+)$/gm)].map(
    ([, from, to, what = '']) => {
      if (from === undefined || to === undefined) return what
      const whom = from === to ? '' : ` to ${names.get(to) ?? to}`
      return `${names.get(from) ?? from}${whom}: ${what}`
    },
  )
}

function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('"', '&quot;')
    .replaceAll('{', '&#123;')
}
