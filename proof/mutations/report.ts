// What became of an area's mutants: how many were killed, and those that survived without an explanation.
import { readFileSync } from 'node:fs'
import { relative } from 'node:path'
import type { Mutant } from '../../tools/mutations/mutate-area.ts'
import { explanations } from './survivors.ts'

/** Of the mutants of an area, in percent. */
const killedPercentMin = 90

const deadStates: readonly Mutant['status'][] = ['Killed', 'Timeout']
const countedStates: readonly Mutant['status'][] = [...deadStates, 'Survived', 'NoCoverage', 'RuntimeError']

export interface AreaReport {
  /** A row of the table in docs/reliability.md. */
  readonly line: string
  /** A line for each survivor. */
  readonly unexplained: readonly string[]
  readonly enough: boolean
}

export function reportOf(name: string, mutants: readonly Mutant[]): AreaReport {
  const counted = mutants.filter(({ status }) => countedStates.includes(status))
  const survivors = counted.filter(({ status }) => !deadStates.includes(status))
  const unexplained = survivors.filter((mutant) => !isExplained(mutant))
  const killed = counted.length - survivors.length
  const percent = (100 * killed) / Math.max(counted.length, 1)
  return {
    line: `| ${[name, counted.length, killed, `${percent.toFixed(1)}%`, survivors.length - unexplained.length].join(' | ')} |`,
    unexplained: unexplained.map(
      (mutant) =>
        `  ${mutant.status} ${fileOf(mutant)}:${lineOf(mutant)} ${originalOf(mutant)} → ${replacementOf(mutant)}`,
    ),
    enough: percent >= killedPercentMin,
  }
}

function isExplained(mutant: Mutant): boolean {
  const own = explanations.filter(({ file }) => file === fileOf(mutant))
  return own.some(({ from, to }) => from === originalOf(mutant) && to === replacementOf(mutant))
}

function fileOf({ fileName }: Mutant): string {
  return relative(process.cwd(), fileName)
}

function lineOf({ location }: Mutant): number {
  return location.start.line
}

/** The text that was changed, in one line. Lines and columns are counted from 1. */
function originalOf({ fileName, location: { start, end } }: Mutant): string {
  const lines = readFileSync(fileName, 'utf8')
    .split('\n')
    .slice(start.line - 1, end.line)
  const last = lines.length - 1
  lines[last] = (lines[last] ?? '').slice(0, end.column - 1)
  lines[0] = (lines[0] ?? '').slice(start.column - 1)
  return inOneLine(lines.join('\n'))
}

function replacementOf({ replacement = '' }: Mutant): string {
  return inOneLine(replacement)
}

function inOneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}
