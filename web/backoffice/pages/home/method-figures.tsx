// Success rate of each method.
import { Progress, Table, Text } from '@mantine/core'
import type { HomeAnswer } from '../../../../src/backoffice/contract/home.ts'
import { useFormats } from '../../i18n/format.ts'
import { useTexts } from '../../i18n/language.ts'
import { paymentTexts } from '../payments/i18n.ts'
import { homeTexts } from './i18n.ts'

export function MethodFigures({ methods }: { readonly methods: HomeAnswer['methods'] }) {
  const t = useTexts(homeTexts)
  const names = useTexts(paymentTexts).methods
  const format = useFormats()
  if (methods.length === 0) return <Text c="dimmed">{t.noMethods}</Text>
  return (
    <Table verticalSpacing="xs">
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{t.method}</Table.Th>
          <Table.Th>{t.success}</Table.Th>
          <Table.Th visibleFrom="sm">{t.completed}</Table.Th>
          <Table.Th visibleFrom="sm">{t.failed}</Table.Th>
          <Table.Th>{t.amount}</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {methods.map(({ method, of, completed, failed, amount }) => {
          const share = completed / (completed + failed)
          const known = names[method] ?? method
          const name = of === 'payments' ? known : `${known}, ${t.ofAuthorizations}`
          return (
            <Table.Tr key={`${method} ${of}`}>
              <Table.Td>{name}</Table.Td>
              <Table.Td>
                <Text size="sm" className="number">
                  {format.percent(share)}
                </Text>
                <Progress value={share * 100} size="sm" aria-label={`${name} ${t.success}`} />
              </Table.Td>
              <Table.Td visibleFrom="sm" className="number">
                {format.number(completed)}
              </Table.Td>
              <Table.Td visibleFrom="sm" className="number">
                {format.number(failed)}
              </Table.Td>
              <Table.Td className="number">{format.money(amount)}</Table.Td>
            </Table.Tr>
          )
        })}
      </Table.Tbody>
    </Table>
  )
}
