// Dashboards and alerts use existing metrics in valid PromQL.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parser } from '@prometheus-io/lezer-promql'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { documentedMetrics } from '../telemetry/documented-metrics.ts'

const folder = join(import.meta.dirname, '../../deploy/observability')
const documented = documentedMetrics()

interface Panel {
  readonly title: string
  readonly targets: readonly { readonly expr: string }[]
}
interface Rule {
  readonly alert: string
  readonly expr: string
  readonly annotations: { readonly summary: string; readonly description: string }
}

const dashboard = JSON.parse(readFileSync(join(folder, 'dashboard.json'), 'utf8')) as { panels: Panel[] }
const alerts = parse(readFileSync(join(folder, 'alerts.yaml'), 'utf8')) as { groups: { rules: Rule[] }[] }
const rules = alerts.groups.flatMap((group) => group.rules)
const expressions = [
  ...dashboard.panels.flatMap(({ title, targets }) => targets.map(({ expr }) => [title, expr] as const)),
  ...rules.map(({ alert, expr }) => [alert, expr] as const),
]

function metricsIn(expression: string): string[] {
  // Grafana replaces it with a duration.
  const text = expression.replaceAll('$__rate_interval', '5m')
  const names: string[] = []
  parser.parse(text).iterate({
    enter({ type, from, to, node }) {
      if (type.isError) throw new Error(`no PromQL at ${from}: ${text}`)
      if (node.name === 'Identifier' && node.parent?.name === 'VectorSelector')
        names.push(text.slice(from, to))
    },
  })
  return names
}

function exists(name: string): boolean {
  // Prometheus makes this metric.
  if (name === 'up') return true
  const family = name.replace(/_(bucket|count|sum)$/, '')
  return (
    documented.some((metric) => metric.name === name) ||
    documented.some((metric) => metric.name === family && metric.type === 'histogram') ||
    /^(process_(start_time_seconds|open_fds|max_fds|resident_memory_bytes|cpu_seconds_total)|nodejs_eventloop_lag_p99_seconds)$/.test(
      name,
    )
  )
}

it.each(expressions)('%s asks for metrics that exist: %s', (_, expression) => {
  const names = metricsIn(expression)
  expect(names.length).toBeGreaterThan(0)
  expect(names.filter((name) => !exists(name))).toEqual([])
})

it('an invalid expression and an unknown metric are found', () => {
  expect(() => metricsIn('sum(rate(x[5m])')).toThrow('no PromQL')
  expect(metricsIn('sum(comporta_callback_due{job="comporta"})').filter((name) => !exists(name))).toEqual([
    'comporta_callback_due',
  ])
})

describe('docs/observability.md', () => {
  it('names every alert in the row of its metric, and no other', () => {
    const named = documented.flatMap(({ alerts: list }) => list)
    // These two alerts ask whether Prometheus reaches a process at all.
    const ours = rules.map(({ alert }) => alert).filter((name) => !/Down|NobodyAnswers/.test(name))
    expect(named.toSorted()).toEqual(ours.toSorted())
    for (const { alert, expr } of rules) {
      const beside = documented.find(({ alerts: list }) => list.includes(alert))
      if (beside === undefined) continue
      const watched = new RegExp(`^${beside.name.replace('*', '.*')}(_bucket|_count)?$`)
      expect(metricsIn(expr).some((name) => watched.test(name))).toBe(true)
    }
  })

  it('every alert names the first thing to do', () => {
    for (const { annotations } of rules) {
      expect(annotations.summary).not.toBe('')
      expect(annotations.description).toMatch(/\.$/)
    }
  })
})
