// Delivery health of callback addresses.
import { Badge, Paper, Text, Title } from '@mantine/core'
import type { EndpointsAnswer } from '../../../../src/backoffice/contract/developers.ts'
import { useFormats } from '../../i18n/format.ts'
import { useTexts } from '../../i18n/language.ts'
import { DataTable } from '../../kit/table.tsx'
import { developersTexts } from './i18n.ts'

export function EndpointHealth({ answer }: { readonly answer: EndpointsAnswer }) {
  const { health, callback_url: usual, card_callback_url: ofCards } = answer
  // If the wallet has no address for stored cards, the main address gets their callbacks.
  const isSet = (lane: string) => (lane === 'card' ? (ofCards ?? usual) : usual) !== null
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
        <DataTable
          label={t.health}
          columns={[
            { head: t.address, cell: ({ lane }) => laneName(lane) },
            { head: t.state, cell: (one) => <StateOf isSet={isSet(one.lane)} since={one.failing_since} /> },
            {
              head: t.lastReceived,
              kind: 'line',
              cell: (one) => (one.last_received === null ? t.never : format.moment(one.last_received)),
            },
            { head: t.lastAnswer, cell: (one) => one.last_error ?? one.last_status },
            { head: t.backlog, kind: 'amount', cell: ({ backlog }) => format.number(backlog) },
            { head: t.givenUp, kind: 'amount', cell: (one) => format.number(one.given_up) },
          ]}
          rows={health}
          keyOf={({ lane }) => lane}
        />
      )}
    </Paper>
  )
}

function StateOf({ isSet, since }: { readonly isSet: boolean; readonly since: string | null }) {
  const t = useTexts(developersTexts)
  const format = useFormats()
  if (!isSet) {
    return (
      <Badge variant="light" tt="none" color="gray">
        {t.notSet}
      </Badge>
    )
  }
  return (
    <>
      <Badge variant="light" tt="none" color={since === null ? 'green' : 'red'}>
        {since === null ? t.well : t.failing}
      </Badge>
      {since !== null && (
        <Text size="xs">
          {t.failingSince} {format.moment(since)}
        </Text>
      )}
    </>
  )
}
