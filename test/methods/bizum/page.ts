// The page of BIZUM.
import { isUuid } from '../../kernel/random.ts'
import { parsePhone } from '../../kernel/values/phones.ts'
import { type CustomerEngine, findAttempt } from '../../operations/for-methods.ts'
import { field, fieldId, html, type MethodPanel, submitButton } from '../../pages/index.ts'
import { contactOf } from '../contact.ts'
import type { MethodPage } from '../method.ts'
import { bizum } from './facts.ts'
import { type BizumDeps, type BizumDetails, startBizum } from './rail.ts'

const words = {
  pt: { taking: 'A receber o pagamento', over: 'Não foi pago', again: 'Tente outro método.' },
  en: { taking: 'Receiving your payment', over: 'It was not paid', again: 'Try another method.' },
} as const

const panel: MethodPanel = {
  fieldId: (name) => fieldId('bizum', name),
  render: ({ page, path, chosen: showErrors }) => html`<form method="post" action="${path}" data-checked-form>
<input type="hidden" name="attempt" value="${page.attemptToken}">
!${field({ page, idPrefix: 'bizum', showErrors, name: 'phone', autocomplete: 'tel', inputMode: 'tel', value: page.filledIn.phone, maxLength: 24 })}
!${submitButton(page)}</form>`,
}

export function bizumPage(deps: BizumDeps, engine: CustomerEngine<BizumDetails>): MethodPage {
  return {
    panel: () => panel,
    formTargets: () => [deps.rail.pagesUrl],
    async start(visit, form) {
      const { checkout, wallet, locale: language } = visit
      const { attempt: token = '', phone: typed = '' } = form
      if (!isUuid(token)) return { kind: 'too_late' }
      const phone = parsePhone(typed, 'phone')
      if (!phone.ok) return { kind: 'wrong_fields', problems: { phone: 'invalid' }, filledIn: form }
      await visit.keepCustomer(contactOf({ ...form, phone: phone.value }))
      const order = { wallet, phone: phone.value, token, language, owner: 'checkout' } as const
      const { operation } = checkout
      const returnUrl = visit.returnUrl(bizum.code)
      const url = await startBizum(deps, engine, { ...order, operation, returnUrl })
      if (url === undefined) return { kind: 'too_late' }
      if (url !== 'unavailable') return { kind: 'redirect', url }
      const { over: title, again: detail } = words[language]
      return { kind: 'refused', notice: { kind: 'message', title, detail } }
    },
    async state({ checkout: { walletId, operation }, locale }) {
      const { taking: title, over, again: detail } = words[locale]
      const find = () =>
        findAttempt<BizumDetails>(deps.database, bizum.code, walletId, operation.attemptId ?? '')
      const before = operation.attemptId === undefined ? undefined : await find()
      if (before?.state === 'OPEN') await engine.advance(before)
      const attempt = before && (await find())
      if (attempt?.state === 'ASKED' || attempt?.state === 'APPROVED')
        return { kind: 'waiting', message: { title, detail: '' } }
      const declined = attempt?.state === 'DECLINED'
      return { kind: 'open', ...(declined && { notice: { kind: 'message', title: over, detail } as const }) }
    },
  }
}
