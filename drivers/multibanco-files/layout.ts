// Lines of fixed columns: digits with leading zeros, texts with trailing blanks.

export function digits(value: bigint | number | string, length: number): string {
  const text = String(value)
  if (!/^\d*$/.test(text) || text.length > length) throw new Error(`${text} does not fit ${length} digits`)
  return text.padStart(length, '0')
}

export function compactDay(day: string): string {
  return day.replaceAll('-', '')
}

export class FileRefused extends Error {
  constructor(why: string, line?: number) {
    super(line === undefined ? why : `line ${line}: ${why}`)
    this.name = 'FileRefused'
  }
}

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
    digits(length: number, what: string): string {
      const from = at + 1
      const taken = take(length)
      if (!/^\d+$/.test(taken))
        throw new FileRefused(`${what} (columns ${from} to ${at}) must be ${length} digits`, line)
      return taken
    },
  }
}
