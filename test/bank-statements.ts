// Answers of a bank as files: status reports, statements and notifications.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { moneyOf } from './money.ts'
import type { Json, World } from './world.ts'

export interface Line {
  readonly amount: string
  readonly reference?: string
  /** Date of booking and value, as `Dt`, or as `DtTm` if there is a time. Default: a day. `null` writes none. */
  readonly bookedOn?: string | null
  readonly valueOn?: string | null
  readonly status?: 'BOOK' | 'PDNG'
  readonly code?: string
  readonly currency?: string
  readonly group?: string
  readonly charge?: string
  readonly details?: readonly Details[]
}

export interface Details {
  readonly endToEndId?: string
  readonly amount?: string
  readonly text?: string
  readonly structured?: string
  readonly reason?: string
  readonly iban?: string
  readonly charge?: string
}

export interface Account {
  readonly iban: string
  readonly bic?: string
  readonly currency?: string
}

const sandboxAccount: Account = { iban: 'PT50000201231234567890154', bic: 'SBOXPTPL' }

export const endToEndId = (operationId: string) => operationId.replaceAll('-', '')

let messages = 0

/**
 * A camt.053 (`BkToCstmrStmt`) or camt.054 (`BkToCstmrDbtCdtNtfctn`) as a new message about the same statement. `id`
 * names another statement.
 */
export function accountReport(
  kind: 'statement' | 'notification',
  lines: readonly Line[],
  { account = sandboxAccount, version = '08', id = 'DAY', extra = '' } = {},
): string {
  messages += 1
  const [root, report, name] =
    kind === 'statement'
      ? ['BkToCstmrStmt', 'Stmt', `camt.053.001.${version}`]
      : ['BkToCstmrDbtCdtNtfctn', 'Ntfctn', `camt.054.001.${version}`]
  const { iban, bic, currency = 'EUR' } = account
  const tag = isOld(version) ? 'BIC' : 'BICFI'
  const servicer = bic === undefined ? '' : `<Svcr><FinInstnId><${tag}>${bic}</${tag}></FinInstnId></Svcr>`
  return `<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:${name}"><${root}>
<GrpHdr><MsgId>TEST-${process.pid}-${messages}</MsgId><CreDtTm>2026-11-24T06:00:00</CreDtTm></GrpHdr>
<${report}><Id>${id}</Id><CreDtTm>2026-11-24T06:00:00</CreDtTm>
<Acct><Id><IBAN>${iban}</IBAN></Id><Ccy>${currency}</Ccy>${servicer}</Acct>
${extra}${lines.map((line) => entry(line, version)).join('\n')}
</${report}></${root}></Document>
`
}

/** The first versions, from 2009, have other names for a few elements. */
const isOld = (version: string) => version < '03'

function entry(
  {
    amount,
    reference,
    bookedOn = '2026-11-24',
    valueOn = '2026-11-24',
    status = 'BOOK',
    code,
    currency = 'EUR',
    group,
    charge,
    details,
  }: Line,
  version: string,
) {
  const direction = amount.startsWith('-') ? 'DBIT' : 'CRDT'
  // Every entry needs a code. This one means "other".
  const [domain, family, sub] = (code ?? 'PMNT/MCOP/OTHR').split('/')
  const transactions = (details ?? []).map((one) => transaction(one, direction, currency, version)).join('')
  const batch = group === undefined ? '' : `<Btch><PmtInfId>${group}</PmtInfId></Btch>`
  return [
    `<Ntry><Amt Ccy="${currency}">${amount.replace('-', '')}</Amt><CdtDbtInd>${direction}</CdtDbtInd>`,
    version < '08' ? `<Sts>${status}</Sts>` : `<Sts><Cd>${status}</Cd></Sts>`,
    dayOf('BookgDt', bookedOn) + dayOf('ValDt', valueOn),
    reference === undefined ? '' : `<AcctSvcrRef>${reference}</AcctSvcrRef>`,
    `<BkTxCd><Domn><Cd>${domain}</Cd><Fmly><Cd>${family}</Cd><SubFmlyCd>${sub}</SubFmlyCd></Fmly></Domn></BkTxCd>`,
    chargesOf(charge),
    `<NtryDtls>${batch}${transactions}</NtryDtls></Ntry>`,
  ].join('')
}

function chargesOf(amount: string | undefined): string {
  if (amount === undefined) return ''
  return `<Chrgs><Rcrd><Amt Ccy="EUR">${amount}</Amt><CdtDbtInd>DBIT</CdtDbtInd></Rcrd></Chrgs>`
}

function dayOf(name: string, text: string | null): string {
  if (text === null) return ''
  const tag = text.includes('T') ? 'DtTm' : 'Dt'
  return `<${name}><${tag}>${text}</${tag}></${name}>`
}

function transaction(
  { endToEndId: id, amount, text, structured, reason, iban, charge }: Details,
  direction: string,
  currency: string,
  version: string,
) {
  const money = `<Amt Ccy="${currency}">${amount?.replace('-', '')}</Amt>`
  const party = direction === 'CRDT' ? 'DbtrAcct' : 'CdtrAcct'
  return [
    `<TxDtls><Refs>${id === undefined ? '' : `<EndToEndId>${id}</EndToEndId>`}</Refs>`,
    amount === undefined
      ? ''
      : isOld(version)
        ? `<AmtDtls><TxAmt>${money}</TxAmt></AmtDtls>`
        : `${money}<CdtDbtInd>${direction}</CdtDbtInd>`,
    chargesOf(charge),
    iban === undefined ? '' : `<RltdPties><${party}><Id><IBAN>${iban}</IBAN></Id></${party}></RltdPties>`,
    `<RmtInf>${text === undefined ? '' : `<Ustrd>${text}</Ustrd>`}${
      structured === undefined ? '' : `<Strd><CdtrRefInf><Ref>${structured}</Ref></CdtrRefInf></Strd>`
    }</RmtInf>`,
    reason === undefined ? '' : `<RtrInf><Rsn><Cd>${reason}</Cd></Rsn></RtrInf>`,
    '</TxDtls>',
  ].join('')
}

export function statusReport(
  file: string,
  {
    status,
    reason,
    reasons = '',
    group: ofGroup,
    orders = [],
  }: {
    readonly status?: string
    readonly reason?: string
    readonly reasons?: string
    /** The status of the file's first group, if it has one. */
    readonly group?: { readonly status?: string; readonly reason?: string }
    readonly orders?: readonly {
      readonly operationId: string
      readonly status: string
      readonly reason?: string
    }[]
  },
): string {
  messages += 1
  const message = /<MsgId>([^<]+)/.exec(file)?.[1]
  const group = /<PmtInfId>([^<]+)/.exec(file)?.[1]
  const why = (code: string | undefined) =>
    code === undefined ? '' : `<StsRsnInf><Rsn><Cd>${code}</Cd></Rsn></StsRsnInf>`
  const transactions = orders.map(
    (order) =>
      `<TxInfAndSts><OrgnlEndToEndId>${endToEndId(order.operationId)}</OrgnlEndToEndId><TxSts>${order.status}</TxSts>${why(order.reason)}</TxInfAndSts>`,
  )
  return `<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:pain.002.001.03"><CstmrPmtStsRpt>
<GrpHdr><MsgId>STATUS-${process.pid}-${messages}</MsgId><CreDtTm>2026-11-23T10:00:00</CreDtTm></GrpHdr>
<OrgnlGrpInfAndSts><OrgnlMsgId>${message}</OrgnlMsgId><OrgnlMsgNmId>pain</OrgnlMsgNmId>${
    status === undefined ? '' : `<GrpSts>${status}</GrpSts>`
  }${why(reason)}${reasons}</OrgnlGrpInfAndSts>
${
  transactions.length === 0 && ofGroup === undefined
    ? ''
    : `<OrgnlPmtInfAndSts><OrgnlPmtInfId>${group}</OrgnlPmtInfId>${
        ofGroup?.status === undefined ? '' : `<PmtInfSts>${ofGroup.status}</PmtInfSts>`
      }${why(ofGroup?.reason)}${transactions.join('')}</OrgnlPmtInfAndSts>`
}
</CstmrPmtStsRpt></Document>
`
}

/** Plays the bank with commands: exports orders and imports the bank's answers. */
export function bankOf(world: () => World) {
  let files = 0

  async function importText(text: string): ReturnType<World['cli']> {
    files += 1
    const path = join(world().dataDir, `from-bank-${files}.xml`)
    writeFileSync(path, text)
    return world().cli('bank', 'import', path)
  }

  async function exported(): Promise<string> {
    const { json } = await world().cli('bank', 'export')
    expect(json.files).toHaveLength(1)
    return readFileSync(json.files[0].path, 'utf8')
  }

  return {
    importText,
    exported,
    statement: (...lines: Line[]) => importText(accountReport('statement', lines)),
    notification: (...lines: Line[]) => importText(accountReport('notification', lines)),
    async ordered(amount = 10): Promise<string> {
      const payment = { amount, currency: 'EUR', ext_invoiceid: 'T-1' }
      const checkout = await world().createCheckout({ payment })
      await moneyOf(world()).payByDebit(checkout)
      return checkout.payment.id
    },
    async close(isMeant: (entry: Json) => boolean = () => true): Promise<void> {
      const { entries } = (await world().cli('bank', 'unmatched')).json
      for (const entry of entries.filter(isMeant))
        await world().cli('bank', 'resolve', entry.entry_id, '--note', 'looked at')
    },
  }
}
