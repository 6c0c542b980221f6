// The merchant's payments, newest first.
import { Table } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { read } from '../../api.ts'
import { Empty, Loaded, PageHead } from '../../kit/page.tsx'
import { StatusBadge } from '../../kit/status.tsx'
import { useWallet } from '../../session.ts'
import { useFormats } from '../../texts/format.ts'
import { type Dictionary, useTexts } from '../../texts/language.ts'

const english = {
  title: 'Payments',
  when: 'When',
  amount: 'Amount',
  status: 'Status',
  method: 'Method',
  id: 'Id',
  none: 'No payments yet',
  noneText: 'Payments appear here as soon as a customer begins one.',
}
const texts: Dictionary<typeof english> = {
  en: english,
  pt: {
    title: 'Pagamentos',
    when: 'Quando',
    amount: 'Montante',
    status: 'Estado',
    method: 'Método',
    id: 'Id',
    none: 'Ainda não há pagamentos',
    noneText: 'Os pagamentos aparecem aqui assim que um cliente começa um.',
  },
}

interface ListedOperation {
  readonly id: string
  readonly date: string
  readonly amount: number
  readonly currency: string
  readonly status: string
  readonly method?: string
}

export function Page() {
  const t = useTexts(texts)
  const { api } = useWallet()
  const query = useQuery({
    queryKey: [api, 'payments'],
    queryFn: ({ signal }) => read<{ elements: ListedOperation[] }>(`${api}/operations`, signal),
  })
  return (
    <>
      <PageHead title={t.title} />
      <Loaded query={query}>
        {({ elements }) =>
          elements.length === 0 ? (
            <Empty title={t.none}>{t.noneText}</Empty>
          ) : (
            <Payments elements={elements} />
          )
        }
      </Loaded>
    </>
  )
}

function Payments({ elements }: { readonly elements: readonly ListedOperation[] }) {
  const t = useTexts(texts)
  const format = useFormats()
  return (
    <Table.ScrollContainer minWidth={560}>
      <Table verticalSpacing="sm">
        <Table.Thead>
          <Table.Tr>
            {[t.when, t.amount, t.status, t.method, t.id].map((head) => (
              <Table.Th key={head}>{head}</Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {elements.map((one) => (
            <Table.Tr key={one.id}>
              <Table.Td className="number">{format.moment(one.date)}</Table.Td>
              <Table.Td className="number">{format.money(one.amount, one.currency)}</Table.Td>
              <Table.Td>
                <StatusBadge status={one.status} />
              </Table.Td>
              <Table.Td>{one.method}</Table.Td>
              <Table.Td className="identifier">{one.id}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  )
}
