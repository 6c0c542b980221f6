// Prints what was measured: a table for people and JSON for programs.

export interface Measurement {
  readonly what: string
  readonly connections: number
  readonly perSecond: number
  readonly p50Ms: number
  readonly p99Ms: number
  readonly failures?: number
  readonly memoryMb?: number
  /** Throughput divided by the bare loop's at as many connections. */
  readonly ratio?: number
}

const columns = ['what', 'conn', 'req/s', 'p50 ms', 'p99 ms', 'failed', 'RSS MiB', '÷ bare loop'] as const

/** The measurements as an aligned table. */
export function tableOf(measurements: readonly Measurement[]): string {
  const rows = measurements.map((measured) => [
    measured.what,
    String(measured.connections),
    measured.perSecond.toFixed(0),
    measured.p50Ms.toFixed(1),
    measured.p99Ms.toFixed(1),
    measured.failures === undefined ? '' : String(measured.failures),
    measured.memoryMb === undefined ? '' : String(measured.memoryMb),
    measured.ratio === undefined ? '' : measured.ratio.toFixed(2),
  ])
  const widths = columns.map((column, index) =>
    Math.max(column.length, ...rows.map((row) => row[index]?.length ?? 0)),
  )
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, index) => (index === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[index] ?? 0)))
      .join('  ')
  return [line(columns), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n')
}
