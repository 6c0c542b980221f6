// What a check of a set-up found, and what the checks share.
import type { Config } from '../../config.ts'
import type { CommandResult } from '../context.ts'

export interface Finding {
  readonly check: string
  /** `skipped`: what it needs is not there, and need not be. */
  readonly state: 'ok' | 'warning' | 'wrong' | 'skipped'
  /** What was seen. */
  readonly detail: string
  /** What to do about it; of warnings and what is wrong. */
  readonly mend?: string
}

/** What is examined. */
export interface SetUp {
  readonly config: Config
  /** Public address of the gateway. */
  readonly baseUrl: string
  /** Aborted when the person who asked has had enough. */
  readonly stopped: AbortSignal
  /** Runs a command on the gateway's database, as the operator would. */
  inside(args: readonly string[]): Promise<CommandResult>
}

/** How long a gateway, a database or a merchant's program may take to answer. */
const timeoutMs = 5000

/** Aborted when an answer has taken too long, or nobody waits for it any more. */
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

/** Why something failed, in the words of the system. */
export function reasonOf(error: unknown): string {
  const { cause, message, name } = error as Error & { cause?: { code?: string; message?: string } }
  if (name === 'TimeoutError') return 'no answer in time'
  return cause?.code ?? cause?.message ?? message
}
