// Table of metrics in docs/observability.md.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

export interface DocumentedMetric {
  /** `*` for a row about a family. */
  readonly name: string
  readonly type: string
  readonly alerts: readonly string[]
}

export function documentedMetrics(): DocumentedMetric[] {
  const text = readFileSync(join(import.meta.dirname, '../../docs/observability.md'), 'utf8')
  const [, table = ''] = text.split('\n## Metrics\n')
  const [section = ''] = table.split('\n## ')
  const rows = [...section.matchAll(/^\| `([^`]+)` *\| *(\w*) *\|[^|]+\|([^|]*)\|$/gm)]
  return rows.map(([, name = '', type = '', alerts = '']) => ({
    name,
    type,
    alerts: [...alerts.matchAll(/`(\w+)`/g)].map(([, alert = '']) => alert),
  }))
}
