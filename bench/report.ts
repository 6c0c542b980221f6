// Report of the bench: tables for people, JSON for programs.
import { readFileSync, writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { join } from 'node:path'
import type { Features } from './features.ts'
import type { Measurement } from './measure.ts'

type Cells = readonly string[]

type Columns = Readonly<Record<string, (measured: Measurement) => string>>

const columns: Columns = {
  load: ({ what }) => what,
  conn: ({ connections }) => String(connections),
  'per s': ({ perSecond }) => fixed(perSecond),
  'delivered/s': ({ delivered }) => fixed(delivered?.perSecond),
  'p50 ms': ({ p50Ms }) => fixed(p50Ms, 1),
  'p99 ms': ({ p99Ms }) => fixed(p99Ms, 1),
  failed: ({ failures, delivered }) =>
    fixed(failures === undefined ? undefined : failures + (delivered?.missing ?? 0)),
  late: ({ delivered }) => fixed(delivered?.late),
  'backlog s': ({ delivered }) => fixed(delivered?.backlogSeconds, 1),
  MiB: ({ memoryMb }) => fixed(memoryMb),
  '÷ bare': ({ ratio }) => fixed(ratio, 2),
  '÷ limit': ({ limitRatio }) => fixed(limitRatio, 2),
  goal: ({ goal }) => (goal === undefined ? '' : `${goal.text}: ${goal.met ? 'met' : 'missed'}`),
}
const costColumns: Columns = {
  'each costs': ({ what }) => what,
  conn: ({ connections }) => String(connections),
  'gateway µs': ({ costs }) => fixed(costs?.cpuMicros.gateway),
  'PostgreSQL µs': ({ costs }) => fixed(costs?.cpuMicros.postgres),
  'generator µs': ({ costs }) => fixed(costs?.cpuMicros.generator),
  'receiver µs': ({ costs }) => fixed(costs?.cpuMicros.receiver),
  'WAL bytes': ({ costs }) => fixed(costs?.walBytes),
  commits: ({ costs }) => fixed(costs?.commits, 3),
  statements: ({ costs }) => fixed(costs?.statements, 3),
  HOT: ({ costs }) => percent(costs?.hotShare),
  idle: ({ costs }) => percent(costs?.idleShare),
}

export function tablesOf(measurements: readonly Measurement[]): string {
  const costs = measurements.filter(({ costs }) => costs !== undefined)
  const tables = [tableOf(columns, measurements)]
  if (costs.length > 0) tables.push(tableOf(costColumns, costs))
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

function tableOf(shown: Columns, rows: readonly Measurement[]): string {
  const cells = rows.map((row) => Object.values(shown).map((cell) => cell(row)))
  return table(Object.keys(shown), cells)
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
