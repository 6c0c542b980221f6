// All events of a merchant with their deliveries: searched, and sent again.
import { Alert, Anchor, Button, Group, Select, Table, Text, TextInput } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { EventsAnswer, ResentAnswer } from '../../../../src/backoffice/contract/developers.ts'
import { act } from '../../api.ts'
import { AskingButton } from '../../kit/doing.tsx'
import { Endless, useEndless, useFilters } from '../../kit/endless.tsx'
import { Empty } from '../../kit/page.tsx'
import { focusable } from '../../kit/rows.tsx'
import { useSay } from '../../kit/say.ts'
import { StatusBadge } from '../../kit/status.tsx'
import { useWallet } from '../../session.ts'
import { useFormats } from '../../texts/format.ts'
import { useTexts } from '../../texts/language.ts'
import { DevelopersFrame } from './developers-frame.tsx'
import { developersTexts } from './texts.ts'

const states = ['DUE', 'DELIVERED', 'VERIFIED', 'GIVEN_UP', 'NO_ENDPOINT'] as const

export function Page() {
  const t = useTexts(developersTexts)
  const say = useSay()
  const { api, may } = useWallet()
  const [filters, change] = useFilters()
  const query = useEndless<EventsAnswer>(`${api}/developers/events`, filters)
  const isFiltered = Object.keys(filters).length > 0
  const resendAll = may('callbacks') && (
    <AskingButton
      label={t.resendAll}
      cancel={t.cancel}
      ask={t.resendAllAsk}
      variant="default"
      work={async () => {
        const { resent, more } = await act<ResentAnswer>(`${api}/developers/resend-failed`)
        say(more ? `${t.resent(resent)} ${t.resentMore}` : t.resent(resent))
        await query.refetch()
      }}
    />
  )
  return (
    <DevelopersFrame section="events" about={t.eventsAbout} actions={resendAll}>
      <EventFilters />
      {filters.state === 'unverified' && (
        <Alert color="yellow" mb="md">
          {t.verifyHint}
        </Alert>
      )}
      <Endless query={query} more={isFiltered ? t.further : t.more}>
        {(pages) => {
          const events = pages.flatMap((page) => page.events)
          if (events.length > 0) return <Events events={events} />
          if (!isFiltered) return <Empty title={t.noEvents}>{t.noEventsText}</Empty>
          const showAll = (
            <Button
              variant="light"
              onClick={() =>
                change(Object.fromEntries(Object.keys(filters).map((name) => [name, undefined])))
              }
            >
              {t.clear}
            </Button>
          )
          return (
            <Empty title={t.noneMatch} action={showAll}>
              {t.noneMatchText}
            </Empty>
          )
        }}
      </Endless>
    </DevelopersFrame>
  )
}

function EventFilters() {
  const t = useTexts(developersTexts)
  const [filters, change] = useFilters()
  return (
    <Group mb="md" gap="sm" role="search">
      <Select
        aria-label={t.state}
        placeholder={t.anyState}
        clearable
        data={[
          { value: 'failed', label: t.failed },
          { value: 'unverified', label: t.unverified },
          ...states.map((state) => ({ value: state, label: state })),
        ]}
        value={filters.state ?? null}
        onChange={(state) => change({ state: state ?? undefined })}
      />
      <Select
        aria-label={t.what}
        placeholder={t.anyKind}
        clearable
        data={Object.entries(t.kinds).map(([value, label]) => ({ value, label }))}
        value={filters.kind ?? null}
        onChange={(kind) => change({ kind: kind ?? undefined })}
      />
      <TextInput
        aria-label={t.subject}
        placeholder={t.subjectHint}
        defaultValue={filters.subject}
        key={filters.subject}
        onBlur={(event) => change({ subject: event.currentTarget.value.trim() })}
        onKeyDown={(event) => event.key === 'Enter' && change({ subject: event.currentTarget.value.trim() })}
      />
    </Group>
  )
}

function Events({ events }: { readonly events: EventsAnswer['events'] }) {
  const t = useTexts(developersTexts)
  const format = useFormats()
  const { id: walletId } = useWallet()
  return (
    <Table.ScrollContainer minWidth={720} scrollAreaProps={focusable}>
      <Table verticalSpacing="sm" highlightOnHover>
        <Table.Thead>
          <Table.Tr>
            {[t.when, t.what, t.subject, t.state, t.attempts, t.lastAnswer].map((head) => (
              <Table.Th key={head}>{head}</Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {events.map((one) => (
            <Table.Tr key={one.id}>
              <Table.Td className="number">
                <Anchor component={Link} to={`/wallets/${walletId}/developers/events/${one.id}`} size="sm">
                  {format.moment(one.created)}
                </Anchor>
              </Table.Td>
              <Table.Td>
                {t.kinds[one.kind]}{' '}
                <Text span size="sm" c="dimmed">
                  {one.event}
                </Text>
              </Table.Td>
              <Table.Td className="identifier">{one.subject}</Table.Td>
              <Table.Td>
                <StatusBadge status={one.state} />
              </Table.Td>
              <Table.Td className="number">{one.attempts}</Table.Td>
              <Table.Td className="anywhere">{one.last_error ?? one.last_status ?? '—'}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  )
}
