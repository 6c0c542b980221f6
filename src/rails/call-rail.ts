// Calls to the outside end in time, and whatever is no answer is unclear: never a no (STYLE 3).
import type { UnclearAnswer } from './card-acquirer.ts'

/**
 * The rail's answer, or `unclear` when it throws or says nothing for `timeoutMs` (real time, because it
 * bounds a network call). `why` names the kind of failure only: the text of an error may quote a card.
 */
export async function callRail<Answer>(
  answer: Promise<Answer>,
  timeoutMs: number,
): Promise<Answer | UnclearAnswer> {
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<UnclearAnswer>((resolve) => {
    timer = setTimeout(() => resolve({ kind: 'unclear', why: `no answer within ${timeoutMs} ms` }), timeoutMs)
  })
  try {
    return await Promise.race([answer, timeout])
  } catch (error) {
    return { kind: 'unclear', why: `the rail failed with ${nameOf(error)}` }
  } finally {
    clearTimeout(timer)
  }
}

function nameOf(error: unknown): string {
  if (!(error instanceof Error)) return 'something that is no error'
  const { code } = error as { code?: unknown }
  return typeof code === 'string' && /^[A-Z0-9_]{1,40}$/.test(code) ? code : error.name
}
