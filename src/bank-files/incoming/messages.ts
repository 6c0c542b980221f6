// ISO 20022 messages of banks: pain.002, camt.052, camt.053 and camt.054.
import { lisbonDayOf, parseDay } from '../../kernel/lisbon.ts'
import { type Cents, cents, decimalText, sumOf } from '../../kernel/money.ts'
import { instant } from '../../kernel/time.ts'
import { creditorReferencesIn } from '../../kernel/values/creditor-reference.ts'
import { type Charge, withCharges } from '../charges/rules.ts'
import { fileIdOfGroup, messageIdOf, namesIn } from '../groups.ts'
import { accountCurrency } from '../model.ts'
import { FileRefused, joined, type Node, readAmount, readDocument } from './document.ts'

export type Direction = 'credit' | 'debit'

export interface Transaction {
  /** The reference of our order, if the bank returned it. */
  readonly endToEndId?: string | undefined
  readonly paymentGroupId?: string | undefined
  readonly amount: Cents
  readonly party: { readonly name?: string | undefined; readonly iban?: string | undefined }
  readonly text?: string | undefined
  readonly furtherText?: string | undefined
  readonly references: readonly string[]
  /** A return code such as `AC04`. Only returned money has one. */
  readonly returnReason?: string | undefined
  readonly charges: readonly Charge[]
  /** Charges in addition to the amount. `isShared`: they are also for other transactions. */
  readonly charge?: Cents | undefined
  readonly isShared?: boolean
}

export interface Entry {
  readonly direction: Direction
  /** Never negative. It is 0, with a `problem`, if the amount is unknown. */
  readonly amount: Cents
  /** The booking date `YYYY-MM-DD` in Lisbon. If it is missing, the value date. */
  readonly bookedOn?: string | undefined
  /** The bank's reference, unique in the account. */
  readonly servicerReference?: string | undefined
  readonly code?: string | undefined
  readonly isReversal: boolean
  /** At least one. An entry without details, or with a problem, counts as one transaction. */
  readonly transactions: readonly Transaction[]
  readonly hasDetails: boolean
  readonly problem?: string | undefined
}

export type AccountReport = ReturnType<typeof reportOf>

/** The reason as a code such as `AC04`, a text, or both. */
export interface StatusReason {
  readonly code?: string | undefined
  readonly text?: string | undefined
}

/** The status of an order. The id is absent if the bank does not name the order. */
export type OrderStatus = ReturnType<typeof ordersIn>[number]
export type GroupStatus = ReturnType<typeof groupStatusOf>
export type StatusReport = ReturnType<typeof statusReportOf>

export interface BookingReport {
  readonly kind: 'statement' | 'notification'
  readonly format: string
  readonly id: string
  readonly accounts: readonly AccountReport[]
}

export type BankMessage = BookingReport | StatusReport

/** An unreadable entry gets a problem. An unreadable file throws {@link FileRefused} with the line. */
export function readBankMessage(text: string): BankMessage {
  const message = readDocument(text)
  if (message.name === 'CstmrPmtStsRpt') return statusReportOf(message)
  const known = bookingMessages.get(message.name)
  if (known !== undefined) return bookingReportOf(message, ...known)
  throw message.refused(
    `${message.name} is not supported: send a camt.053, camt.052, camt.054 or pain.002 file`,
  )
}

/** For each message: the element of its reports, their kind, and the format. */
const bookingMessages = new Map<string, readonly [string, BookingReport['kind'], string]>([
  ['BkToCstmrStmt', ['Stmt', 'statement', 'camt.053']],
  ['BkToCstmrDbtCdtNtfctn', ['Ntfctn', 'notification', 'camt.054']],
  ['BkToCstmrAcctRpt', ['Rpt', 'notification', 'camt.052']],
])

function bookingReportOf(
  message: Node,
  name: string,
  kind: BookingReport['kind'],
  format: string,
): BookingReport {
  const id = message.text('GrpHdr/MsgId') ?? 'NOTPROVIDED'
  const ofMessage = message.first('GrpHdr/MsgPgntn')
  const reports = message.all(name)
  if (reports.length === 0) throw message.refused(`${message.name} has no ${name}`)
  const accounts = reports.map((report) =>
    reportOf(report, id, [ofMessage, report.first(`${name}Pgntn`)].filter(isPart)),
  )
  return { kind, format, id, accounts }
}

function isPart(page: Node | undefined): page is Node {
  return page !== undefined && !(Number(page.text('PgNb')) === 1 && isTrue(page.text('LastPgInd')))
}

function isTrue(text: string | undefined): boolean {
  return text?.toLowerCase() === 'true' || text === '1'
}

function isReversalOf(entry: Node): boolean {
  const text = entry.text('RvslInd')
  if (text !== undefined && !/^(true|false|1|0)$/i.test(text))
    throw entry.refused(`RvslInd must be true or false, and is ${text}`)
  return isTrue(text)
}

/** If a report has several `pages`, balances and counts are those of all pages together. */
function reportOf(report: Node, messageId: string, pages: readonly Node[]) {
  const id = report.text('Id') ?? messageId
  const page = pages.map((one) => one.text('PgNb') ?? '').filter((number) => Number(number) !== 1)
  const listed = report.all('Ntry')
  const entries = listed.filter((entry) => !notBooked.has(entry.text(bookingStatus) ?? '')).map(entryOf)
  const isWhole =
    pages.length === 0 && entries.every(({ problem, amount }) => problem === undefined || amount > 0n)
  return {
    line: report.line,
    id: [id, ...page].join(' page '),
    iban: report.text('Acct/Id/IBAN|Acct/Id/Othr/Id')?.replaceAll(/\W/g, '').toUpperCase(),
    currency: report.text('Acct/Ccy'),
    bic: report.text('Acct/Svcr/FinInstnId/BICFI|Acct/Svcr/FinInstnId/BIC'),
    entries: [
      ...entries,
      ...(pages.length === 0 ? countNotices(report, listed.length) : []),
      ...(isWhole ? balanceNotices(report, entries) : []),
    ],
  }
}

/** An entry of 0.00 that shows the operator a problem of the file. `text`: the words of the bank. */
export function noticeOf(line: number, problem: string, text: string): Entry {
  const amount = cents(0)
  const transactions = [{ amount, party: {}, text, references: [], charges: [] }]
  return {
    ...{ direction: 'debit', amount, isReversal: false, transactions, hasDetails: false },
    problem: `line ${line}: ${problem}`,
  }
}

function countNotices(report: Node, count: number): Entry[] {
  const stated = report.text('TxsSummry/TtlNtries/NbOfNtries')
  if (stated === undefined || Number(stated) === count) return []
  const problem = `the statement may be incomplete: it states ${stated} entries and has ${count}`
  return [noticeOf(report.line, problem, `${report.name} ${report.text('Id')}: NbOfNtries ${stated}`)]
}

/** A notice unless the entries lead from an opening to a closing balance. There can be several of both. */
function balanceNotices(report: Node, entries: readonly Entry[]): Entry[] {
  const [opened, closed] = [balancesAmong(report, 'OPBD'), balancesAmong(report, 'CLBD')]
  const openings = opened.length > 0 ? opened : balancesAmong(report, 'PRCD')
  const summed = sumOf(entries.map(({ direction, amount }) => signed(direction === 'credit', amount)))
  if (openings.length === 0 || closed.length === 0) return []
  if (openings.some((opening) => closed.includes(cents(opening + summed)))) return []
  const problem =
    'the statement may be incomplete: its entries do not lead from its opening to its closing balance'
  const balances = [...openings, ...closed].map(decimalText).join(', ')
  return [noticeOf(report.line, problem, `${report.name} ${report.text('Id')}: balances ${balances}`)]
}

function signed(isCredit: boolean, amount: Cents): Cents {
  return cents(isCredit ? amount : -amount)
}

/** Negative if overdrawn. Unreadable balances and those in other currencies are left out. */
function balancesAmong(report: Node, code: string): Cents[] {
  return report.all('Bal').flatMap((balance) => {
    const money = balance.text('Tp/CdOrPrtry/Cd') === code ? moneyOf(balance) : undefined
    if (money?.currency !== accountCurrency) return []
    return [signed(balance.text('CdtDbtInd') !== 'DBIT', money.amount)]
  })
}

const bookingStatus = 'Sts/Cd|Sts'
const notBooked = new Set(['PDNG', 'INFO', 'FUTR'])

function directionOf(entry: Node): Direction {
  const text = entry.text('CdtDbtInd')
  if (text === 'CRDT') return 'credit'
  if (text === 'DBIT') return 'debit'
  const found = `CdtDbtInd must be CRDT or DBIT, and is ${text ?? 'missing'}`
  throw entry.refused(`${found}: its amount is ${entry.text('Amt')}`)
}

function moneyOf(node: Node, path = 'Amt'): ReturnType<typeof readAmount> | undefined {
  const stated = node.first(path)
  try {
    return stated && readAmount(stated)
  } catch {
    return undefined
  }
}

function entryOf(entry: Node): Entry {
  const problems: string[] = []
  const understood = <T>(read: () => T): T | undefined => {
    try {
      return read()
    } catch (error) {
      if (!(error instanceof FileRefused)) throw error
      problems.push(error.message)
      return undefined
    }
  }
  const known = understood(() => directionOf(entry))
  const booked = understood(() => bookedAmountOf(entry))
  understood(() => entry.checkStorable())
  const direction = known ?? 'debit'
  const amount = (known && booked) ?? cents(0)
  const details = entry.all('NtryDtls/TxDtls')
  const of = { entry, direction, amount, details }
  const stated =
    amount === booked && details.length > 0
      ? understood(() =>
          withStatedSum(
            of,
            details.map((detail) => transactionOf(detail, of)),
          ),
        )
      : undefined
  const valueOn = understood(() => dayOf(entry, 'ValDt'))
  const bookedOn = understood(() => dayOf(entry, 'BookgDt')) ?? valueOn
  const isReversal = understood(() => isReversalOf(entry)) ?? false
  const problem = problems.length === 0 ? undefined : problems.join('; ')
  const transactions = problem === undefined ? stated : undefined
  const ownReference = details.length === 1 ? 'AcctSvcrRef|NtryDtls/TxDtls/Refs/AcctSvcrRef' : 'AcctSvcrRef'
  return {
    ...{ direction, amount, bookedOn, isReversal, problem },
    servicerReference: servicerReferenceIn(entry.text(ownReference)),
    code: codeOf(entry),
    transactions: transactions ?? [wholeOf(of)],
    hasDetails: transactions !== undefined,
  }
}

function bookedAmountOf(entry: Node): Cents {
  const stated = entry.first('Amt')
  if (stated === undefined) throw entry.refused(`${entry.name} has no Amt`)
  const { amount, currency } = readAmount(stated)
  const known = entry.text(bookingStatus)
  if (known !== 'BOOK')
    throw entry.refused(
      `it is unclear whether it is booked: its status is ${known ?? 'missing'}, its amount ${entry.text('Amt')}`,
    )
  if (currency !== accountCurrency)
    throw entry.refused(
      `its amount is ${entry.text('Amt')} ${currency}, the account is in ${accountCurrency}`,
    )
  return amount
}

/** Returns the transactions, with charges if these explain a difference to the entry. */
function withStatedSum(
  { entry, direction, amount, details }: OfEntry,
  transactions: readonly Transaction[],
): readonly Transaction[] {
  const total = sumOf(transactions.map((one) => one.amount))
  if (total === amount) return transactions
  const explained = withCharges({ direction, amount, charges: chargesOf(entry) }, transactions)
  if (explained !== undefined) return explained
  const charges = [entry, ...details].flatMap(chargesOf)
  const charged =
    charges.length === 0 ? '' : `, with charges of ${decimalText(sumOf(charges.map((one) => one.amount)))}`
  throw entry.refused(
    `its transactions sum up to ${decimalText(total)}${charged}, and it is over ${decimalText(amount)}`,
  )
}

/** Reads the whole entry as one transaction. */
function wholeOf({ entry, direction, amount, details }: OfEntry): Transaction {
  const [only] = details.length === 1 ? details : []
  const note = entry.text('AddtlNtryInf')
  const isBare = details.length === 0
  return {
    ...{ amount, charges: [], references: referencesOf(entry) },
    party: only === undefined ? {} : partyOf(only, direction),
    endToEndId: referenceIn(only?.text('Refs/EndToEndId')),
    paymentGroupId: isBare ? entry.text('NtryDtls/Btch/PmtInfId') : undefined,
    text: isBare ? note : joined(details.map((one) => one.texts(remittance))),
    furtherText: isBare ? undefined : joined([...details.map(furtherTextOf), note]),
    returnReason: only && returnReasonOf(only),
  }
}

function chargesOf(node: Node): Charge[] {
  const records = node.all('Chrgs/Rcrd')
  return (records.length > 0 ? records : node.all('Chrgs')).flatMap((record) => {
    const money = moneyOf(record) ?? moneyOf(record, 'TtlChrgsAndTaxAmt')
    if (money === undefined) return []
    return { ...money, isCredited: record.text('CdtDbtInd') === 'CRDT' }
  })
}

/** Values by which banks say that there is no reference. */
const noReference = new Set(['NONREF', 'NOTPROVIDED', 'NOT PROVIDED'])

function referenceIn(text: string | undefined): string | undefined {
  return text === undefined || noReference.has(text.toUpperCase()) ? undefined : text
}

/** Placeholders of some banks, such as `0` or `-`. As references they would make different lines equal. */
const emptyReference = /^[^1-9\p{L}]*$/u

function servicerReferenceIn(text: string | undefined): string | undefined {
  const reference = referenceIn(text)
  return reference === undefined || emptyReference.test(reference) ? undefined : reference
}

interface OfEntry {
  readonly entry: Node
  readonly direction: Direction
  readonly amount: Cents
  readonly details: readonly Node[]
}

function transactionOf(detail: Node, of: OfEntry): Transaction {
  const refs = detail.first('Refs')
  return {
    endToEndId: referenceIn(refs?.text('EndToEndId')),
    paymentGroupId: refs?.text('PmtInfId'),
    amount: amountOf(detail, of),
    party: partyOf(detail, of.direction),
    text: detail.texts(remittance),
    furtherText: joined([furtherTextOf(detail), textOfAll(of)]),
    references: referencesOf(of.details.length === 1 ? of.entry : detail),
    returnReason: returnReasonOf(detail),
    charges: chargesOf(detail),
  }
}

/** The text of an entry belongs to all of its transactions, so it must not name the wallet of one. */
function textOfAll({ entry, details }: OfEntry): string | undefined {
  const note = entry.text('AddtlNtryInf')
  if (details.length === 1) return joined([note, ...walletReferences(entry, batchReferences)])
  return creditorReferencesIn(note ?? '').size === 0 ? note : undefined
}

function amountOf(detail: Node, { entry, amount, details }: OfEntry): Cents {
  const isOnly = details.length === 1
  const stated = detail.first('Amt') ?? detail.first('AmtDtls/TxAmt/Amt')
  if (stated === undefined && !isOnly) throw detail.refused('one of its several transactions has no amount')
  const read = stated && readAmount(stated)
  const sign = detail.text('CdtDbtInd')
  if (sign !== undefined && sign !== entry.text('CdtDbtInd') && !isTrue(entry.text('RvslInd')))
    throw detail.refused('one of its transactions goes the other way')
  if (read?.currency === accountCurrency) return read.amount
  // A converted amount counts as booked, in the currency of the account.
  if (isOnly) return amount
  throw detail.refused(`one of its several transactions is in ${read?.currency}`)
}

/** The counterparty: the payer of a credit, or the payee of a debit. */
function partyOf(detail: Node, direction: Direction): Transaction['party'] {
  const other = direction === 'credit' ? 'Dbtr' : 'Cdtr'
  return {
    name: detail.text(`RltdPties/${other}/Nm|RltdPties/${other}/Pty/Nm`),
    iban: detail.text(`RltdPties/${other}Acct/Id/IBAN`),
  }
}

/** A return without a code gives its reason as a text. It gets the code `NARR`. */
function returnReasonOf(detail: Node): string | undefined {
  const returned = detail.first('RtrInf')
  return returned && (returned.text('Rsn/Cd|Rsn/Prtry') ?? 'NARR')
}

/** The payer's text and the creditor references. Both can name the wallet. */
const remittance = 'RmtInf/Ustrd|RmtInf/Strd/CdtrRefInf/Ref'
const furtherText = 'RmtInf/Strd/AddtlRmtInf|AddtlTxInf|RtrInf/AddtlInf'
/** Payers also write the wallet's reference into the field for their own reference. */
const payerReferences =
  'Refs/EndToEndId|Refs/InstrId|Refs/TxId|Refs/MsgId|Refs/PmtInfId|Refs/AcctSvcrRef|Refs/Prtry/Ref|RmtInf/Strd/RfrdDocInf/Nb'
const batchReferences = 'NtryDtls/Btch/PmtInfId|NtryDtls/Btch/MsgId'

function walletReferences(node: Node, paths: string): string[] {
  return node.listed(paths).filter((text) => creditorReferencesIn(text).size > 0)
}

function furtherTextOf(detail: Node): string | undefined {
  return joined([detail.texts(furtherText), ...walletReferences(detail, payerReferences)])
}

function referencesOf(node: Node): string[] {
  const parts = [node, ...node.all('NtryDtls/TxDtls')]
  const refs = parts.flatMap((one) => [...one.all('Refs'), ...one.all('NtryDtls/Btch')])
  return namesIn(
    [
      ...refs.flatMap((one) => one.all()).map((one) => one.text()),
      ...parts.flatMap((one) => [one.texts(remittance), furtherTextOf(one)]),
      ...node.listed('AcctSvcrRef|NtryRef|AddtlNtryInf'),
    ].join('\n'),
  )
}

function dayOf(entry: Node, name: string): string | undefined {
  const text = entry.text(`${name}/Dt|${name}/DtTm`)
  if (text === undefined) return undefined
  const day = parseDay(text.slice(0, 'yyyy-mm-dd'.length))
  // The database cannot store the year 0.
  if (day === undefined || day < '1000') throw entry.refused(`${name} is not a date: ${text}`)
  const moment = momentWithOffset.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(moment) ? day : lisbonDayOf(instant(moment))
}

const momentWithOffset = /T.*(Z|[+-]\d{2}:?\d{2})$/

function codeOf(entry: Node): string | undefined {
  const domain = entry.first('BkTxCd/Domn')
  if (domain === undefined) return entry.text('BkTxCd/Prtry/Cd')
  return ['Cd', 'Fmly/Cd', 'Fmly/SubFmlyCd'].flatMap((path) => domain.text(path) ?? []).join('/')
}

function statusReportOf(message: Node) {
  const original = message.first('OrgnlGrpInfAndSts')
  const status = original?.text('GrpSts')
  const groups = message.all('OrgnlPmtInfAndSts').map((group) => groupStatusOf(group, status))
  // The name of a group contains the id of its file.
  const [ofGroup] = groups.flatMap(({ groupId = '' }) => fileIdOfGroup(groupId) ?? [])
  return {
    kind: 'status' as const,
    format: 'pain.002',
    id: message.text('GrpHdr/MsgId') ?? 'NOTPROVIDED',
    originalId: referenceIn(original?.text('OrgnlMsgId')) ?? (ofGroup && messageIdOf({ id: ofGroup })),
    status,
    reasons: original === undefined ? [] : reasonsOf(original),
    groups,
    orders: ordersIn(message, status),
  }
}

function groupStatusOf(group: Node, ofFile: string | undefined) {
  const status = group.text('PmtInfSts')
  return {
    line: group.line,
    groupId: referenceIn(group.text('OrgnlPmtInfId')),
    status,
    reasons: reasonsOf(group),
    orders: ordersIn(group, status ?? ofFile),
  }
}

/** An order without a status of its own has the status of its group or file. */
function ordersIn(node: Node, ofAll: string | undefined) {
  return node.all('TxInfAndSts').map((order) => ({
    line: order.line,
    endToEndId: referenceIn(order.text('OrgnlEndToEndId')) ?? referenceIn(order.text('OrgnlInstrId')),
    status: order.text('TxSts') ?? ofAll,
    reasons: reasonsOf(order),
  }))
}

function reasonsOf(node: Node): StatusReason[] {
  return node
    .all('StsRsnInf')
    .map((one) => ({ code: one.text('Rsn/Cd|Rsn/Prtry'), text: one.texts('AddtlInf') }))
}
