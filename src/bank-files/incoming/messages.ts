// What a bank says by file (ISO 20022): status reports (pain.002), statements (camt.053), notifications (camt.054).
import { lisbonDayOf, parseDay } from '../../kernel/lisbon.ts'
import type { Cents } from '../../kernel/money.ts'
import { instant } from '../../kernel/time.ts'
import { FileRefused, type Node, readAmount, readDocument } from './document.ts'

export type Direction = 'credit' | 'debit'

/** One transaction of an entry: a bank books many at once, or one by one. */
export interface Transaction {
  /** What we called our order; undefined where none was given. */
  readonly endToEndId?: string | undefined
  /** The group of our file that was booked as one. */
  readonly paymentGroupId?: string | undefined
  readonly mandateId?: string | undefined
  readonly amount: Cents
  readonly currency: string
  /** The other end. */
  readonly party: { readonly name?: string | undefined; readonly iban?: string | undefined }
  /** What the payer wrote. */
  readonly text?: string | undefined
  /** The bank's code of why money came back, such as `AC04`; there only when it did. */
  readonly returnReason?: string | undefined
}

/** A booked line of an account. */
export interface Entry {
  readonly line: number
  readonly direction: Direction
  /** In cents, never negative. */
  readonly amount: Cents
  /** ISO 4217, three letters. */
  readonly currency: string
  /** `YYYY-MM-DD`, in Lisbon; the day of the value where the file names no other. */
  readonly bookedOn?: string | undefined
  readonly valueOn?: string | undefined
  /** The bank's own reference, unique within an account where it is given. */
  readonly servicerReference?: string | undefined
  /** Domain, family and sub-family, such as `PMNT/RCDT/ESCT`. */
  readonly code?: string | undefined
  /** Whether it undoes an entry before. */
  readonly isReversal: boolean
  /** Never empty: an entry without details is one transaction. */
  readonly transactions: readonly Transaction[]
  readonly hasDetails: boolean
}

export interface AccountReport {
  readonly line: number
  readonly id: string
  readonly iban: string
  /** Of the account and of the bank that keeps it, where the file names them. */
  readonly currency?: string | undefined
  readonly bic?: string | undefined
  /** Balances at the start and end of the statement, in cents, negative for money owed; none in notifications. */
  readonly opening?: Cents | undefined
  readonly closing?: Cents | undefined
  /** Only what is booked: pending entries and announcements move nothing. */
  readonly entries: readonly Entry[]
}

/** What a bank says of an order: taken, refused, or nothing yet. */
export interface OrderStatus {
  readonly line: number
  readonly endToEndId: string
  readonly status: string
  readonly reason?: string | undefined
}

/** What a bank says of the orders of one day of a file. */
export interface GroupStatus {
  readonly line: number
  readonly groupId: string
  readonly status?: string | undefined
  readonly reason?: string | undefined
  readonly orders: readonly OrderStatus[]
}

export type BankMessage =
  | {
      readonly kind: 'statement' | 'notification'
      readonly id: string
      readonly accounts: readonly AccountReport[]
    }
  | {
      readonly kind: 'status'
      readonly id: string
      /** Of the file that it is about. */
      readonly originalId: string
      /** Of the whole file, where it has one: `RJCT` refuses all of it. */
      readonly status?: string | undefined
      readonly reason?: string | undefined
      readonly groups: readonly GroupStatus[]
      /** Of orders that stand in no group. */
      readonly orders: readonly OrderStatus[]
    }

/**
 * Reads a file of a bank, whole or not at all.
 *
 * @throws {@link FileRefused} with the line that is wrong
 */
export function readBankMessage(text: string): BankMessage {
  const message = readDocument(text)
  switch (message.name) {
    case 'BkToCstmrStmt':
      return { kind: 'statement', id: message.needed('GrpHdr/MsgId'), accounts: reportsOf(message, 'Stmt') }
    case 'BkToCstmrDbtCdtNtfctn':
      return {
        kind: 'notification',
        id: message.needed('GrpHdr/MsgId'),
        accounts: reportsOf(message, 'Ntfctn'),
      }
    case 'CstmrPmtStsRpt':
      return statusReportOf(message)
    default:
      throw new FileRefused(
        `${message.name} is not read here: a statement (camt.053), a notification (camt.054) or a status report (pain.002) is`,
        message.line,
      )
  }
}

function reportsOf(message: Node, name: string): AccountReport[] {
  const reports = message.all(name)
  if (reports.length === 0) throw new FileRefused(`${message.name} has no ${name}`, message.line)
  return reports.map((report) => {
    const lines = report.all('Ntry')
    const stated = report.text('TxsSummry/TtlNtries/NbOfNtries')
    if (stated !== undefined && Number(stated) !== lines.length)
      throw new FileRefused(
        `${name} is not whole: it says ${stated} entries and has ${lines.length}`,
        report.line,
      )
    const entries = lines.filter(isBooked).map(entryOf)
    const opening = balanceOf(report, ['OPBD', 'PRCD'])
    const closing = balanceOf(report, ['CLBD'])
    const summed = entries.reduce(
      (sum, { direction, amount }) => (direction === 'credit' ? sum + amount : sum - amount),
      0n,
    )
    if (opening !== undefined && closing !== undefined && opening + summed !== closing)
      throw new FileRefused(
        `${name} ${report.needed('Id')} is not whole: its entries do not lead from its opening to its closing balance`,
        report.line,
      )
    return {
      line: report.line,
      id: report.needed('Id'),
      iban: report.needed('Acct/Id/IBAN').replaceAll(' ', '').toUpperCase(),
      currency: report.text('Acct/Ccy'),
      bic: report.text('Acct/Svcr/FinInstnId/BICFI') ?? report.text('Acct/Svcr/FinInstnId/BIC'),
      opening,
      closing,
      entries,
    }
  })
}

function balanceOf(report: Node, codes: readonly string[]): Cents | undefined {
  const balances = report.all('Bal')
  for (const code of codes) {
    const balance = balances.find((one) => one.text('Tp/CdOrPrtry/Cd') === code)
    if (balance === undefined) continue
    const { amount } = readAmount(childOf(balance, 'Amt'))
    return (directionOf(balance) === 'credit' ? amount : -amount) as Cents
  }
  return undefined
}

function isBooked(entry: Node): boolean {
  return (entry.text('Sts/Cd') ?? entry.needed('Sts')) === 'BOOK'
}

function directionOf(node: Node): Direction {
  const text = node.needed('CdtDbtInd')
  if (text === 'CRDT') return 'credit'
  if (text === 'DBIT') return 'debit'
  throw new FileRefused(`CdtDbtInd must be CRDT or DBIT, not ${text}`, node.line)
}

function childOf(node: Node, path: string): Node {
  const child = node.first(path)
  if (child === undefined) throw new FileRefused(`${node.name} has no ${path}`, node.line)
  return child
}

function entryOf(entry: Node): Entry {
  const { amount, currency } = readAmount(childOf(entry, 'Amt'))
  const direction = directionOf(entry)
  const details = entry.all('NtryDtls/TxDtls')
  const group = entry.text('NtryDtls/Btch/PmtInfId')
  const valueOn = dayOf(entry, 'ValDt')
  const transactions = details.map((detail) =>
    transactionOf(detail, { entry, direction, amount, currency, isOnly: details.length === 1 }),
  )
  const total = transactions.reduce((sum, one) => sum + one.amount, 0n)
  if (details.length > 0 && total !== amount)
    throw new FileRefused('the transactions of an entry do not sum up to it', entry.line)
  return {
    line: entry.line,
    direction,
    amount,
    currency,
    bookedOn: dayOf(entry, 'BookgDt') ?? valueOn,
    valueOn,
    servicerReference: servicerReferenceIn(entry.text('AcctSvcrRef')),
    code: codeOf(entry),
    isReversal: entry.text('RvslInd') === 'true',
    transactions:
      details.length > 0
        ? transactions
        : [{ amount, currency, party: {}, paymentGroupId: group, text: entry.text('AddtlNtryInf') }],
    hasDetails: details.length > 0,
  }
}

/** Words that say that there is no reference. */
const noReference = new Set(['NONREF', 'NOTPROVIDED', 'NOT PROVIDED'])

function referenceIn(text: string | undefined): string | undefined {
  return text === undefined || noReference.has(text.toUpperCase()) ? undefined : text
}

/** What some write where they have none: `0`, `000000`, `-`. It would make one line of all that are equal. */
const emptyReference = /^[^1-9\p{L}]*$/u

function servicerReferenceIn(text: string | undefined): string | undefined {
  const reference = referenceIn(text)
  return reference === undefined || emptyReference.test(reference) ? undefined : reference
}

interface OfEntry {
  readonly entry: Node
  readonly direction: Direction
  readonly amount: Cents
  readonly currency: string
  readonly isOnly: boolean
}

function transactionOf(detail: Node, of: OfEntry): Transaction {
  const stated = detail.first('Amt') ?? detail.first('AmtDtls/TxAmt/Amt')
  if (stated === undefined && !of.isOnly)
    throw new FileRefused('one of several transactions of an entry has no amount', detail.line)
  const read = stated === undefined ? of : readAmount(stated)
  // What was converted on its way is booked in the account's currency.
  const { amount, currency } = read.currency !== of.currency && of.isOnly ? of : read
  if (currency !== of.currency)
    throw new FileRefused(`a transaction in ${currency} stands in an entry in ${of.currency}`, detail.line)
  // The other end: who paid what is credited, who received what is debited.
  const other = of.direction === 'credit' ? 'Dbtr' : 'Cdtr'
  const refs = detail.first('Refs')
  return {
    endToEndId: referenceIn(refs?.text('EndToEndId')),
    paymentGroupId: refs?.text('PmtInfId'),
    mandateId: refs?.text('MndtId'),
    amount,
    currency,
    party: {
      name: detail.text(`RltdPties/${other}/Nm`) ?? detail.text(`RltdPties/${other}/Pty/Nm`),
      iban: detail.text(`RltdPties/${other}Acct/Id/IBAN`),
    },
    text: remittanceOf(detail),
    returnReason: detail.text('RtrInf/Rsn/Cd') ?? detail.text('RtrInf/Rsn/Prtry'),
  }
}

/** The payer's words, and behind them the references for the payee: either may name the wallet. */
function remittanceOf(detail: Node): string | undefined {
  const written = [...detail.all('RmtInf/Ustrd'), ...detail.all('RmtInf/Strd/CdtrRefInf/Ref')]
  const texts = written.flatMap((node) => node.text() ?? [])
  return texts.length === 0 ? undefined : texts.join(' ')
}

function dayOf(entry: Node, name: string): string | undefined {
  const text = entry.text(`${name}/Dt`) ?? entry.text(`${name}/DtTm`)
  if (text === undefined) return undefined
  const day = parseDay(text.slice(0, 'yyyy-mm-dd'.length))
  if (day === undefined) throw new FileRefused(`${name} is not a date: ${text}`, entry.line)
  const moment = momentWithOffset.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(moment) ? day : lisbonDayOf(instant(moment))
}

/** A time of day of which the file says how far it is from UTC: `2026-07-23T23:30:00Z`. */
const momentWithOffset = /T.*(Z|[+-]\d{2}:?\d{2})$/

function codeOf(entry: Node): string | undefined {
  const domain = entry.first('BkTxCd/Domn')
  if (domain === undefined) return entry.text('BkTxCd/Prtry/Cd')
  const parts = [domain.text('Cd'), domain.text('Fmly/Cd'), domain.text('Fmly/SubFmlyCd')]
  return parts.filter((part) => part !== undefined).join('/')
}

function statusReportOf(message: Node): BankMessage {
  const original = childOf(message, 'OrgnlGrpInfAndSts')
  const groups = message.all('OrgnlPmtInfAndSts')
  return {
    kind: 'status',
    id: message.needed('GrpHdr/MsgId'),
    originalId: original.needed('OrgnlMsgId'),
    status: original.text('GrpSts'),
    reason: reasonOf(original),
    groups: groups.map((group) => ({
      line: group.line,
      groupId: group.needed('OrgnlPmtInfId'),
      status: group.text('PmtInfSts'),
      reason: reasonOf(group),
      orders: group.all('TxInfAndSts').map(orderStatusOf),
    })),
    orders: message.all('TxInfAndSts').map(orderStatusOf),
  }
}

function orderStatusOf(order: Node): OrderStatus {
  return {
    line: order.line,
    endToEndId: order.needed('OrgnlEndToEndId'),
    status: order.needed('TxSts'),
    reason: reasonOf(order),
  }
}

function reasonOf(node: Node): string | undefined {
  return node.text('StsRsnInf/Rsn/Cd') ?? node.text('StsRsnInf/Rsn/Prtry')
}
