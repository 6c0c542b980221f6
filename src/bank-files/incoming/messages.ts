// What a bank says by file (ISO 20022): status reports (pain.002), statements (camt.053), notifications (camt.052, camt.054).
import { lisbonDayOf, parseDay } from '../../kernel/lisbon.ts'
import { type Cents, cents, decimalText, sumOf } from '../../kernel/money.ts'
import { instant } from '../../kernel/time.ts'
import { creditorReferencesIn } from '../../kernel/values/creditor-reference.ts'
import { type Charge, withCharges } from '../charges/rules.ts'
import { fileIdOfGroup, messageIdOf, namesIn } from '../groups.ts'
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
  /** Texts in other places than those in which the payer's stand. */
  readonly furtherText?: string | undefined
  /** Every name of an order, a group or a file of ours in it, wherever it stands. */
  readonly references: readonly string[]
  /** The bank's code of why money came back, such as `AC04`; there only when it did. */
  readonly returnReason?: string | undefined
  readonly charges: readonly Charge[]
  /** What the bank charged beside its amount, and whether that is for others of its entry too. */
  readonly charge?: Cents | undefined
  readonly isShared?: boolean
}

/** A booked line of an account. */
export interface Entry {
  readonly line: number
  readonly direction: Direction
  /** In cents, never negative; 0 if it is not known, and then there is a problem. */
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
  /** Never empty: an entry without details, or with a problem, is one transaction. */
  readonly transactions: readonly Transaction[]
  readonly hasDetails: boolean
  readonly charges: readonly Charge[]
  /** Why it is not understood: nothing follows from it, and the operator looks at it. */
  readonly problem?: string | undefined
  /** Of an entry with a problem: its details as far as they can be read. */
  readonly stated?: readonly Transaction[]
}

export interface AccountReport {
  readonly line: number
  readonly id: string
  /** Or another number of the account, if the file has no IBAN of it; without spaces. */
  readonly iban?: string | undefined
  /** Why it cannot be whole. */
  readonly problem?: string | undefined
  /** Of the account and of the bank that keeps it, where the file names them. */
  readonly currency?: string | undefined
  readonly bic?: string | undefined
  /** Balances at the start and end of the statement, in cents, negative for money owed; none in notifications. */
  readonly opening?: Cents | undefined
  readonly closing?: Cents | undefined
  /** Only what is booked: pending entries and announcements move nothing. */
  readonly entries: readonly Entry[]
}

/** Why a bank says what it says: a code such as `AC04`, words, or both. */
export interface StatusReason {
  readonly code?: string | undefined
  readonly text?: string | undefined
}

/** What a bank says of an order: taken, refused, or nothing yet. */
export interface OrderStatus {
  readonly line: number
  readonly endToEndId: string
  readonly status?: string | undefined
  readonly reasons: readonly StatusReason[]
}

/** What a bank says of the orders of one day of a file. */
export interface GroupStatus {
  readonly line: number
  readonly groupId: string
  readonly status?: string | undefined
  readonly reasons: readonly StatusReason[]
  readonly orders: readonly OrderStatus[]
}

export type BankMessage =
  | {
      readonly kind: 'statement' | 'notification'
      readonly format: string
      readonly id: string
      readonly accounts: readonly AccountReport[]
    }
  | {
      readonly kind: 'status'
      readonly format: string
      readonly id: string
      /** Of the file that it is about; undefined: that of its orders. */
      readonly originalId?: string | undefined
      /** Of the whole file, where it has one: `RJCT` refuses all of it. */
      readonly status?: string | undefined
      readonly reasons: readonly StatusReason[]
      readonly groups: readonly GroupStatus[]
      /** Of orders that stand in no group. */
      readonly orders: readonly OrderStatus[]
      /** Why a group is refused that neither it nor an order in it names; undefined: none is. */
      readonly unnamed?: readonly StatusReason[] | undefined
    }

/**
 * Reads a file of a bank. An entry that cannot be understood has a problem, and keeps no other back.
 *
 * @throws {@link FileRefused} with the line that is wrong
 */
export function readBankMessage(text: string): BankMessage {
  const message = readDocument(text)
  switch (message.name) {
    case 'BkToCstmrStmt':
      return { ...reportsOf(message, 'Stmt'), kind: 'statement', format: 'camt.053' }
    case 'BkToCstmrDbtCdtNtfctn':
      return { ...reportsOf(message, 'Ntfctn'), kind: 'notification', format: 'camt.054' }
    case 'BkToCstmrAcctRpt':
      return { ...reportsOf(message, 'Rpt'), kind: 'notification', format: 'camt.052' }
    case 'CstmrPmtStsRpt':
      return statusReportOf(message)
    default:
      throw new FileRefused(
        `${message.name} is not read here: a statement (camt.053), a notification (camt.052 or camt.054) or a status report (pain.002) is`,
        message.line,
      )
  }
}

const accountCurrency = 'EUR'

function reportsOf(message: Node, name: string) {
  const id = message.text('GrpHdr/MsgId') ?? 'NOTPROVIDED'
  const ofMessage = message.first('GrpHdr/MsgPgntn')
  const reports = message.all(name)
  if (reports.length === 0) throw new FileRefused(`${message.name} has no ${name}`, message.line)
  const accounts = reports.map((report) =>
    reportOf(report, id, [ofMessage, report.first(`${name}Pgntn`)].filter(isPart)),
  )
  return { id, accounts }
}

/** Whether it says that this is a page of several. */
function isPart(page: Node | undefined): page is Node {
  return page !== undefined && !(Number(page.text('PgNb')) === 1 && isTrue(page.text('LastPgInd')))
}

/** An xs:boolean; some banks write it in capitals. */
function isTrue(text: string | undefined): boolean {
  return text?.toLowerCase() === 'true' || text === '1'
}

/** Whether an entry undoes another one. */
function isReversalOf(entry: Node): boolean {
  const text = entry.text('RvslInd')
  if (text !== undefined && !/^(true|false|1|0)$/i.test(text))
    throw new FileRefused(`RvslInd must be true or false, and is ${text}`, entry.line)
  return isTrue(text)
}

/** @param pages which page of several it is: balances and counts are those of all of them */
function reportOf(report: Node, messageId: string, pages: readonly Node[]): AccountReport {
  const id = report.text('Id') ?? messageId
  const page = pages.map((one) => one.text('PgNb') ?? '').filter((number) => Number(number) !== 1)
  const listed = report.all('Ntry')
  const entries = listed.filter((entry) => !notBooked.has(statusOf(entry) ?? '')).map(entryOf)
  const isWhole =
    pages.length === 0 && entries.every(({ problem, amount }) => problem === undefined || amount > 0n)
  const balances = isWhole ? balancesOf(report, entries) : {}
  const stated = report.text('TxsSummry/TtlNtries/NbOfNtries')
  return {
    line: report.line,
    id: [id, ...page].join(' page '),
    iban: (report.text('Acct/Id/IBAN') ?? report.text('Acct/Id/Othr/Id'))
      ?.replaceAll(/\W/g, '')
      .toUpperCase(),
    currency: report.text('Acct/Ccy'),
    bic: report.text('Acct/Svcr/FinInstnId/BICFI') ?? report.text('Acct/Svcr/FinInstnId/BIC'),
    problem:
      pages.length === 0 && stated !== undefined && Number(stated) !== listed.length
        ? `${report.name} is not whole: it says ${stated} entries and has ${listed.length}`
        : balances.problem,
    opening: balances.opening,
    closing: balances.closing,
    entries,
  }
}

/** The balances between which the entries lead; a statement of several days may have those of each. */
function balancesOf(
  report: Node,
  entries: readonly Entry[],
): Pick<AccountReport, 'opening' | 'closing' | 'problem'> {
  const [opened, closed] = [balancesAmong(report, 'OPBD'), balancesAmong(report, 'CLBD')]
  const openings = opened.length > 0 ? opened : balancesAmong(report, 'PRCD')
  const summed = entries.reduce(
    (sum, { direction, amount }) => (direction === 'credit' ? sum + amount : sum - amount),
    0n,
  )
  const opening = openings.find((one) => closed.some((closing) => one + summed === closing))
  if (opening !== undefined) return { opening, closing: (opening + summed) as Cents }
  const [first] = openings
  if (first === undefined || closed.length === 0) return { opening: first, closing: closed[0] }
  const problem = `${report.name} ${report.text('Id')} is not whole: its entries do not lead from its opening to its closing balance`
  return { problem }
}

/** In cents, negative for money owed; without those that are in another currency or cannot be read. */
function balancesAmong(report: Node, code: string): Cents[] {
  return report.all('Bal').flatMap((balance) => {
    const money = balance.text('Tp/CdOrPrtry/Cd') === code ? moneyOf(balance) : undefined
    if (money?.currency !== accountCurrency) return []
    return [(balance.text('CdtDbtInd') === 'DBIT' ? -money.amount : money.amount) as Cents]
  })
}

/** Pending, for information, or of a day to come. */
const notBooked = new Set(['PDNG', 'INFO', 'FUTR'])

function statusOf(entry: Node): string | undefined {
  return entry.text('Sts/Cd') ?? entry.text('Sts')
}

function directionOf(entry: Node): Direction {
  const text = entry.text('CdtDbtInd')
  if (text === 'CRDT') return 'credit'
  if (text === 'DBIT') return 'debit'
  const found = `CdtDbtInd must be CRDT or DBIT, and is ${text ?? 'missing'}`
  throw new FileRefused(`${found}: its amount is ${entry.text('Amt')}`, entry.line)
}

function childOf(node: Node, path: string): Node {
  const child = node.first(path)
  if (child === undefined) throw new FileRefused(`${node.name} has no ${path}`, node.line)
  return child
}

/** The amount of a node; undefined if it has none that can be read. */
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
  const direction = known ?? 'debit'
  const amount = (known && booked) ?? cents(0)
  understood(() => entry.checkStorable())
  const details = entry.all('NtryDtls/TxDtls')
  const isOnly = details.length === 1
  const words = entry.text('AddtlNtryInf')
  // Of several transactions it cannot be the text that names a wallet.
  const text = isOnly || creditorReferencesIn(words ?? '').size === 0 ? words : undefined
  const of = { entry, direction, amount, isOnly, text }
  const stated =
    amount === booked ? understood(() => details.map((detail) => transactionOf(detail, of))) : undefined
  const checked = stated?.length ? understood(() => checkSum(entry, of, stated)) : undefined
  const [valueOn, bookingDay] = [
    understood(() => dayOf(entry, 'ValDt')),
    understood(() => dayOf(entry, 'BookgDt')),
  ]
  const isReversal = understood(() => isReversalOf(entry)) ?? false
  const problem = problems.length === 0 ? undefined : problems.join('; ')
  const hasDetails = details.length > 0 && problem === undefined
  const whole = { ...wholeOf(entry, details), amount }
  return {
    line: entry.line,
    direction,
    amount,
    currency: accountCurrency,
    bookedOn: bookingDay ?? valueOn,
    valueOn,
    servicerReference: servicerReferenceIn(entry.text('AcctSvcrRef')),
    code: codeOf(entry),
    isReversal,
    transactions: hasDetails && checked !== undefined ? checked : [whole],
    hasDetails,
    charges: chargesOf(entry),
    problem,
    ...(problem !== undefined && stated !== undefined && { stated }),
  }
}

function bookedAmountOf(entry: Node): Cents {
  const status = statusOf(entry)
  const { amount, currency } = readAmount(childOf(entry, 'Amt'))
  if (status !== 'BOOK')
    throw new FileRefused(
      `nobody knows whether it is booked: its status is ${status ?? 'missing'}, its amount ${entry.text('Amt')}`,
      entry.line,
    )
  if (currency !== accountCurrency)
    throw new FileRefused(
      `its amount is ${entry.text('Amt')} ${currency}, the account is in ${accountCurrency}`,
      entry.line,
    )
  return amount
}

/** The transactions, with what the bank charged if that is why they do not sum up to their entry. */
function checkSum(
  entry: Node,
  { direction, amount }: Pick<OfEntry, 'direction' | 'amount'>,
  transactions: readonly Transaction[],
): readonly Transaction[] {
  const total = sumOf(transactions.map((one) => one.amount))
  if (total === amount) return transactions
  const explained = withCharges({ direction, amount, charges: chargesOf(entry) }, transactions)
  if (explained !== undefined) return explained
  const charges = [entry, ...entry.all('NtryDtls/TxDtls')].flatMap(chargesOf)
  const charged =
    charges.length === 0 ? '' : `, with charges of ${decimalText(sumOf(charges.map((one) => one.amount)))}`
  throw new FileRefused(
    `its transactions sum up to ${decimalText(total)}${charged}, and it is over ${decimalText(amount)}`,
    entry.line,
  )
}

/** An entry as one transaction: what is said of all of it, and of its only transaction. */
function wholeOf(entry: Node, details: readonly Node[]): Omit<Transaction, 'amount'> {
  const [only, ...others] = details
  const isOnly = only !== undefined && others.length === 0
  const shared = { currency: accountCurrency, charges: [], references: referencesOf(entry) }
  if (only === undefined) {
    const text = entry.text('AddtlNtryInf')
    return { ...shared, party: {}, paymentGroupId: entry.text('NtryDtls/Btch/PmtInfId'), text }
  }
  return {
    ...shared,
    party: isOnly ? partyOf(only, entry.text('CdtDbtInd') === 'CRDT' ? 'credit' : 'debit') : {},
    endToEndId: isOnly ? referenceIn(only.text('Refs/EndToEndId')) : undefined,
    text: joined(details.map(remittanceOf)),
    furtherText: joined([...details.map(furtherTextOf), entry.text('AddtlNtryInf')]),
    returnReason: isOnly ? returnReasonOf(only) : undefined,
  }
}

/** None if it says nothing of them, or nothing that can be read. */
function chargesOf(node: Node): Charge[] {
  const records = node.all('Chrgs/Rcrd')
  return (records.length > 0 ? records : node.all('Chrgs')).flatMap((record) => {
    const money = moneyOf(record) ?? moneyOf(record, 'TtlChrgsAndTaxAmt')
    if (money === undefined) return []
    const [direction, included] = [record.text('CdtDbtInd'), record.text('ChrgInclInd')]
    return {
      ...money,
      direction: direction === undefined ? undefined : direction === 'CRDT' ? 'credit' : 'debit',
      isIncluded: included === undefined ? undefined : isTrue(included),
    }
  })
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
  readonly isOnly: boolean
  /** What the bank writes of the entry. */
  readonly text: string | undefined
}

function transactionOf(detail: Node, of: OfEntry): Transaction {
  const refs = detail.first('Refs')
  return {
    endToEndId: referenceIn(refs?.text('EndToEndId')),
    paymentGroupId: refs?.text('PmtInfId'),
    mandateId: refs?.text('MndtId'),
    amount: amountOf(detail, of),
    currency: accountCurrency,
    party: partyOf(detail, of.direction),
    text: remittanceOf(detail),
    furtherText: joined([furtherTextOf(detail), of.text]),
    references: referencesOf(of.isOnly ? of.entry : detail),
    returnReason: returnReasonOf(detail),
    charges: chargesOf(detail),
  }
}

function amountOf(detail: Node, { entry, amount, isOnly }: OfEntry): Cents {
  const stated = detail.first('Amt') ?? detail.first('AmtDtls/TxAmt/Amt')
  if (stated === undefined && !isOnly)
    throw new FileRefused('one of its several transactions has no amount', detail.line)
  const read = stated === undefined ? undefined : readAmount(stated)
  const sign = detail.text('CdtDbtInd')
  if (sign !== undefined && sign !== entry.text('CdtDbtInd') && !isTrue(entry.text('RvslInd')))
    throw new FileRefused('one of its transactions goes the other way', detail.line)
  // What was converted on its way is booked in the account's currency.
  if (read === undefined || (read.currency !== accountCurrency && isOnly)) return amount
  if (read.currency !== accountCurrency)
    throw new FileRefused(`one of its several transactions is in ${read.currency}`, detail.line)
  return read.amount
}

/** The other end: who paid what is credited, who received what is debited. */
function partyOf(detail: Node, direction: Direction): Transaction['party'] {
  const other = direction === 'credit' ? 'Dbtr' : 'Cdtr'
  return {
    name: detail.text(`RltdPties/${other}/Nm`) ?? detail.text(`RltdPties/${other}/Pty/Nm`),
    iban: detail.text(`RltdPties/${other}Acct/Id/IBAN`),
  }
}

/** A return without a code has its reason in words, which is `NARR`. */
function returnReasonOf(detail: Node): string | undefined {
  const returned = detail.first('RtrInf')
  return returned && (returned.text('Rsn/Cd') ?? returned.text('Rsn/Prtry') ?? 'NARR')
}

/** The payer's words, and behind them the references for the payee: either may name the wallet. */
function remittanceOf(detail: Node): string | undefined {
  return joined(textsOf(detail, ['RmtInf/Ustrd', 'RmtInf/Strd/CdtrRefInf/Ref']))
}

function furtherTextOf(detail: Node): string | undefined {
  const texts = textsOf(detail, ['RmtInf/Strd/AddtlRmtInf', 'AddtlTxInf', 'RtrInf/AddtlInf'])
  // Payers write the reference of a wallet also into the field for their own reference.
  const references = textsOf(detail, [
    ...['Refs/EndToEndId', 'Refs/InstrId', 'Refs/TxId', 'Refs/Prtry/Ref'],
    'RmtInf/Strd/RfrdDocInf/Nb',
  ])
  return joined([...texts, ...references.filter((text) => creditorReferencesIn(text).size > 0)])
}

function textsOf(node: Node, paths: readonly string[]): string[] {
  return paths.flatMap((path) => node.all(path)).flatMap((one) => one.text() ?? [])
}

function joined(texts: readonly (string | undefined)[]): string | undefined {
  return texts.filter((text) => text !== undefined).join(' ') || undefined
}

/** The names that we gave, wherever an entry or a transaction has them. */
function referencesOf(node: Node): string[] {
  const parts = [node, ...node.all('NtryDtls/TxDtls')]
  const refs = parts.flatMap((one) => [...one.all('Refs'), ...one.all('NtryDtls/Btch')])
  return namesIn(
    [
      ...refs.flatMap((one) => one.all()).map((one) => one.text()),
      ...parts.flatMap((one) => [remittanceOf(one), furtherTextOf(one)]),
      ...textsOf(node, ['AcctSvcrRef', 'NtryRef', 'AddtlNtryInf']),
    ].join('\n'),
  )
}

function dayOf(entry: Node, name: string): string | undefined {
  const text = entry.text(`${name}/Dt`) ?? entry.text(`${name}/DtTm`)
  if (text === undefined) return undefined
  const day = parseDay(text.slice(0, 'yyyy-mm-dd'.length))
  // No bank has booked before; the database knows no year 0.
  if (day === undefined || day < '1000') throw new FileRefused(`${name} is not a date: ${text}`, entry.line)
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
  const status = original.text('GrpSts')
  const named = message.all('OrgnlPmtInfAndSts').map((group) => ({
    group,
    groupId: referenceIn(group.text('OrgnlPmtInfId')),
  }))
  // A group has its file in its name.
  const [ofGroup] = named.flatMap(({ groupId = '' }) => fileIdOfGroup(groupId) ?? [])
  const originalId = referenceIn(original.text('OrgnlMsgId')) ?? (ofGroup && messageIdOf({ id: ofGroup }))
  const unnamed = named.filter(({ groupId }) => groupId === undefined).map(({ group }) => group)
  return {
    kind: 'status',
    format: 'pain.002',
    id: message.text('GrpHdr/MsgId') ?? 'NOTPROVIDED',
    originalId,
    status,
    reasons: reasonsOf(original),
    groups: named.flatMap(({ group, groupId }) =>
      groupId === undefined
        ? []
        : [
            {
              line: group.line,
              groupId,
              status: group.text('PmtInfSts'),
              reasons: reasonsOf(group),
              orders: ordersIn(group, group.text('PmtInfSts') ?? status),
            },
          ],
    ),
    unnamed: reasonsOfRefusal(unnamed),
    orders: [
      ...ordersIn(message, status),
      ...unnamed.flatMap((group) => ordersIn(group, group.text('PmtInfSts') ?? status)),
    ],
  }
}

function reasonsOfRefusal(groups: readonly Node[]): StatusReason[] | undefined {
  const refused = groups.find(
    (one) => one.text('PmtInfSts') === 'RJCT' && one.all('TxInfAndSts').length === 0,
  )
  return refused && reasonsOf(refused)
}

/** What is said of orders by name; one without a status of its own has that of all, and its reason. */
function ordersIn(node: Node, ofAll: string | undefined): OrderStatus[] {
  return node.all('TxInfAndSts').flatMap((order) => {
    const endToEndId = referenceIn(order.text('OrgnlEndToEndId')) ?? referenceIn(order.text('OrgnlInstrId'))
    if (endToEndId === undefined) return []
    const { line } = order
    return [{ line, endToEndId, status: order.text('TxSts') ?? ofAll, reasons: reasonsOf(order) }]
  })
}

function reasonsOf(node: Node): StatusReason[] {
  return node.all('StsRsnInf').map((one) => ({
    code: one.text('Rsn/Cd') ?? one.text('Rsn/Prtry'),
    text:
      one
        .all('AddtlInf')
        .flatMap((words) => words.text() ?? [])
        .join(' ') || undefined,
  }))
}
