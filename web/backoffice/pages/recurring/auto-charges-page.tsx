// Calendar of automatic charges, and their results.
import { Anchor, Group, Paper, Select, SimpleGrid, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { read } from '../../api.ts'
import { useFormats } from '../../i18n/format.ts'
import { useTexts } from '../../i18n/language.ts'
import { useFilters } from '../../kit/endless.tsx'
import { Empty, Loaded, PageHead } from '../../kit/page.tsx'
import { StatusBadge, useStatusName } from '../../kit/status.tsx'
import { type Column, DataTable } from '../../kit/table.tsx'
import { useWallet } from '../../session.ts'
import { type AutoCharge, autoChargeTexts } from './auto-charge-texts.ts'
import { Paged, usePaged } from './paged.tsx'

interface Entry {
  readonly subscription_id: string
  readonly description?: string
  readonly auto_charge: AutoCharge
}

interface Results {
  readonly cycles: number
  readonly paid_at_once: number
  readonly recovered: number
  readonly retrying: number
  readonly failed: number
  readonly recovered_amount: number
  readonly failed_amount: number
  readonly recovered_share?: number
  readonly reasons: readonly { readonly error: string; readonly charges: number }[]
}

const results = ['CHARGING', 'PAID', 'RETRYING', 'FAILED'] as const
const percent = 100

export function Page() {
  const t = useTexts(autoChargeTexts)
  return (
    <>
      <PageHead title={t.title} about={t.about} />
      <Stack gap="xl">
        <LatestResults />
        <Calendar />
      </Stack>
    </>
  )
}

function LatestResults() {
  const t = useTexts(autoChargeTexts)
  const format = useFormats()
  const { api } = useWallet()
  const query = useQuery({
    queryKey: [api, 'auto_charges', 'results'],
    queryFn: ({ signal }) => read<Results>(`${api}/auto_charges/results`, signal),
  })
  return (
    <Paper withBorder p="md" component="section" aria-label={t.resultsTitle}>
      <Title order={2} mb="sm">
        {t.resultsTitle}
      </Title>
      <Loaded query={query}>
        {(found) => (
          <Stack gap="sm">
            <SimpleGrid cols={{ base: 2, sm: 4 }}>
              <Figure name={t.cycles} value={String(found.cycles)} />
              <Figure name={t.paidAtOnce} value={String(found.paid_at_once)} />
              <Figure
                name={t.recovered}
                value={
                  found.recovered_share === undefined
                    ? String(found.recovered)
                    : `${found.recovered} (${Math.round(found.recovered_share * percent)} %)`
                }
                detail={format.money(found.recovered_amount)}
              />
              <Figure
                name={t.failed}
                value={String(found.failed)}
                detail={format.money(found.failed_amount)}
              />
            </SimpleGrid>
            {found.reasons.length > 0 && (
              <Text size="sm">
                {t.reasons}:{' '}
                {found.reasons
                  .map(({ error, charges }) => `${t.errors[error] ?? error} (${charges})`)
                  .join(', ')}
              </Text>
            )}
          </Stack>
        )}
      </Loaded>
    </Paper>
  )
}

function Figure(props: { readonly name: string; readonly value: string; readonly detail?: string }) {
  return (
    <div>
      <Text size="sm" c="dimmed">
        {props.name}
      </Text>
      <Text fw={600} size="lg">
        {props.value}
      </Text>
      {props.detail !== undefined && <Text size="sm">{props.detail}</Text>}
    </div>
  )
}

function Calendar() {
  const t = useTexts(autoChargeTexts)
  const nameOf = useStatusName()
  const format = useFormats()
  const { api, id: walletId } = useWallet()
  const [filters, change] = useFilters()
  const query = usePaged<Entry>(`${api}/auto_charges`)
  const columns: readonly Column<Entry>[] = [
    {
      head: t.nextOn,
      kind: 'line',
      cell: ({ auto_charge: { next_on } }) => (next_on === undefined ? t.none : format.day(next_on)),
    },
    {
      head: t.subscription,
      cell: ({ subscription_id, description }) => (
        <Anchor component={Link} to={`/wallets/${walletId}/subscriptions/${subscription_id}`}>
          {description ?? subscription_id}
        </Anchor>
      ),
    },
    { head: t.amount, kind: 'amount', cell: ({ auto_charge: { amount } }) => format.money(amount) },
    { head: t.status, cell: ({ auto_charge: { status } }) => <StatusBadge status={status} /> },
    {
      head: t.latest,
      cell: ({ auto_charge: { latest } }) =>
        latest === undefined ? t.none : <StatusBadge status={latest.result} />,
    },
    {
      head: t.reason,
      cell: ({ auto_charge: { latest } }) =>
        latest?.error === undefined ? '' : (t.errors[latest.error] ?? latest.error),
    },
  ]
  return (
    <section aria-label={t.calendar}>
      <Title order={2} mb="sm">
        {t.calendar}
      </Title>
      <Group mb="md" gap="sm" role="search">
        <Select
          aria-label={t.latest}
          placeholder={t.anyResult}
          clearable
          data={results.map((value) => ({ value, label: nameOf(value) }))}
          value={filters.result ?? null}
          onChange={(result) => change({ result: result ?? undefined, offset: undefined })}
        />
      </Group>
      <Paged query={query} empty={<Empty title={t.nothing}>{t.nothingText}</Empty>}>
        {(entries) => (
          <DataTable
            label={t.calendar}
            minWidth={760}
            columns={columns}
            rows={entries}
            keyOf={({ subscription_id }) => subscription_id}
          />
        )}
      </Paged>
    </section>
  )
}
