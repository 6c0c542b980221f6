// Events of a merchant and their deliveries.
import { Alert, Anchor, Button, Group, Select, Text, TextInput } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { EventsAnswer, ResentAnswer } from '../../../../src/backoffice/contract/developers.ts'
import { act } from '../../api.ts'
import { useFormats } from '../../i18n/format.ts'
import { useTexts } from '../../i18n/language.ts'
import { AskingButton } from '../../kit/confirm-button.tsx'
import { Endless, useEndless, useFilters } from '../../kit/endless.tsx'
import { useNotify } from '../../kit/notify.ts'
import { Empty } from '../../kit/page.tsx'
import { StatusBadge, useStatusName } from '../../kit/status.tsx'
import { DataTable } from '../../kit/table.tsx'
import { useWallet } from '../../session.ts'
import { DevelopersFrame } from './developers-frame.tsx'
import { developersTexts } from './i18n.ts'

const states = ['DUE', 'DELIVERED', 'VERIFIED', 'GIVEN_UP', 'NO_ENDPOINT'] as const

export function Page() {
  const t = useTexts(developersTexts)
  const say = useNotify()
  const { api, may } = useWallet()
  const [filters, change] = useFilters()
  const query = useEndless<EventsAnswer>(`${api}/developers/events`, filters)
  const isFiltered = Object.keys(filters).length > 0
  const resendAll = may('callbacks') && (
    <AskingButton
      label={t.resendAll}
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
  const nameOf = useStatusName()
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
          ...states.map((state) => ({ value: state, label: nameOf(state) })),
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
    <DataTable
      label={t.events}
      minWidth={720}
      columns={[
        {
          head: t.when,
          kind: 'line',
          cell: ({ id, created }) => (
            <Anchor component={Link} to={`/wallets/${walletId}/developers/events/${id}`}>
              {format.moment(created)}
            </Anchor>
          ),
        },
        {
          head: t.what,
          cell: ({ kind, event }) => (
            <>
              {t.kinds[kind]}{' '}
              <Text span size="sm" c="dimmed">
                {event}
              </Text>
            </>
          ),
        },
        { head: t.subject, kind: 'identifier', cell: ({ subject }) => subject },
        { head: t.state, cell: ({ state }) => <StatusBadge status={state} /> },
        { head: t.attempts, kind: 'amount', cell: ({ attempts }) => attempts },
        { head: t.lastAnswer, cell: (one) => one.last_error ?? one.last_status },
      ]}
      rows={events}
      keyOf={({ id }) => id}
    />
  )
}
