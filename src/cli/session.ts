// The environment of commands that act over HTTP.
import type { CommandResult } from './context.ts'

export interface Session {
  readonly env: Readonly<Record<string, string | undefined>>
  out(text: string): void
  err(text: string): void
  inside(args: readonly string[]): Promise<CommandResult>
  /** The signal is aborted by Ctrl-C, or if nobody reads the output any more. */
  readonly stopped: AbortSignal
}

export function printEach(
  session: Session,
  input: { flag(option: string): boolean },
): (json: object, text: string) => void {
  const asJson = input.flag('json')
  return (json, text) => session.out(asJson ? JSON.stringify(json) : text)
}

export class CliError extends Error {
  readonly facts: Readonly<Record<string, unknown>>

  constructor(kind: string, reason: string, facts: Readonly<Record<string, unknown>> = {}) {
    super(reason)
    this.name = 'NotDone'
    this.facts = { kind, reason, ...facts }
  }
}
