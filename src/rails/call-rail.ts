// Calls to rails begin in time and end in time; a missing answer is an unclear answer, never a decline.
import type { UnclearAnswer } from './card-acquirer.ts'
import type { MayStart } from './start-in-time.ts'

/**
 * The rail's answer, or `unclear` when it throws or does not answer within `timeoutMs` (real time, because it
 * bounds a network call). A call whose time is over is cancelled by its signal. `why` names the kind of failure
 * only: the text of an error may quote a card.
 *
 * @param ask makes the call, and passes the signal to the rail
 * @param mayStart asked immediately before a call that moves money; where it answers false, the rail is not called
 */
export async function callRail<Answer>(
  ask: (signal: AbortSignal) => Promise<Answer>,
  timeoutMs: number,
  mayStart?: MayStart,
): Promise<Answer | UnclearAnswer> {
  const call = new AbortController()
  let timer: NodeJS.Timeout | undefined
  try {
    if (mayStart !== undefined && !(await mayStart()))
      return { kind: 'unclear', why: 'too late to be asked: the resolver asks what became of it' }
    const timeout = new Promise<UnclearAnswer>((resolve) => {
      timer = setTimeout(() => {
        resolve({ kind: 'unclear', why: `no answer within ${timeoutMs} ms` })
        call.abort()
      }, timeoutMs)
    })
    return await Promise.race([ask(call.signal), timeout])
  } catch (error) {
    return { kind: 'unclear', why: `the rail failed with ${nameOf(error)}` }
  } finally {
    clearTimeout(timer)
  }
}

function nameOf(error: unknown): string {
  if (!(error instanceof Error)) return 'something that is not an error'
  const { code } = error as { code?: unknown }
  return typeof code === 'string' && /^[A-Z0-9_]{1,40}$/.test(code) ? code : error.name
}
