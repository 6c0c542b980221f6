// Kinds of mail with their switches, and the status of each mail.
import { Alert, Button, Group, Paper, Select, Stack, Switch, Text, Title } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { act, read } from '../../api.ts'
import { useFormats } from '../../i18n/format.ts'
import { useTexts } from '../../i18n/language.ts'
import { useFilters } from '../../kit/endless.tsx'
import { useNotify } from '../../kit/notify.ts'
import { Empty, Loaded, PageHead } from '../../kit/page.tsx'
import { StatusBadge, useStatusName } from '../../kit/status.tsx'
import { DataTable } from '../../kit/table.tsx'
import { useWallet } from '../../session.ts'
import { Problem } from '../../shell/problems.tsx'
import { Paged, usePaged } from '../recurring/paged.tsx'
import { mailTexts } from './i18n.ts'

interface Kind {
  readonly kind: string
  readonly audience: string
  readonly enabled: boolean
}

interface Mail {
  readonly id: string
  readonly kind: string
  readonly status: string
  readonly recipient?: string
  readonly title?: string
  readonly attempts: number
  readonly reason?: string
  readonly date: string
  readonly next_attempt?: string
}

const states = ['WAITING', 'SENT', 'REFUSED', 'GIVEN_UP', 'SKIPPED'] as const
const audiences = ['customer', 'merchant', 'team'] as const

export function Page() {
  const t = useTexts(mailTexts)
  return (
    <>
      <PageHead title={t.title} about={t.about} />
      <Stack gap="xl">
        <Kinds />
        <Mails />
      </Stack>
    </>
  )
}

function Kinds() {
  const t = useTexts(mailTexts)
  const { api } = useWallet()
  const query = useQuery({
    queryKey: [api, 'mails', 'kinds'],
    queryFn: ({ signal }) => read<{ elements: readonly Kind[] }>(`${api}/mails/kinds`, signal),
  })
  return (
    <Paper withBorder p="md" component="section" aria-label={t.kindsTitle} maw={880}>
      <Title order={2}>{t.kindsTitle}</Title>
      <Text c="dimmed" size="sm" mb="md">
        {t.kindsAbout}
      </Text>
      <Loaded query={query}>
        {({ elements }) => (
          <Stack gap="lg">
            {audiences.map((audience) => (
              <Stack key={audience} gap="xs" role="group" aria-label={t.audiences[audience]}>
                <Text fw={600}>{t.audiences[audience]}</Text>
                {elements
                  .filter((kind) => kind.audience === audience)
                  .map((kind) => (
                    <KindSwitch key={kind.kind} {...kind} />
                  ))}
              </Stack>
            ))}
          </Stack>
        )}
      </Loaded>
    </Paper>
  )
}

function KindSwitch({ kind, enabled }: Kind) {
  const t = useTexts(mailTexts)
  const say = useNotify()
  const { api, may } = useWallet()
  const client = useQueryClient()
  const name = t.kinds[kind] ?? kind
  const turning = useMutation({
    mutationFn: (on: boolean) =>
      act<Kind>(`${api}/mails/kinds/${kind}`, { method: 'PUT', body: { enabled: on } }),
    onSuccess: async (turned) => {
      say(turned.enabled ? t.turnedOn(name) : t.turnedOff(name))
      await client.invalidateQueries({ queryKey: [api, 'mails', 'kinds'] })
    },
  })
  return (
    <>
      <Switch
        label={name}
        checked={enabled}
        disabled={!may('mail') || turning.isPending}
        onChange={(event) => turning.mutate(event.currentTarget.checked)}
      />
      {turning.error !== null && <Problem error={turning.error} />}
    </>
  )
}

function Mails() {
  const t = useTexts(mailTexts)
  const nameOf = useStatusName()
  const { api } = useWallet()
  const [filters, change] = useFilters()
  const query = usePaged<Mail>(`${api}/mails`)
  return (
    <section aria-label={t.sentTitle}>
      <Title order={2} mb="sm">
        {t.sentTitle}
      </Title>
      <FailedNotice />
      <Group mb="md" gap="sm" role="search">
        <Select
          aria-label={t.state}
          placeholder={t.anyState}
          clearable
          data={states.map((value) => ({ value, label: nameOf(value) }))}
          value={filters.status ?? null}
          onChange={(status) => change({ status: status ?? undefined, offset: undefined })}
        />
        <Select
          aria-label={t.kind}
          placeholder={t.anyKind}
          clearable
          data={Object.entries(t.kinds).map(([value, label]) => ({ value, label }))}
          value={filters.kind ?? null}
          onChange={(kind) => change({ kind: kind ?? undefined, offset: undefined })}
        />
      </Group>
      <Paged query={query} empty={<Empty title={t.none}>{t.noneText}</Empty>}>
        {(mails) => <MailTable mails={mails} />}
      </Paged>
    </section>
  )
}

/** Shows that mail was refused or given up. */
function FailedNotice() {
  const t = useTexts(mailTexts)
  const { api } = useWallet()
  const [, change] = useFilters()
  const path = `${api}/mails?status=REFUSED&status=GIVEN_UP&limit=1`
  const { data } = useQuery({
    queryKey: [path],
    queryFn: ({ signal }) => read<{ total: number }>(path, signal),
  })
  if (data === undefined || data.total === 0) return null
  return (
    <Alert color="yellow" mb="md">
      <Group justify="space-between">
        {t.refusedNotice(data.total)}
        <Button variant="default" size="xs" onClick={() => change({ status: 'REFUSED', offset: undefined })}>
          {t.showRefused}
        </Button>
      </Group>
    </Alert>
  )
}

function MailTable({ mails }: { readonly mails: readonly Mail[] }) {
  const t = useTexts(mailTexts)
  const format = useFormats()
  const whyOf = ({ reason, next_attempt }: Mail) =>
    [
      reason === undefined ? undefined : (t.reasons[reason] ?? reason),
      next_attempt === undefined ? undefined : t.nextAttempt(format.moment(next_attempt)),
    ]
      .filter((part) => part !== undefined)
      .join('. ')
  return (
    <DataTable
      label={t.sentTitle}
      minWidth={860}
      columns={[
        { head: t.when, kind: 'line', cell: ({ date }) => format.moment(date) },
        { head: t.what, cell: ({ title, kind }) => title ?? t.kinds[kind] ?? kind },
        { head: t.to, kind: 'identifier', cell: ({ recipient }) => recipient },
        { head: t.state, cell: ({ status }) => <StatusBadge status={status} /> },
        { head: t.attempts, kind: 'amount', cell: ({ attempts }) => attempts },
        { head: t.why, cell: whyOf },
      ]}
      rows={mails}
      keyOf={({ id }) => id}
    />
  )
}
