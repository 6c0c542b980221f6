// Postings of an operation.
import { Text } from '@mantine/core'
import type { StoryMoment } from '../../../../src/backoffice/contract/payments.ts'
import { useFormats } from '../../i18n/format.ts'
import { useTexts } from '../../i18n/language.ts'
import { paymentTexts } from './i18n.ts'

export type ShownPosting = NonNullable<StoryMoment['postings']>[number]

export function Postings({ postings }: { readonly postings: readonly ShownPosting[] }) {
  const t = useTexts(paymentTexts)
  const format = useFormats()
  const nameOf = ({ account, public_id: publicId }: ShownPosting['debit']) => {
    if (publicId !== undefined) return `${t.accounts.other} ${publicId}`
    if (account.startsWith('clearing:')) return t.accounts.rail
    return account in t.accounts ? t.accounts[account as keyof typeof t.accounts] : account
  }
  return postings.map(({ debit, credit, amount }) => (
    <Text key={`${nameOf(debit)} ${nameOf(credit)}`} size="sm">
      <Text span className="number" fw={600}>
        {format.money(amount)}
      </Text>{' '}
      {t.fromAccount} {nameOf(debit)} {t.toAccount} {nameOf(credit)}
    </Text>
  ))
}
