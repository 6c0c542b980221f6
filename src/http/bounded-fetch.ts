// `fetch` with a size limit on the answer.

/** Enough for any answer of a provider: most have a few kB, lists a few hundred kB. */
const answerBytesMax = 1024 * 1024

class AnswerTooLong extends Error {
  readonly code = 'ANSWER_TOO_LONG'
}

/** Reads the whole body, at most `bytesMax` unpacked. Throws an error with the code `ANSWER_TOO_LONG`. */
export async function boundedFetch(
  input: string | URL | Request,
  init?: RequestInit,
  bytesMax = answerBytesMax,
): Promise<Response> {
  // biome-ignore lint/style/noRestrictedGlobals: the one place that calls it
  const answer = await fetch(input, init)
  if (answer.body === null) return answer
  const chunks: Uint8Array[] = []
  let left = bytesMax
  for await (const chunk of answer.body) {
    left -= chunk.length
    if (left < 0) throw new AnswerTooLong()
    chunks.push(chunk)
  }
  const { status, statusText, headers } = answer
  return new Response(Buffer.concat(chunks), { status, statusText, headers })
}
