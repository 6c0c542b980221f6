// Lines of fixed columns, as the files of the network have them: digits with zeros before, texts with blanks behind.

/** Digits, right-aligned with zeros; throws where they do not fit, for a cut number would be another one. */
export function digits(value: bigint | number | string, length: number): string {
  const text = String(value)
  if (!/^\d*$/.test(text) || text.length > length) throw new Error(`${text} does not fit ${length} digits`)
  return text.padStart(length, '0')
}

/** A day `yyyy-mm-dd` as `yyyymmdd`. */
export function compactDay(day: string): string {
  return day.replaceAll('-', '')
}

/** What is wrong with a file, and in which of its lines, counted from 1. */
export class FileRefused extends Error {
  constructor(why: string, line?: number) {
    super(line === undefined ? why : `line ${line}: ${why}`)
    this.name = 'FileRefused'
  }
}

/** Takes the columns of a line one after the other. */
export function columnsOf(text: string, line: number) {
  let at = 0
  function take(length: number): string {
    const taken = text.slice(at, at + length)
    at += length
    return taken
  }
  return {
    skip: (length: number) => void take(length),
    text: (length: number) => take(length).trim(),
    /** Refuses the file where they are not all digits. */
    digits(length: number, what: string): string {
      const from = at + 1
      const taken = take(length)
      if (!/^\d+$/.test(taken))
        throw new FileRefused(`${what} (columns ${from} to ${at}) must be ${length} digits`, line)
      return taken
    },
  }
}
