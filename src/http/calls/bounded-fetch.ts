// `fetch` for the whole program: what another program answers is read up to a size, and no further.

/** Answers of providers have a few kB; lists have some hundred. */
const answerBytesMax = 1024 * 1024

/** Thrown where the body is read. */
class AnswerTooLong extends Error {
  readonly code = 'ANSWER_TOO_LONG'
}

/** @param bytesMax of the body, unpacked */
export async function boundedFetch(
  input: string | URL | Request,
  init?: RequestInit,
  bytesMax = answerBytesMax,
): Promise<Response> {
  // biome-ignore lint/style/noRestrictedGlobals: the one place that calls it
  const answer = await fetch(input, init)
  if (answer.body === null) return answer
  let left = bytesMax
  const counting = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      left -= chunk.length
      if (left < 0) controller.error(new AnswerTooLong())
      else controller.enqueue(chunk)
    },
  })
  const { status, statusText, headers } = answer
  return new Response(answer.body.pipeThrough(counting), { status, statusText, headers })
}
