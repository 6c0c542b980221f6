// Findings of the doctor, and helpers of its checks.
import type { Config } from '../../config.ts'
import type { CommandResult } from '../context.ts'

export interface Finding {
  readonly check: string
  readonly state: 'ok' | 'warning' | 'wrong' | 'skipped'
  readonly detail: string
  /** The action to take. Absent if nothing is wrong. */
  readonly mend?: string
}

export interface SetUp {
  readonly config: Config
  readonly baseUrl: string
  readonly stopped: AbortSignal
  inside(args: readonly string[]): Promise<CommandResult>
}

const timeoutMs = 5000

export function inTime({ stopped }: Pick<SetUp, 'stopped'>): AbortSignal {
  return AbortSignal.any([stopped, AbortSignal.timeout(timeoutMs)])
}

export function fine(check: string, detail: string): Finding {
  return { check, state: 'ok', detail }
}

export function skipped(check: string, detail: string): Finding {
  return { check, state: 'skipped', detail }
}

export function warning(check: string, detail: string, mend: string): Finding {
  return { check, state: 'warning', detail, mend }
}

export function wrong(check: string, detail: string, mend: string): Finding {
  return { check, state: 'wrong', detail, mend }
}

export function reasonOf(error: unknown): string {
  const { cause, message, name } = error as Error & { cause?: { code?: string; message?: string } }
  if (name === 'TimeoutError') return 'no answer in time'
  return cause?.code ?? cause?.message ?? message
}
