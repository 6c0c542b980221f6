// Rendering of pain.008 and pain.001 files, in the versions of 2009 and 2019.
import { decimalText, sumOf } from '../kernel/money.ts'
import { toTimestamp } from '../kernel/time.ts'
import type { CreditorAccount, DebtorAddress, OrderFormats } from '../rails/index.ts'
import { groupsOf, messageIdOf, type OrderGroup, withoutHyphens } from './groups.ts'
import type { BankFile, BankOrder, OrderKind } from './model.ts'
import { bankText, element, path, type Xml } from './xml.ts'

const nameLengthMax = 70
const remittanceLengthMax = 140
const addressLineLengthMax = 70
const postalCodeLengthMax = 16
const townLengthMax = 35

const standardFormats: OrderFormats = {
  collections: 'pain.008.001.08',
  transfers: 'pain.001.001.09',
}

type Format = OrderFormats[keyof OrderFormats]

export function formatOf(kind: OrderKind, formats: OrderFormats = standardFormats): Format {
  return kind === 'collection' ? formats.collections : formats.transfers
}

const of2009 = { bic: 'BIC', executionDay: 'ReqdExctnDt', hasTown: false }
/** In the version of 2019 a town has its own element (EPC130-08). */
const of2019 = { bic: 'BICFI', executionDay: 'ReqdExctnDt/Dt', hasTown: true }

type Dialect = typeof of2009

const dialects: Readonly<Record<Format, Dialect>> = {
  'pain.001.001.03': of2009,
  'pain.001.001.09': of2019,
  'pain.008.001.02': of2009,
  'pain.008.001.08': of2019,
}

/** The same orders give the same text, so that a file can be written again after a crash. */
export function renderFile(file: BankFile, orders: readonly BankOrder[], creditor: CreditorAccount): string {
  const { format } = file
  const groups = groupsOf(file, orders).map((group) =>
    groupElement(file.kind, group, creditor, dialects[format]),
  )
  const root = file.kind === 'collection' ? 'CstmrDrctDbtInitn' : 'CstmrCdtTrfInitn'
  const header = element('GrpHdr', [
    element('MsgId', messageIdOf(file)),
    element('CreDtTm', toTimestamp(file.createdAt).slice(0, 19)),
    ...controlSums(orders),
    path('InitgPty/Nm', bankText(creditor.name, nameLengthMax)),
  ])
  const xmlns = `urn:iso:std:iso:20022:tech:xsd:${format}`
  const document = element('Document', element(root, [header, ...groups]), { xmlns })
  return `<?xml version="1.0" encoding="UTF-8"?>\n${document.xml}\n`
}

function controlSums(orders: readonly BankOrder[]): Xml[] {
  const total = sumOf(orders.map(({ amount }) => amount))
  return [element('NbOfTxs', String(orders.length)), element('CtrlSum', decimalText(total))]
}

function groupElement(
  kind: OrderKind,
  { id, day, orders }: OrderGroup<BankOrder>,
  creditor: CreditorAccount,
  dialect: Dialect,
): Xml {
  const { bic, executionDay } = dialect
  const collects = kind === 'collection'
  const [party, account, agent] = collects
    ? ['Cdtr', 'CdtrAcct', 'CdtrAgt']
    : (['Dbtr', 'DbtrAcct', 'DbtrAgt'] as const)
  return element('PmtInf', [
    element('PmtInfId', id),
    element('PmtMtd', collects ? 'DD' : 'TRF'),
    element('BtchBookg', 'true'),
    ...controlSums(orders),
    element('PmtTpInf', [
      path('SvcLvl/Cd', 'SEPA'),
      collects ? path('LclInstrm/Cd', 'CORE') : undefined,
      collects ? element('SeqTp', 'OOFF') : undefined,
    ]),
    collects ? element('ReqdColltnDt', day) : path(executionDay, day),
    path(`${party}/Nm`, bankText(creditor.name, nameLengthMax)),
    path(`${account}/Id/IBAN`, creditor.iban),
    path(`${agent}/FinInstnId/${bic}`, creditor.bic),
    element('ChrgBr', 'SLEV'),
    collects ? creditorScheme(creditor) : undefined,
    ...orders.map((order) =>
      order.kind === 'collection' ? collectionOf(order, dialect) : transferOf(order),
    ),
  ])
}

function creditorScheme({ creditorId }: CreditorAccount): Xml {
  const other = element('Othr', [element('Id', creditorId), path('SchmeNm/Prtry', 'SEPA')])
  return element('CdtrSchmeId', path('Id/PrvtId', other))
}

function collectionOf(order: BankOrder & { readonly kind: 'collection' }, { hasTown }: Dialect): Xml {
  const { mandate, party, partyAddress } = order
  return element('DrctDbtTxInf', [
    paymentId(order),
    instructedAmount(order),
    element(
      'DrctDbtTx',
      element('MndtRltdInf', [element('MndtId', mandate.id), element('DtOfSgntr', mandate.signedOn)]),
    ),
    // The IBAN has identified the bank alone since 2016.
    path('DbtrAgt/FinInstnId/Othr/Id', 'NOTPROVIDED'),
    element('Dbtr', [
      element('Nm', bankText(party.name, nameLengthMax)),
      partyAddress && postalAddress(partyAddress, hasTown),
    ]),
    path('DbtrAcct/Id/IBAN', party.iban),
    remittanceOf(order),
  ])
}

/** The formats allow at most two address lines. */
function postalAddress({ street, postalcode, city, country }: DebtorAddress, hasTown: boolean): Xml {
  const first = element('AdrLine', bankText(street, addressLineLengthMax))
  if (!hasTown) {
    const town = bankText([postalcode ?? '', city].join(' '), addressLineLengthMax)
    return element('PstlAdr', [element('Ctry', country), first, element('AdrLine', town)])
  }
  return element('PstlAdr', [
    postalcode === undefined ? undefined : element('PstCd', bankText(postalcode, postalCodeLengthMax)),
    element('TwnNm', bankText(city, townLengthMax)),
    element('Ctry', country),
    first,
  ])
}

function transferOf(order: BankOrder): Xml {
  const { party } = order
  return element('CdtTrfTxInf', [
    paymentId(order),
    element('Amt', instructedAmount(order)),
    path('Cdtr/Nm', bankText(party.name, nameLengthMax)),
    path('CdtrAcct/Id/IBAN', party.iban),
    remittanceOf(order),
  ])
}

function paymentId({ operationId }: BankOrder): Xml {
  return path('PmtId/EndToEndId', withoutHyphens(operationId))
}

function instructedAmount({ amount, currency }: BankOrder): Xml {
  return element('InstdAmt', decimalText(amount), { Ccy: currency })
}

function remittanceOf({ remittance }: BankOrder): Xml {
  return path('RmtInf/Ustrd', bankText(remittance, remittanceLengthMax))
}
