// The entries of one day of the statement.
import { Anchor, Button, Center, Table } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { read } from '../../api.ts'
import { Empty, Loaded, PageHead } from '../../kit/page.tsx'
import { focusable } from '../../kit/rows.tsx'
import { useWallet } from '../../session.ts'
import { useFormats } from '../../texts/format.ts'
import { useTexts } from '../../texts/language.ts'
import type { EntriesAnswer, Entry } from './answers.ts'
import { statementTexts } from './texts.ts'

export function Page() {
  const t = useTexts(statementTexts)
  const format = useFormats()
  const { api, id } = useWallet()
  const { day = '' } = useParams({ strict: false }) as { day?: string }
  const query = useInfiniteQuery({
    queryKey: [api, 'statement', 'entries', day],
    queryFn: ({ signal, pageParam }) =>
      read<EntriesAnswer>(`${api}/statement/${day}${pageParam === '' ? '' : `?after=${pageParam}`}`, signal),
    initialPageParam: '',
    getNextPageParam: ({ next }) => next,
  })
  return (
    <>
      <PageHead
        title={`${t.title} · ${/^\d{4}-\d\d-\d\d$/.test(day) ? format.day(day) : day}`}
        actions={
          <Anchor component={Link} to={`/wallets/${id}/statement?month=${day.slice(0, 7)}` as string}>
            {t.wholeMonth}
          </Anchor>
        }
      />
      <Loaded query={query}>
        {({ pages }) => {
          const entries = pages.flatMap(({ elements }) => elements)
          return entries.length === 0 ? (
            <Empty title={t.none}>{t.noneText}</Empty>
          ) : (
            <Entries entries={entries} />
          )
        }}
      </Loaded>
      {query.hasNextPage && (
        <Center mt="md">
          <Button
            variant="default"
            loading={query.isFetchingNextPage}
            onClick={() => void query.fetchNextPage()}
          >
            {t.more}
          </Button>
        </Center>
      )}
    </>
  )
}

function Entries({ entries }: { readonly entries: readonly Entry[] }) {
  const t = useTexts(statementTexts)
  const format = useFormats()
  return (
    <Table.ScrollContainer minWidth={720} scrollAreaProps={focusable}>
      <Table verticalSpacing="sm">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t.when}</Table.Th>
            <Table.Th>{t.what}</Table.Th>
            <Table.Th>{t.reference}</Table.Th>
            <Table.Th ta="right">{t.gross}</Table.Th>
            <Table.Th ta="right">{t.fees}</Table.Th>
            <Table.Th ta="right">{t.net}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {entries.map((entry) => (
            <Table.Tr key={`${entry.operation_id} ${entry.kind} ${entry.date} ${entry.amount}`}>
              <Table.Td className="number">{format.moment(entry.date)}</Table.Td>
              <Table.Td>{[t.kinds[entry.kind], entry.method].filter(Boolean).join(' · ')}</Table.Td>
              <Table.Td>
                <Reference entry={entry} />
              </Table.Td>
              <Table.Td ta="right" className="number">
                {format.money(entry.amount)}
              </Table.Td>
              <Table.Td ta="right" className="number">
                {entry.fee === 0 ? '–' : format.money(entry.fee)}
              </Table.Td>
              <Table.Td ta="right" className="number" fw={600}>
                {format.money(entry.amount_net)}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  )
}

function Reference({ entry }: { readonly entry: Entry }) {
  const { id } = useWallet()
  const { operation_id: operation, ext_invoiceid: invoice, notes, kind } = entry
  if (operation === undefined) return notes
  const page = kind === 'payout' ? 'payouts' : 'payments'
  return (
    <Anchor component={Link} to={`/wallets/${id}/${page}/${operation}` as string} inherit>
      {invoice ?? notes ?? operation.slice(0, 8)}
    </Anchor>
  )
}
