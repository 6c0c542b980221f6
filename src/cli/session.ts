// What a command has that acts as a merchant's program, by HTTP: its terminal, its environment, and when to stop.
import type { CommandResult } from './context.ts'

export interface Session {
  readonly env: Readonly<Record<string, string | undefined>>
  /** Prints a line of the answer. */
  out(text: string): void
  /** Prints a line about the answer, such as a connection that was lost. */
  err(text: string): void
  /** Runs a command on the gateway's database, as it is run by itself. */
  inside(args: readonly string[]): Promise<CommandResult>
  /** Aborted by Ctrl-C, or when nobody reads the answer any more. */
  readonly stopped: AbortSignal
}

/** Prints one thing of a stream: a line for people, or a line of JSON for programs. */
export function printEach(
  session: Session,
  input: { flag(option: string): boolean },
): (json: object, text: string) => void {
  const asJson = input.flag('json')
  return (json, text) => session.out(asJson ? JSON.stringify(json) : text)
}

/** Why a command that acts by HTTP did not succeed, in words and as JSON. */
export class CliError extends Error {
  readonly facts: Readonly<Record<string, unknown>>

  constructor(kind: string, reason: string, facts: Readonly<Record<string, unknown>> = {}) {
    super(reason)
    this.name = 'NotDone'
    this.facts = { kind, reason, ...facts }
  }
}
