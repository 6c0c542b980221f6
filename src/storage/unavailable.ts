// Errors that mean an unavailable database.
import { DatabaseUnavailable } from './database.ts'

const systemErrors = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'ENOENT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EAI_AGAIN',
])

/** SQL states of a lost connection, shutdown, start-up or standby (PostgreSQL, appendix A). */
const lostStates = /^(08...|57P0[123]|25006)$/
/** SQL states of insufficient resources (class 53) and disk errors. */
const exhaustedStates = /^(53...|58030)$/

export function unavailable(error: unknown): DatabaseUnavailable | undefined {
  if (!(error instanceof Error) || error instanceof DatabaseUnavailable) return undefined
  const { code } = error as { code?: string }
  if (code === undefined) return hasLostConnection(error) ? new DatabaseUnavailable(error) : undefined
  if (isOutOfResources(error)) return new DatabaseUnavailable(error, exhaustedReason(code))
  return systemErrors.has(code) || lostStates.test(code) ? new DatabaseUnavailable(error) : undefined
}

export function isOutOfResources(error: unknown): boolean {
  const { code } = error as { code?: unknown }
  return typeof code === 'string' && exhaustedStates.test(code)
}

function exhaustedReason(code: string): string {
  return code === '53100'
    ? 'the disk of the database is full'
    : `the database has run out of memory, connections or another resource (SQLSTATE ${code})`
}

const lostMessages =
  /connection terminated|timeout exceeded when trying to connect|timeout expired|client was closed|not queryable/i

function hasLostConnection({ message }: Error): boolean {
  return lostMessages.test(message)
}
