// Banks by ISO 20022 files: orders as pain.001 and pain.008, reports as camt and pain.002.
import { electronicFormatIBAN, isValidBIC } from 'ibantools'
import { railsByFile, statementByFile } from '../../src/bank-files/index.ts'
import type { Connection, Driver, SettingSpec } from '../../src/connections/index.ts'
import { creditorIdOf, isCreditorId } from '../../src/kernel/values/creditor-reference.ts'
import { isOutsideEea, isSepaIban, readIban } from '../../src/kernel/values/ibans.ts'
import type { CreditorAccount, OrderFormats } from '../../src/rails/index.ts'

const nameLengthMax = 70
const transferFormats: readonly OrderFormats['transfers'][] = ['pain.001.001.09', 'pain.001.001.03']
const collectionFormats: readonly OrderFormats['collections'][] = ['pain.008.001.08', 'pain.008.001.02']

const settings: readonly SettingSpec[] = [
  {
    ...{ name: 'name', secret: false, required: true },
    help: 'Name of the account holder, as debtors and beneficiaries see it.',
    check: (text) =>
      /\p{L}/u.test(text) && text.trim().length <= nameLengthMax
        ? undefined
        : `must be a name of at most ${nameLengthMax} characters`,
  },
  {
    ...{ name: 'iban', secret: false, required: true },
    help: 'IBAN of the account.',
    check: (text) =>
      isSepaIban(readIban(text) ?? '') ? undefined : 'must be the IBAN of an account within SEPA',
  },
  {
    ...{ name: 'bic', secret: false, required: true },
    help: 'BIC of the bank.',
    check: (text) => (isValidBIC(bicOf(text)) ? undefined : 'must be a BIC, such as BCOMPTPL'),
  },
  {
    ...{ name: 'creditor_id', secret: false, required: true },
    help: 'SEPA creditor identifier for direct debits.',
    check: (text) =>
      isCreditorId(text) ? undefined : 'must be a valid SEPA creditor identifier; check the digits',
  },
  {
    ...{ name: 'transfers', secret: false, required: false },
    help: `Format of transfers: ${transferFormats.join(' or ')}. Default: the first.`,
    check: oneOf(transferFormats),
  },
  {
    ...{ name: 'collections', secret: false, required: false },
    help: `Format of direct debits: ${collectionFormats.join(' or ')}. Default: the first.`,
    check: oneOf(collectionFormats),
  },
]

/**
 * Tested against the ISO 20022 schemas and an independent bank simulator (mock-bank). Each bank can have further
 * rules that no test knows.
 */
export const bankFiles: Driver = {
  name: 'bank-files',
  rails: ['directDebit', 'creditTransfer'],
  proven: true,
  gatewayOnly: true,
  settings,
  open(connection, { database, clock }) {
    const { directDebit, creditTransfer } = railsByFile({ database, clock })
    const creditorAccount = accountOf(connection)
    const { name, creditorId, iban } = creditorAccount
    const creditor = { name, creditorId, wantsAddress: isOutsideEea(iban) }
    return {
      directDebit: { ...directDebit, creditorOf: () => creditor },
      ...{ creditTransfer, creditorAccount },
    }
  },
  statement: (_connection, day, { database }) => statementByFile(database, day),
  async check(connection) {
    const { iban, formats } = accountOf(connection)
    const written = `${formats?.transfers} and ${formats?.collections}`
    return [
      {
        name: 'account',
        ok: true,
        detail: `orders for ${iban} use ${written}; ask the bank whether it accepts them (nothing was sent)`,
      },
    ]
  },
}

function accountOf({ settings: set }: Connection): CreditorAccount {
  const [transfers = transferFormats[0]] = transferFormats.filter((format) => format === set.transfers)
  const [collections = collectionFormats[0]] = collectionFormats.filter(
    (format) => format === set.collections,
  )
  return {
    name: (set.name ?? '').trim(),
    iban: ibanOf(set.iban ?? ''),
    bic: bicOf(set.bic ?? ''),
    creditorId: creditorIdOf(set.creditor_id ?? ''),
    formats: { transfers, collections } as OrderFormats,
  }
}

function ibanOf(text: string): string {
  return electronicFormatIBAN(text.trim()) ?? ''
}

function bicOf(text: string): string {
  return text.trim().toUpperCase()
}

function oneOf(words: readonly string[]): (text: string) => string | undefined {
  return (text) => (words.includes(text) ? undefined : `must be ${words.join(' or ')}`)
}
