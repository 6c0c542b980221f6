// Payment of a checkout by direct debit.
import { maskedIban } from '../../bank-files/index.ts'
import { isUuid } from '../../kernel/random.ts'
import { type CustomerEngine, findAttempt } from '../../operations/for-methods.ts'
import { dayInWords, type FieldProblem, type PageField } from '../../pages/index.ts'
import type { Creditor, DebtorAddress } from '../../rails/index.ts'
import { readAddress } from '../address.ts'
import { contactOf, contactProblems } from '../contact.ts'
import type { MethodPage, PostedForm, Visit } from '../method.ts'
import type { SepaDebitDeps } from './deps.ts'
import { sepaDebit } from './facts.ts'
import type { DebitDetails, DebitTerms } from './model.ts'
import { renderDebitPage } from './ordered-page.ts'
import { debitPanel } from './panel.ts'
import { mandateTexts, needsEmail, readDebtor, wantsAddress } from './rules.ts'
import { startDebit } from './start.ts'

export function debitPage(deps: SepaDebitDeps, engine: CustomerEngine<DebitDetails>): MethodPage {
  function termsOf({ wallet, locale }: Pick<Visit, 'wallet' | 'locale'>): DebitTerms {
    const creditor = deps.rail.creditorOf(wallet.id)
    return { creditor, mandateText: mandateTexts[locale](creditor, wallet.name) }
  }

  return {
    panel: (visit) => debitPanel(termsOf(visit)),

    async start(visit, form) {
      const { checkout, wallet, browser } = visit
      const { ip, userAgent } = browser
      const { attempt: pageToken = '', creditor: shown } = form
      const terms = termsOf(visit)
      const { creditorId } = terms.creditor
      const wantsEmail = needsEmail(terms.creditor)
      // The creditor has changed: show the new mandate.
      if (!isUuid(pageToken) || (shown ?? creditorId) !== creditorId) return { kind: 'too_late' }
      const read = readDebtor(form)
      const { requiredFields } = checkout
      const required = wantsEmail ? { ...requiredFields, email: true } : requiredFields
      const place = addressIn(terms.creditor, form)
      const problems = {
        ...(read.ok ? {} : read.problems),
        ...place.problems,
        ...contactProblems(required, form),
      }
      if (!read.ok || Object.keys(problems).length > 0) {
        return { kind: 'wrong_fields', problems, filledIn: form }
      }
      const { name } = read.debtor
      const client = {
        ...(checkout.operation.client?.name === undefined ? { name } : {}),
        ...contactOf(form),
      }
      await visit.keepCustomer(client)
      const started = await startDebit(deps, engine, {
        operation: checkout.operation,
        merchantName: wallet.name,
        pageToken: pageToken.toLowerCase(),
        debtor: { ...read.debtor, address: place.address },
        email: wantsEmail ? client.email : undefined,
        ...{ terms, ip, userAgent },
      })
      return { kind: started ? 'started' : 'too_late' }
    },

    async state({ checkout, wallet, locale }) {
      const { walletId, attemptId } = checkout.operation
      const debit =
        attemptId === undefined
          ? undefined
          : await findAttempt<DebitDetails>(deps.database, sepaDebit.code, walletId, attemptId)
      if (debit === undefined) return { kind: 'open' }
      const { debtor, mandate, mandateOfAgent, isMandateSent, agent, collectOn } = debit.details
      const shown = {
        iban: maskedIban(debtor.iban),
        mandateId: mandateOfAgent ?? mandate.id,
        ...(isMandateSent === true
          ? { sentBy: agent ?? wallet.name }
          : { collectedOn: dayInWords(collectOn, locale) }),
      }
      return { kind: 'shown', render: (frame) => renderDebitPage(frame, shown) }
    },
  }
}

function addressIn(
  creditor: Creditor,
  form: PostedForm,
): {
  readonly address?: DebtorAddress
  readonly problems?: Readonly<Partial<Record<PageField, FieldProblem>>>
} {
  if (!wantsAddress(creditor, form.iban)) return {}
  const read = readAddress(form)
  if (!read.ok) return { problems: read.problems }
  const { address: street = '', postalcode, city = '', country = '' } = read.address
  return { address: { street, postalcode, city, country } }
}
