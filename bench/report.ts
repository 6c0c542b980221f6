// Report of the bench: tables for people, JSON for programs.
import { readFileSync, writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { join } from 'node:path'
import type { Features } from './features.ts'
import type { Measurement } from './measure.ts'

type Cells = readonly string[]

const heads: Cells = [
  'what',
  'conn',
  'per s',
  'delivered/s',
  'p50 ms',
  'p99 ms',
  'failed',
  'late',
  'backlog s',
  'MiB',
  '÷ bare',
  '÷ limit',
  'goal',
]
const costHeads: Cells = [
  'each costs',
  'conn',
  'gateway µs',
  'PostgreSQL µs',
  'generator µs',
  'receiver µs',
  'WAL bytes',
  'commits',
  'statements',
  'HOT',
  'idle',
]

export function tablesOf(measurements: readonly Measurement[]): string {
  const costs = measurements.filter(({ costs }) => costs !== undefined)
  const tables = [table(heads, measurements.map(cellsOf))]
  if (costs.length > 0) tables.push(table(costHeads, costs.map(costCellsOf)))
  return [...tables, ...measurements.flatMap(featureTablesOf)].join('\n\n')
}

function featureTablesOf({ what, connections, features }: Measurement): string[] {
  if (features === undefined) return []
  const of = `${what}, ${connections} connections`
  const rows = (list: Features['micros']) => list.map(({ name, each }) => [name, fixed(each)])
  return [
    table([`${of}: module`, 'PostgreSQL µs'], rows(features.micros)),
    table([`${of}: table`, 'WAL bytes'], rows(features.bytes)),
  ]
}

const docs = join(import.meta.dirname, '..', 'docs', 'performance.md')
const section = /(?<=^## The last run\n\n)[\s\S]*?(?=\n## )/m

export function writeDocs(report: string): void {
  const text = readFileSync(docs, 'utf8')
  if (!section.test(text)) throw new Error('docs/performance.md has no section "The last run"')
  const day = new Date().toISOString().slice(0, 10)
  const where = `${day}, ${cpus().length} cores (${cpus()[0]?.model.trim()}), Node ${process.versions.node}.`
  writeFileSync(
    docs,
    text.replace(section, () => `${where}\n\n${report}`),
  )
}

function cellsOf(measured: Measurement): Cells {
  const { delivered, goal } = measured
  return [
    measured.what,
    String(measured.connections),
    fixed(measured.perSecond),
    fixed(delivered?.perSecond),
    fixed(measured.p50Ms, 1),
    fixed(measured.p99Ms, 1),
    fixed(measured.failures === undefined ? undefined : measured.failures + (delivered?.missing ?? 0)),
    fixed(delivered?.late),
    fixed(delivered?.backlogSeconds, 1),
    fixed(measured.memoryMb),
    fixed(measured.ratio, 2),
    fixed(measured.limitRatio, 2),
    goal === undefined ? '' : `${goal.text}: ${goal.met ? 'met' : 'missed'}`,
  ]
}

function costCellsOf({ what, connections, costs }: Measurement): Cells {
  const cpu = costs?.cpuMicros
  return [
    what,
    String(connections),
    fixed(cpu?.gateway),
    fixed(cpu?.postgres),
    fixed(cpu?.generator),
    fixed(cpu?.receiver),
    fixed(costs?.walBytes),
    fixed(costs?.commits, 3),
    fixed(costs?.statements, 3),
    percent(costs?.hotShare),
    percent(costs?.idleShare),
  ]
}

function percent(part: number | undefined): string {
  return part === undefined ? '' : `${fixed(part * 100)}%`
}

function fixed(value: number | undefined, digits = 0): string {
  return value === undefined ? '' : value.toFixed(digits)
}

function table(head: Cells, rows: readonly Cells[]): string {
  const widths = head.map((title, column) =>
    Math.max(3, title.length, ...rows.map((row) => row[column]?.length ?? 0)),
  )
  const isText = (column: number) => column === 0 || head[column] === 'goal'
  const line = (cells: Cells) => {
    const padded = cells.map((cell, column) =>
      isText(column) ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0),
    )
    return `| ${padded.join(' | ')} |`
  }
  const rule = widths.map((width, column) =>
    isText(column) ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`,
  )
  return [line(head), `| ${rule.join(' | ')} |`, ...rows.map(line)].join('\n')
}
