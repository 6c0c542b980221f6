// How the addresses of callbacks did lately, one line each.
import { Badge, Paper, Table, Text, Title } from '@mantine/core'
import type { EndpointsAnswer } from '../../../../src/backoffice/contract/developers.ts'
import { focusable } from '../../kit/rows.tsx'
import { useFormats } from '../../texts/format.ts'
import { useTexts } from '../../texts/language.ts'
import { developersTexts } from './texts.ts'

export function EndpointHealth({ health }: { readonly health: EndpointsAnswer['health'] }) {
  const t = useTexts(developersTexts)
  const format = useFormats()
  const laneName = (lane: string) => ({ wallet: t.walletLane, card: t.cardLane })[lane] ?? lane
  return (
    <Paper withBorder p="lg">
      <Title order={2} mb="sm">
        {t.health}
      </Title>
      {health.length === 0 ? (
        <Text c="dimmed" size="sm">
          {t.noHealth}. {t.noHealthText}
        </Text>
      ) : (
        <Table.ScrollContainer minWidth={640} scrollAreaProps={focusable}>
          <Table verticalSpacing="sm">
            <Table.Thead>
              <Table.Tr>
                {[t.address, t.state, t.lastReceived, t.lastAnswer, t.backlog, t.givenUp].map((head) => (
                  <Table.Th key={head}>{head}</Table.Th>
                ))}
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {health.map((one) => (
                <Table.Tr key={one.lane}>
                  <Table.Td className="anywhere">{laneName(one.lane)}</Table.Td>
                  <Table.Td>
                    <Badge variant="light" tt="none" color={one.failing_since === null ? 'green' : 'red'}>
                      {one.failing_since === null ? t.well : t.failing}
                    </Badge>
                    {one.failing_since !== null && (
                      <Text size="xs">
                        {t.failingSince} {format.moment(one.failing_since)}
                      </Text>
                    )}
                  </Table.Td>
                  <Table.Td className="number">
                    {one.last_received === null ? t.never : format.moment(one.last_received)}
                  </Table.Td>
                  <Table.Td className="anywhere">{one.last_error ?? one.last_status ?? '—'}</Table.Td>
                  <Table.Td className="number">{format.number(one.backlog)}</Table.Td>
                  <Table.Td className="number">{format.number(one.given_up)}</Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      )}
    </Paper>
  )
}
