// Options of `npm run simulate`, and the command that repeats a seed.
import { parseArgs } from 'node:util'

export interface Options {
  readonly seeds: number
  readonly seed: number
  readonly operations: number
  readonly jobs: number
  readonly keep: readonly number[] | undefined
  readonly trace: boolean
  /** Uses PostgreSQL in place of the embedded database. */
  readonly postgres: boolean
}

export const usage =
  'npm run simulate -- [--seeds N] [--operations M] [--seed S] [--jobs J] [--keep A,B,C] [--trace] [--postgres]'

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

export function replayLine(
  { operations, postgres }: Pick<Options, 'operations' | 'postgres'>,
  seed: number,
  keep?: readonly number[],
): string {
  const kept = keep === undefined ? '' : ` --keep ${keep.join(',')}`
  return `npm run simulate -- --seed ${seed} --operations ${operations}${postgres ? ' --postgres' : ''}${kept}`
}
