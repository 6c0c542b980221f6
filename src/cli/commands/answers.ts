// Results of commands, and tables.
import type { Refusal } from '../../kernel/result.ts'
import type { CommandResult } from '../context.ts'
import { visibleInLine } from '../escape-control-characters.ts'

export function done(json: unknown, text: string): CommandResult {
  return { json, text, exitCode: 0 }
}

export function refused({ kind, reason }: Pick<Refusal, 'reason'> & { kind: string }): CommandResult {
  return { json: { error: { kind, reason } }, text: reason, exitCode: 1 }
}

export function misused(reason: string): CommandResult {
  return { json: { error: { kind: 'usage', reason } }, text: reason, exitCode: 2 }
}

export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [head, ...rows].map((line) => line.map(visibleInLine))
  const widths = head.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)))
  return lines
    .map((line) =>
      line
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}
