// A double click sends the same form twice; both get the answer of one payment.
import { createHash } from 'node:crypto'

const formsMax = 500

type Once = (form: readonly (string | undefined)[], work: () => Promise<string>) => Promise<string>

/** Runs `work` once per content of a form, which names its rendering; what failed may be tried again. */
export function createOnce(): Once {
  const answers = new Map<string, Promise<string>>()
  return (form, work) => {
    const key = createHash('sha256').update(JSON.stringify(form)).digest('base64url')
    const known = answers.get(key)
    if (known !== undefined) return known
    const answer = work()
    answers.set(key, answer)
    answer.catch(() => answers.delete(key))
    const [oldest] = answers.keys()
    if (answers.size > formsMax && oldest !== undefined) answers.delete(oldest)
    return answer
  }
}
