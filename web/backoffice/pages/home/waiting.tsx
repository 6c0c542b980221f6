// Pending matters with links to their pages.
import { Anchor, Group, Stack, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { HomeAnswer } from '../../../../src/backoffice/contract/home.ts'
import { useFormats } from '../../i18n/format.ts'
import { useTexts } from '../../i18n/language.ts'
import { useWallet } from '../../session.ts'
import { homeTexts } from './i18n.ts'

export function Waiting({ waiting }: { readonly waiting: HomeAnswer['waiting'] }) {
  const t = useTexts(homeTexts)
  const format = useFormats()
  const { id } = useWallet()
  const { references, open_authorizations: open, authorizations, charges, callbacks } = waiting
  const all = [
    {
      text: t.references,
      ...references,
      to: '/payments',
      search: { type: 'PAYMENT', status: 'NEW,PENDING', method: 'MB' },
    },
    { text: t.openAuthorizations, ...open, to: '/authorizations', search: {} },
    { text: t.authorizations, ...authorizations, to: '/authorizations', search: {} },
    { text: t.charges, ...charges, to: '/payments', search: { status: 'FAIL' } },
    { text: t.retried, count: callbacks.retried, amount: undefined, to: '/developers/callbacks', search: {} },
    {
      text: t.givenUp,
      count: callbacks.given_up,
      amount: undefined,
      to: '/developers/events',
      search: { state: 'failed' },
    },
  ].filter(({ count }) => count > 0)
  if (all.length === 0) return <Text c="dimmed">{t.nothingWaits}</Text>
  return (
    <Stack gap="sm">
      {all.map(({ text, count, amount, to, search }) => (
        <Group key={text} justify="space-between" gap="xs" wrap="nowrap">
          <Anchor component={Link} to={`/wallets/${id}${to}` as string} search={search as never} size="sm">
            {text}
          </Anchor>
          <Text size="sm" className="number" fw={600}>
            {format.number(count)}
            {amount !== undefined && amount > 0 && (
              <Text span c="dimmed" fw={400}>
                {' '}
                {format.money(amount)}
              </Text>
            )}
          </Text>
        </Group>
      ))}
    </Stack>
  )
}
