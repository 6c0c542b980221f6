// One event with its delivery attempts.
import { Anchor, Button, Group, Paper, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import type { EventAnswer } from '../../../../src/backoffice/contract/developers.ts'
import { act, read } from '../../api.ts'
import { useFormats } from '../../i18n/format.ts'
import { useTexts } from '../../i18n/language.ts'
import { Refused, useDoing } from '../../kit/doing.tsx'
import { Loaded } from '../../kit/page.tsx'
import { StatusBadge } from '../../kit/status.tsx'
import { DataTable } from '../../kit/table.tsx'
import { useWallet } from '../../session.ts'
import { CodeBlock } from './code-block.tsx'
import { DevelopersFrame } from './developers-frame.tsx'
import { developersTexts } from './i18n.ts'

export function Page() {
  const t = useTexts(developersTexts)
  const { api, id: walletId, may } = useWallet()
  const { id } = useParams({ strict: false }) as { id?: string }
  const query = useQuery({
    queryKey: [api, 'developers', 'event', id],
    queryFn: ({ signal }) => read<EventAnswer>(`${api}/developers/events/${id}`, signal),
    refetchInterval: ({ state }) => (state.data?.state === 'DUE' ? 2000 : false),
  })
  const resending = useDoing(async () => {
    await act(`${api}/developers/events/${id}/resend`)
    await query.refetch()
  })
  const resend = may('callbacks') && (
    <Button loading={resending.busy} onClick={() => void resending.start()}>
      {t.resend}
    </Button>
  )
  return (
    <DevelopersFrame section="events" actions={resend}>
      <Anchor component={Link} to={`/wallets/${walletId}/developers/events`} size="sm">
        {t.back}
      </Anchor>
      <Refused problem={resending.problem} />
      <Loaded query={query}>{(event) => <Examined event={event} />}</Loaded>
    </DevelopersFrame>
  )
}

function Examined({ event }: { readonly event: EventAnswer }) {
  const t = useTexts(developersTexts)
  const format = useFormats()
  return (
    <Stack mt="md" gap="lg">
      <Paper withBorder p="lg">
        <Group justify="space-between">
          <Title order={2}>
            {t.kinds[event.kind]} {event.event}
          </Title>
          <StatusBadge status={event.state} />
        </Group>
        <Subject event={event} />
        <Text size="sm" c="dimmed">
          {format.moment(event.created)}
          {event.url !== null && ` · ${event.url}`}
          {event.next_attempt !== null && ` · ${t.nextAttempt}: ${format.moment(event.next_attempt)}`}
        </Text>
      </Paper>
      <CodeBlock title={t.body} text={event.payload} />
      <CodeBlock
        title={t.headers}
        text={Object.entries(event.headers)
          .map(([name, value]) => `${name}: ${value}`)
          .join('\n')}
      />
      <div>
        <Title order={2} mb="sm">
          {t.tries}
        </Title>
        {event.tries.length === 0 ? <Text c="dimmed">{t.noTries}</Text> : <Tries tries={event.tries} />}
      </div>
    </Stack>
  )
}

function Subject({ event: { kind, subject } }: { readonly event: EventAnswer }) {
  const { id } = useWallet()
  const pages: Partial<Record<EventAnswer['kind'], string>> = {
    operation: 'payments',
    subscription: 'subscriptions',
  }
  const page = pages[kind]
  return (
    <Text className="identifier" mt="xs">
      {page === undefined ? (
        subject
      ) : (
        <Anchor component={Link} to={`/wallets/${id}/${page}/${subject}` as string} inherit>
          {subject}
        </Anchor>
      )}
    </Text>
  )
}

function Tries({ tries }: Pick<EventAnswer, 'tries'>) {
  const t = useTexts(developersTexts)
  const format = useFormats()
  return (
    <DataTable
      label={t.tries}
      minWidth={320}
      columns={[
        { head: t.when, kind: 'line', cell: ({ at }) => format.second(at) },
        { head: t.answer, cell: ({ status, error }) => status ?? error },
        { head: t.duration, kind: 'amount', cell: (one) => `${format.number(one.duration_ms)} ms` },
      ]}
      rows={tries}
      keyOf={({ at }) => at}
    />
  )
}
