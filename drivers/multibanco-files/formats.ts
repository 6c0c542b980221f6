// The formats of the daily files: MEPS has payments in 100 columns, AEPS has our references in 50.

const width = 100
const euro = '978'
const endOfFile = String.fromCharCode(26)

export interface Meps {
  readonly entity: string
  readonly fileId: string
  readonly previousId: string
  readonly payments: readonly MepsPayment[]
  readonly total: bigint
  readonly fees: bigint
  readonly vat: bigint
}

export interface MepsPayment {
  readonly line: number
  /** `log` and `logNumber` together identify a payment of the file. */
  readonly log: string
  readonly logNumber: string
  readonly time: string
  readonly amount: bigint
  readonly fee: bigint
  readonly ref: string
}

/** Whether the file has its end record. Without it, the file may still be growing. */
export function isWhole(text: string): boolean {
  return linesOf(text).at(-1)?.startsWith('9') === true
}

/** @throws FileRefused with the line that has the mistake */
export function readMeps(text: string): Meps {
  const lines = linesOf(text)
  lines.forEach((line, index) => {
    if (line.length !== width)
      throw new FileRefused(`it has ${line.length} columns instead of ${width}`, index + 1)
  })
  const header = readHeader(lines[0] ?? '')
  const last = lines.length
  const payments = lines.slice(1, -1).map((line, index) => readPayment(line, index + 2))
  const footer = readFooter(lines.at(-1) ?? '', last)
  checkFooter(footer, payments, last)
  checkLogNumbers(payments)
  return { ...header, payments, total: footer.total, fees: footer.fees, vat: footer.vat }
}

function linesOf(text: string): string[] {
  const lines = text.split(/\r?\n/)
  while (lines.length > 0 && (lines.at(-1) ?? '').replace(endOfFile, '').trim() === '') lines.pop()
  return lines
}

function readHeader(line: string): Pick<Meps, 'entity' | 'fileId' | 'previousId'> {
  if (!line.startsWith('0MEPS')) throw new FileRefused('a file of payments begins with 0MEPS', 1)
  const columns = columnsOf(line, 1)
  columns.skip(5)
  columns.digits(8, 'the source')
  columns.digits(8, 'the destination')
  const fileId = columns.digits(9, 'the file id')
  const previousId = columns.digits(9, 'the id of the file before')
  const entity = columns.digits(5, 'the entity')
  const currency = columns.text(3)
  if (currency !== euro) throw new FileRefused(`the currency must be ${euro}; not ${currency}`, 1)
  return { entity, fileId, previousId }
}

function readPayment(text: string, line: number): MepsPayment {
  if (!text.startsWith('2')) throw new FileRefused('a payment begins with 2', line)
  const columns = columnsOf(text, line)
  columns.skip(1)
  columns.digits(2, 'the processing code')
  const log = columns.digits(4, 'the log')
  const logNumber = columns.digits(8, 'the log number')
  const time = timeOf(columns.digits(12, 'the time'), line)
  const amount = BigInt(columns.digits(10, 'the amount'))
  const fee = BigInt(columns.digits(5, 'the fee'))
  columns.skip(2 + 10 + 5 + 15)
  const ref = columns.digits(9, 'the reference')
  if (amount === 0n) throw new FileRefused('the amount must be above zero', line)
  return { line, log, logNumber, time, amount, fee, ref }
}

function timeOf(digits: string, line: number): string {
  const [, year, month, day, hour, minute] = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)$/.exec(digits) ?? []
  const time = `${year}-${month}-${day}T${hour}:${minute}`
  const read = new Date(`${time}:00Z`)
  if (Number.isNaN(read.valueOf()) || read.toISOString().slice(0, 16) !== time)
    throw new FileRefused(`there is no time ${digits}`, line)
  return time
}

function readFooter(text: string, line: number) {
  if (!text.startsWith('9') || line < 2)
    throw new FileRefused('the file must end with a line that begins with 9', line)
  const columns = columnsOf(text, line)
  columns.skip(1)
  return {
    count: Number(columns.digits(8, 'the number of payments')),
    total: BigInt(columns.digits(17, 'the total')),
    fees: BigInt(columns.digits(12, 'the fees')),
    vat: BigInt(columns.digits(12, 'the VAT')),
  }
}

function checkFooter(
  footer: ReturnType<typeof readFooter>,
  payments: readonly MepsPayment[],
  line: number,
): void {
  if (footer.count !== payments.length)
    throw new FileRefused(`it counts ${footer.count} payments, but there are ${payments.length}`, line)
  const total = payments.reduce((sum, { amount }) => sum + amount, 0n)
  if (footer.total !== total)
    throw new FileRefused(`its total is ${footer.total} cents, but the payments add up to ${total}`, line)
  const fees = payments.reduce((sum, { fee }) => sum + fee, 0n)
  if (footer.fees !== fees)
    throw new FileRefused(`its fees are ${footer.fees} cents, but the payments add up to ${fees}`, line)
}

function checkLogNumbers(payments: readonly MepsPayment[]): void {
  const seen = new Map<string, number>()
  for (const { log, logNumber, line } of payments) {
    const before = seen.get(`${log} ${logNumber}`)
    if (before !== undefined)
      throw new FileRefused(`log number ${logNumber} of log ${log} is already in line ${before}`, line)
    seen.set(`${log} ${logNumber}`, line)
  }
}

function digits(value: bigint | number | string, length: number): string {
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

function columnsOf(text: string, line: number) {
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

const aepsWidth = 50
const insertOrReplace = '80'

export interface AepsHeader {
  readonly source: string
  readonly destination: string
  readonly fileId: string
  readonly previousId: string
  readonly entity: string
}

export interface AepsLine {
  readonly ref: string
  /** Days `yyyy-mm-dd`, both included. Amounts in cents, both included. */
  readonly firstDay: string
  readonly lastDay: string
  readonly amountMin: bigint
  readonly amountMax: bigint
}

export function renderAeps(header: AepsHeader, references: readonly AepsLine[]): string {
  const lines = [
    `0AEPS${digits(header.source, 8)}${digits(header.destination, 8)}${digits(header.fileId, 9)}` +
      `${digits(header.previousId, 9)}${digits(header.entity, 5)}${euro}`,
    ...references.map(
      ({ ref, firstDay, lastDay, amountMin, amountMax }) =>
        `1${insertOrReplace}${digits(ref, 9)}${compactDay(lastDay)}${digits(amountMax, 10)}` +
        `${compactDay(firstDay)}${digits(amountMin, 10)}`,
    ),
    `9${digits(references.length, 8)}`,
  ]
  return lines.map((line) => `${line.padEnd(aepsWidth)}\r\n`).join('')
}
