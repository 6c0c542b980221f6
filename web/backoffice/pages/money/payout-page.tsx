// One payout.
import { Alert, Anchor, Paper, Table } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { read } from '../../api.ts'
import { useFormats } from '../../i18n/format.ts'
import { useTexts } from '../../i18n/language.ts'
import { Loaded, PageHead } from '../../kit/page.tsx'
import { StatusBadge } from '../../kit/status.tsx'
import { useWallet } from '../../session.ts'
import type { Payout } from './answers.ts'
import { payoutTexts } from './i18n.ts'
import { statusOf } from './payouts-page.tsx'
import { useAskers } from './queries.ts'

export function Page() {
  const t = useTexts(payoutTexts)
  const { api, id: wallet } = useWallet()
  const { id = '' } = useParams({ strict: false }) as { id?: string }
  const query = useQuery({
    queryKey: [api, 'payouts', id],
    queryFn: ({ signal }) => read<Payout>(`${api}/payouts/${encodeURIComponent(id)}`, signal),
  })
  return (
    <>
      <PageHead
        title={t.one}
        actions={
          <Anchor component={Link} to={`/wallets/${wallet}/payouts` as string}>
            {t.all}
          </Anchor>
        }
      />
      <Loaded query={query}>{(payout) => <Details payout={payout} />}</Loaded>
    </>
  )
}

function Details({ payout }: { readonly payout: Payout }) {
  const t = useTexts(payoutTexts)
  const format = useFormats()
  const { id: wallet } = useWallet()
  const { [payout.id]: asker } = useAskers([payout.id])
  const rows: readonly (readonly [string, ReactNode])[] = [
    [t.amount, format.money(-payout.amount, payout.currency)],
    [t.status, <StatusBadge key="status" status={statusOf(payout)} />],
    [t.iban, payout.iban],
    [t.paidOn, payout.execution_date && format.day(payout.execution_date)],
    [t.when, format.moment(payout.date)],
    [t.changed, format.moment(payout.modified_date)],
    [t.by, asker?.name ?? t.channels[payout.channel as keyof typeof t.channels] ?? payout.channel],
    [t.notes, payout.notes],
    [
      t.cameBack,
      payout.parent && (
        <Anchor component={Link} to={`/wallets/${wallet}/payouts/${payout.parent}` as string} inherit>
          {payout.parent}
        </Anchor>
      ),
    ],
    [
      'Id',
      <span key="id" className="identifier">
        {payout.id}
      </span>,
    ],
  ]
  return (
    <>
      {payout.error !== undefined && (
        <Alert color="red" mb="md">
          {t.returned}: {payout.error}
        </Alert>
      )}
      <Paper withBorder p="md">
        <Table variant="vertical" withRowBorders={false}>
          <Table.Tbody>
            {rows
              .filter(([, value]) => value !== undefined)
              .map(([label, value]) => (
                <Table.Tr key={label}>
                  <Table.Th w={180}>{label}</Table.Th>
                  <Table.Td>{value}</Table.Td>
                </Table.Tr>
              ))}
          </Table.Tbody>
        </Table>
      </Paper>
    </>
  )
}
