// What `npm run simulate` is asked for, and the line that asks for one seed again.
import { parseArgs } from 'node:util'

export interface Options {
  /** How many, from {@link seed} on. */
  readonly seeds: number
  readonly seed: number
  /** Steps of the world in each. */
  readonly operations: number
  readonly jobs: number
  /** Lines of the plan to which a single seed is reduced. */
  readonly keep: readonly number[] | undefined
  /** Whether everything that happens is printed. */
  readonly trace: boolean
  /** Whether it runs on a PostgreSQL of its own rather than on the embedded database. */
  readonly postgres: boolean
}

export const usage =
  'npm run simulate -- [--seeds N] [--operations M] [--seed S] [--jobs J] [--keep A,B,C] [--trace] [--postgres]'

/** Throws a TypeError that says what would be right. */
export function readOptions(args: readonly string[]): Options {
  const { values } = parseArgs({
    args: [...args],
    options: {
      seeds: { type: 'string' },
      operations: { type: 'string', default: '40' },
      seed: { type: 'string' },
      jobs: { type: 'string', default: '1' },
      keep: { type: 'string' },
      trace: { type: 'boolean', default: false },
      postgres: { type: 'boolean', default: false },
    },
  })
  const keep = values.keep?.split(',').map((text) => wholeNumber('--keep', text, 0))
  const seeds = values.seeds ?? (values.seed === undefined ? '200' : '1')
  return {
    seeds: wholeNumber('--seeds', seeds, 1),
    seed: wholeNumber('--seed', values.seed ?? '1', 0),
    operations: wholeNumber('--operations', values.operations, 1),
    jobs: wholeNumber('--jobs', values.jobs, 1),
    keep,
    trace: values.trace,
    postgres: values.postgres,
  }
}

function wholeNumber(name: string, text: string, min: number): number {
  const value = Number(text)
  if (/^\d{1,9}$/.test(text) && value >= min) return value
  throw new TypeError(`${name} must be a whole number from ${min}, not "${text}"`)
}

/** The command that runs one seed again, or the part of it that was kept. */
export function replayLine(
  { operations, postgres }: Pick<Options, 'operations' | 'postgres'>,
  seed: number,
  keep?: readonly number[],
): string {
  const kept = keep === undefined ? '' : ` --keep ${keep.join(',')}`
  return `npm run simulate -- --seed ${seed} --operations ${operations}${postgres ? ' --postgres' : ''}${kept}`
}
