// Rules of refunds to a bank account: the account, the days, the page.
import { type Day, lisbonDayOf } from '../../../kernel/lisbon.ts'
import { ok, type Result, refuse } from '../../../kernel/result.ts'
import { nextTargetDay } from '../../../kernel/target-days.ts'
import { after, day, type Instant } from '../../../kernel/time.ts'
import { holderProblemOf } from '../../../kernel/values/account-holders.ts'
import { isSepaIban, readIban, sepaProblemOf } from '../../../kernel/values/ibans.ts'
import type { AskedAccount, BankAccount } from '../../../operations/for-refunds.ts'
import type { FieldProblem } from '../../../pages/index.ts'
import type { AccountRefund } from './model.ts'

/** Long enough for a payer on holiday. Then the merchant has the amount back. */
const pageDays = 30

export function pageEnds(now: Instant): Instant {
  return after(now, pageDays * day)
}

/** The `error` of a refund whose page ended unused. */
export const pageEnded = 'refund_page_ended'

/** Undefined without one. Refusals: missing_parameter, invalid_parameter. */
export function readAccount({ iban, name }: AskedAccount): Result<BankAccount | undefined> {
  const typedIban = textOf(iban)
  const typedName = textOf(name)
  if (typedIban === '' && typedName === '') return ok(undefined)
  if (typedIban === '') return refuse('missing_parameter', 'iban is required with name')
  if (typedName === '') return refuse('missing_parameter', 'name is required with iban')
  const electronic = readIban(typedIban)
  const problem = sepaProblemOf(electronic)
  if (electronic === undefined || problem !== undefined) return refuse('invalid_parameter', `iban ${problem}`)
  return holderProblemOf(typedName) === undefined
    ? ok({ iban: electronic, name: typedName })
    : refuse(
        'invalid_parameter',
        'name must be 1 to 70 characters with a letter, without card numbers and invisible marks',
      )
}

/** Other values than texts are neither an IBAN nor a name. */
function textOf(value: unknown): string {
  if (typeof value === 'string') return value.trim()
  return value === undefined || value === null ? '' : '\0'
}

export interface AccountForm {
  readonly holder?: string | undefined
  readonly iban?: string | undefined
}

export type ReadForm =
  | { readonly ok: true; readonly account: BankAccount }
  | { readonly ok: false; readonly problems: Readonly<Partial<Record<'holder' | 'iban', FieldProblem>>> }

/** The account that a payer typed on the page. */
export function readForm(form: AccountForm): ReadForm {
  const name = (form.holder ?? '').trim()
  const typed = (form.iban ?? '').trim()
  const iban = readIban(typed)
  const holder = holderProblemOf(name)
  const wrong = typed === '' ? 'missing' : iban === undefined ? 'invalid' : undefined
  const ibanProblem = wrong ?? (iban !== undefined && !isSepaIban(iban) ? 'not_sepa' : undefined)
  if (iban !== undefined && holder === undefined && ibanProblem === undefined)
    return { ok: true, account: { name, iban } }
  return {
    ok: false,
    problems: {
      ...(holder !== undefined && { holder }),
      ...(ibanProblem !== undefined && { iban: ibanProblem }),
    },
  }
}

/** The network pays on the next bank day. The bank gets the order of the refund on that day or later. */
export function sendDayOf(paidAt: Instant, now: Instant): Day {
  const arrives = nextTargetDay(lisbonDayOf(paidAt))
  const today = lisbonDayOf(now)
  if (today > arrives) return today
  return arrives
}

/** `open`: the payer can name the account. */
export type PageState = 'open' | 'named' | 'ended'

export function pageStateOf({ expiresAt, namedAt, endedAt }: AccountRefund, now: Instant): PageState {
  if (namedAt !== undefined) return 'named'
  return endedAt !== undefined || (expiresAt !== undefined && expiresAt <= now) ? 'ended' : 'open'
}
