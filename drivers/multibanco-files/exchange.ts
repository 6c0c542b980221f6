// Daily exchange of Multibanco files: references out, payments in.
import { mkdir, readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Connection, DriverTools, ExchangedFile } from '../../src/connections/index.ts'
import { moveAside, writeWhole } from '../../src/kernel/files.ts'
import { addDays, lisbonDayOf, startOfLisbonDay } from '../../src/kernel/lisbon.ts'
import { cents } from '../../src/kernel/money.ts'
import { derivedId } from '../../src/kernel/random.ts'
import { after, hour, type Instant, minute } from '../../src/kernel/time.ts'
import type { ReferencePayment } from '../../src/rails/index.ts'
import {
  type AepsLine,
  compactDay,
  FileRefused,
  isWhole,
  type Meps,
  readMeps,
  renderAeps,
} from './formats.ts'
import {
  addFile,
  addPayments,
  findFile,
  lastFile,
  lockExchange,
  type MultibancoFile,
  markFileWritten,
  markPaymentHandled,
  openPayments,
  type ReportedPayment,
  takePendingReferences,
  unwrittenFiles,
} from './store.ts'

/** The id of a file of references is the day and this digit, because there is one file a day. */
const fileOfDay = '1'
const noFileBefore = '000000000'
const firstExchangeHourDefault = 18
/** A file without an end record may still be growing. After this time the gateway reads it anyway, and refuses it. */
const copyingMinutesMax = 1
const paymentsAtOnce = 500
/** This is enough for 160 000 payments. The gateway reads a file into memory as a whole. */
const fileMiBMax = 16
const bytesPerMebibyte = 1024 ** 2

export async function exchangeFiles(
  connection: Connection,
  tools: DriverTools,
): Promise<readonly ExchangedFile[]> {
  const taken = await takeInbox(connection, tools)
  await handlePayments(connection, tools)
  return [...(await writeOutbox(connection, tools)), ...taken]
}

async function writeOutbox(connection: Connection, tools: DriverTools): Promise<ExchangedFile[]> {
  const { database, clock } = tools
  await database.transaction(async (tx) => {
    await lockExchange(tx)
    await makeFile(tx, connection, clock.now())
  })
  return database.transaction(async (tx) => {
    await lockExchange(tx)
    const written: ExchangedFile[] = []
    for (const file of await unwrittenFiles(tx, connection.id)) {
      const path = join(connection.settings.outbox ?? '', file.name)
      await writeWhole(path, file.content, tools.random)
      await markFileWritten(tx, file, clock.now())
      written.push({ kind: 'written', file: path, detail: `references: ${file.lines}` })
    }
    return written
  })
}

/** Writes the file of the day, if the hour `write_from` has come and references are pending. */
async function makeFile(
  tx: Parameters<typeof takePendingReferences>[0],
  { id: connectionId, settings }: Connection,
  now: Instant,
): Promise<void> {
  const day = lisbonDayOf(now)
  const firstHour = Number(settings.write_from ?? firstExchangeHourDefault)
  if (now < after(startOfLisbonDay(day), firstHour * hour)) return
  const fileId = compactDay(day) + fileOfDay
  const before = await lastFile(tx, connectionId, 'AEPS')
  if (before !== undefined && before.fileId >= fileId) return
  const references = await takePendingReferences(tx, connectionId)
  if (references.length === 0) return
  const { source = '', destination = '', entity = '' } = settings
  const header = { source, destination, entity, fileId, previousId: before?.fileId ?? noFileBefore }
  const over = addDays(day, -1)
  const lines = references.map(
    ({ ref, amountMin, amountMax, firstDay, lastDay, withdrawn }): AepsLine =>
      withdrawn
        ? { ref, amountMin, amountMax, firstDay: earlier(firstDay, over), lastDay: over }
        : { ref, amountMin, amountMax, firstDay, lastDay },
  )
  await addFile(tx, {
    ...{ connectionId, kind: 'AEPS', fileId, name: `AEPS-${entity}-${fileId}.txt` },
    ...{ content: renderAeps(header, lines), lines: lines.length, createdAt: now },
    ...{ total: cents(0), fees: cents(0), vat: cents(0) },
  })
}

function earlier(one: string, other: string): string {
  return one < other ? one : other
}

interface Arrived {
  readonly name: string
  readonly bytes: number
  readonly text: string
}

async function takeInbox(connection: Connection, tools: DriverTools): Promise<ExchangedFile[]> {
  const folder = connection.settings.inbox ?? ''
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const exchanged: ExchangedFile[] = []
  for (const file of await arrivedIn(folder, tools.clock.now())) {
    try {
      const { kind, detail } = await takeFile(connection, tools, file)
      await moveAside(folder, file.name, 'done')
      exchanged.push({ kind, file: file.name, detail })
    } catch (error) {
      if (!(error instanceof FileRefused)) throw error
      await moveAside(folder, file.name, 'refused', `${file.name} was refused: ${error.message}`)
      exchanged.push({ kind: 'refused', file: file.name, detail: error.message })
    }
  }
  return exchanged
}

/** Complete files, sorted by the id in their first line. */
async function arrivedIn(folder: string, now: Instant): Promise<Arrived[]> {
  const entries = await readdir(folder, { withFileTypes: true })
  const arrived: Arrived[] = []
  for (const entry of entries) {
    if (!entry.isFile() || entry.name.startsWith('.')) continue
    const path = join(folder, entry.name)
    const before = await stat(path).catch(() => undefined)
    const isRead = (before?.size ?? 0) <= fileMiBMax * bytesPerMebibyte
    const text = isRead ? await readFile(path, 'latin1').catch(() => undefined) : ''
    const changedAt = (await stat(path).catch(() => undefined))?.mtimeMs
    if (before === undefined || text === undefined || changedAt === undefined) continue
    if (!isWhole(text) && now - changedAt < copyingMinutesMax * minute) continue
    arrived.push({ name: entry.name, bytes: before.size, text })
  }
  return arrived.sort((one, other) => (headOf(one) < headOf(other) ? -1 : 1))
}

function headOf({ text }: Arrived): string {
  return text.slice(0, 30)
}

/** Imports a file in one transaction. A FileRefused error leaves no changes. */
async function takeFile(
  { id: connectionId, settings }: Connection,
  { database, clock }: DriverTools,
  { name, bytes, text }: Arrived,
): Promise<Pick<ExchangedFile, 'kind' | 'detail'>> {
  if (bytes > fileMiBMax * bytesPerMebibyte)
    throw new FileRefused(`it has ${bytes} bytes; the limit is ${fileMiBMax} MiB`)
  const meps = readMeps(text)
  const { entity, fileId, previousId, payments } = meps
  if (entity !== settings.entity)
    throw new FileRefused(`its entity is ${entity}, ours is ${settings.entity}`, 1)
  const content = derivedId(text, 'multibanco file')
  return database.transaction(async (tx) => {
    await lockExchange(tx)
    const known = await findFile(tx, { connectionId, kind: 'MEPS', fileId })
    if (known !== undefined) {
      if (known.content === content) return { kind: 'repeated', detail: `taken before as ${known.name}` }
      throw new FileRefused(`the file ${fileId} was taken before as ${known.name}, with other content`, 1)
    }
    const before = await lastFile(tx, connectionId, 'MEPS')
    if (before !== undefined && previousId !== before.fileId)
      throw new FileRefused(
        `it follows the file ${previousId}, but the last one taken is ${before.fileId}`,
        1,
      )
    await addFile(tx, fileOf(meps, { connectionId, name, content }, clock.now()))
    await addPayments(
      tx,
      payments.map((payment): ReportedPayment => {
        const { ref, log, logNumber, amount, fee, time } = payment
        const id = derivedId(`${entity} ${fileId} ${log} ${logNumber}`, 'multibanco payment')
        const paidAt = instantInLisbon(time)
        return { id, connectionId, fileId, ref, amount: cents(amount), fee: cents(fee), paidAt }
      }),
    )
    const sum = `${payments.length} payments, ${meps.total} cents, fees ${meps.fees} and VAT ${meps.vat}`
    return { kind: 'taken', detail: sum }
  })
}

function fileOf(
  { fileId, payments, total, fees, vat }: Meps,
  of: Pick<MultibancoFile, 'connectionId' | 'name' | 'content'>,
  now: Instant,
): MultibancoFile {
  return {
    ...of,
    ...{ kind: 'MEPS', fileId, lines: payments.length, createdAt: now },
    ...{ total: cents(total), fees: cents(fees), vat: cents(vat) },
  }
}

/** At the end of summer time a wall time exists twice. This takes the first one. */
function instantInLisbon(time: string): Instant {
  const [day = '', clock = ''] = time.split('T')
  const [hours = 0, minutes = 0] = clock.split(':').map(Number)
  const start = startOfLisbonDay(day)
  // On the days when summer time begins or ends, the wall time differs from the elapsed time by an hour.
  const plain = after(start, hours * hour + minutes * minute)
  return [-1, 0, 1].map((shift) => after(plain, shift * hour)).find((at) => wallTimeOf(at) === time) ?? plain
}

const lisbonWall = new Intl.DateTimeFormat('sv-SE', {
  timeZone: 'Europe/Lisbon',
  dateStyle: 'short',
  timeStyle: 'short',
})

function wallTimeOf(at: Instant): string {
  return lisbonWall.format(at).replace(' ', 'T')
}

async function handlePayments({ id, settings }: Connection, tools: DriverTools): Promise<void> {
  const { database, clock, notices } = tools
  for (;;) {
    const payments = await openPayments(database, id, paymentsAtOnce)
    for (const payment of payments) {
      await notices.references.receive(asReported(payment, settings.entity ?? ''))
      await markPaymentHandled(database, payment.id, clock.now())
    }
    if (payments.length < paymentsAtOnce) return
  }
}

export function asReported({ id, ref, amount, paidAt }: ReportedPayment, entity: string): ReferencePayment {
  return { id, entity, ref, amount, paidAt, isTaken: true }
}
