// Drawing of the payment badge.
import { gateDrawing, type Palette, palettes, waterDrawing } from '../../src/brand/button/palettes.ts'
import { purseDrawing } from '../../src/methods/balance/facts.ts'
import { cardDrawing } from '../../src/methods/cards/facts.ts'
import { machineDrawing } from '../../src/methods/multibanco/facts.ts'

/** Attributes of the script element. Only known words count, so page text never becomes markup. */
export interface BadgeOptions {
  /** regular, light or dark. Default: regular. */
  readonly style?: string
  /** Comma list of CC, MB and WALLET. Default: all. */
  readonly methods?: string
  /** pt or en. Default: pt. */
  readonly culture?: string
}

const styles = new Map<string, Palette>([
  ['light', palettes.LIGHT],
  ['dark', palettes.DARK],
])

const portuguese = {
  lang: 'pt-PT',
  title: 'Pagamento seguro com Comporta',
  methods: ['Cartão', 'Multibanco', 'Carteira'],
}
const english = {
  lang: 'en',
  title: 'Secure payment with Comporta',
  methods: ['Card', 'Multibanco', 'Wallet'],
}

const shownMethods = [
  { code: 'CC', drawing: cardDrawing },
  { code: 'MB', drawing: machineDrawing },
  { code: 'WALLET', drawing: purseDrawing },
]

/** Path data, colour and width. */
type Stroke = readonly [data: string, color: string, width: number]

/** A shadow root keeps styles of the page out. */
export function drawBadge({ style, methods, culture }: BadgeOptions): HTMLElement {
  const palette = styles.get(wordIn(style)) ?? palettes.REGULAR
  const words = wordIn(culture) === 'en' ? english : portuguese
  const asked = (methods ?? '').toUpperCase().split(/[\s,]+/)
  const anyKnown = shownMethods.some(({ code }) => asked.includes(code))

  const list = element('ul', {
    ...row,
    flexWrap: 'wrap',
    gap: '6px 12px',
    listStyle: 'none',
    fontWeight: '400',
  })
  for (const [index, { code, drawing: data }] of shownMethods.entries()) {
    if (anyKnown && !asked.includes(code)) continue
    const item = element('li', row)
    const stroke = [data, palette.ink, 1.5] as const
    item.append(drawing('0 0 24 16', [24, 16], [stroke]), words.methods[index] ?? '')
    list.append(item)
  }

  const title = element('span', row)
  const strokes: Stroke[] = [
    [gateDrawing, palette.ink, 3],
    [waterDrawing, palette.accent, 3],
  ]
  title.append(drawing('5 5 22 22', [20, 20], strokes), words.title)

  const box = element('div', {
    ...row,
    flexWrap: 'wrap',
    gap: '6px 16px',
    boxSizing: 'border-box',
    maxWidth: '100%',
    padding: '8px 14px',
    border: `1px solid ${palette.outline}`,
    borderRadius: '10px',
    background: palette.fill,
    color: palette.ink,
    font: '600 14px/20px system-ui, sans-serif',
  })
  box.lang = words.lang
  box.append(title, list)

  const container = element('div', { all: 'initial', display: 'inline-block', maxWidth: '100%' })
  container.className = 'comporta-badge'
  container.attachShadow({ mode: 'open' }).append(box)
  return container
}

const row = { display: 'inline-flex', alignItems: 'center', gap: '6px', margin: '0', padding: '0' }

/** Properties, because a strict Content-Security-Policy forbids style elements and attributes. */
function element(name: 'div' | 'span' | 'ul' | 'li', style: Partial<CSSStyleDeclaration>): HTMLElement {
  const made = document.createElement(name)
  Object.assign(made.style, style)
  return made
}

/** Hidden from screen readers: text is next to it. */
function drawing(viewBox: string, [width, height]: readonly [number, number], strokes: readonly Stroke[]) {
  const svg = svgElement('svg', { viewBox, width, height, fill: 'none', 'aria-hidden': true })
  svg.style.flex = 'none'
  for (const [d, stroke, width] of strokes) {
    const shape = { d, stroke, 'stroke-width': width, 'stroke-linecap': 'round', 'stroke-linejoin': 'round' }
    svg.append(svgElement('path', shape))
  }
  return svg
}

function svgElement(name: 'svg' | 'path', attributes: Readonly<Record<string, string | number | boolean>>) {
  const made = document.createElementNS('http://www.w3.org/2000/svg', name)
  for (const [attribute, value] of Object.entries(attributes)) made.setAttribute(attribute, String(value))
  return made
}

function wordIn(written: string | undefined): string {
  return written?.trim().toLowerCase() ?? ''
}
