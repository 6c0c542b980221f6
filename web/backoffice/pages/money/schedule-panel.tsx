// Payout schedule, its latest runs and its form.
import { Anchor, Group, Paper, Select, Stack, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { act, read } from '../../api.ts'
import { amountIn } from '../../i18n/amount.ts'
import { useFormats } from '../../i18n/format.ts'
import { useTexts } from '../../i18n/language.ts'
import { AmountField } from '../../kit/amount-field.tsx'
import { BeginButton } from '../../kit/begin-button.tsx'
import { Dialog } from '../../kit/dialog.tsx'
import { Refused, useDoing } from '../../kit/doing.tsx'
import { FormEnd } from '../../kit/form-end.tsx'
import { useNotify } from '../../kit/notify.ts'
import { Loaded } from '../../kit/page.tsx'
import { useWallet } from '../../session.ts'
import type { Frequency, ScheduleAnswer } from './answers.ts'
import { payoutTexts } from './i18n.ts'

const frequencies: readonly Frequency[] = ['none', 'daily', 'weekly', 'monthly']
const daysOfWeek = 5
const daysOfMonth = 31

export function SchedulePanel() {
  const t = useTexts(payoutTexts)
  const { api, may } = useWallet()
  const [isOpen, { open, close }] = useDisclosure()
  const query = useQuery({
    queryKey: [api, 'payouts', 'schedule'],
    queryFn: ({ signal }) => read<ScheduleAnswer>(`${api}/payouts/schedule`, signal),
  })
  return (
    <Paper withBorder p="md" component="section" aria-label={t.schedule}>
      <Group justify="space-between" wrap="nowrap">
        <Text size="sm" c="dimmed">
          {t.schedule}
        </Text>
        {may('payouts') && query.data !== undefined && (
          <BeginButton size="compact-sm" variant="default" onClick={open}>
            {t.change}
          </BeginButton>
        )}
      </Group>
      <Loaded query={query} rows={1}>
        {(schedule) => (
          <>
            <Schedule schedule={schedule} />
            {isOpen && <ScheduleForm schedule={schedule} onClose={close} />}
          </>
        )}
      </Loaded>
    </Paper>
  )
}

function Schedule({ schedule }: { readonly schedule: ScheduleAnswer }) {
  const t = useTexts(payoutTexts)
  const format = useFormats()
  const { id } = useWallet()
  const { frequency, day = 1, next, minimum, keep } = schedule
  const [last] = schedule.runs
  const words = {
    none: t.frequencies.none,
    daily: t.frequencies.daily,
    weekly: `${t.frequencies.weekly}: ${t.weekdays[day - 1]}`,
    monthly: `${t.frequencies.monthly}: ${t.dayOfMonth} ${day}`,
  }
  return (
    <>
      <Text fw={600} fz="lg">
        {words[frequency]}
      </Text>
      {next !== undefined && (
        <Text size="sm" c="dimmed">
          {t.next} {format.day(next)} · {t.minimum} {format.money(minimum)} · {t.keep} {format.money(keep)}
        </Text>
      )}
      {last !== undefined && (
        <Text size="sm" c="dimmed">
          {format.day(last.day)}:{' '}
          {last.outcome === 'ordered' ? (
            <Anchor component={Link} to={`/wallets/${id}/payouts/${last.operation_id}` as string} inherit>
              {format.money(last.amount ?? 0)}
            </Anchor>
          ) : (
            t.reasons[last.reason ?? 'below_minimum']
          )}
        </Text>
      )}
    </>
  )
}

function ScheduleForm({
  schedule,
  onClose,
}: {
  readonly schedule: ScheduleAnswer
  readonly onClose: () => void
}) {
  const t = useTexts(payoutTexts)
  const say = useNotify()
  const format = useFormats()
  const { api } = useWallet()
  const queries = useQueryClient()
  const [frequency, setFrequency] = useState<Frequency>(schedule.frequency)
  const [day, setDay] = useState(String(schedule.day ?? 1))
  const [minimum, setMinimum] = useState(format.typed(schedule.minimum))
  const [keep, setKeep] = useState(format.typed(schedule.keep))

  const least = amountIn(minimum)
  const stays = amountIn(keep)
  const isDated = frequency === 'weekly' || frequency === 'monthly'
  const wrong = {
    minimum: least === undefined || least <= 0 ? t.amountWrong : undefined,
    keep: stays === undefined ? t.keepWrong : undefined,
  }

  const saving = useDoing(async () => {
    const body = { frequency, minimum: least, keep: stays, ...(isDated ? { day: Number(day) } : {}) }
    await act(`${api}/payouts/schedule`, { method: 'PUT', body })
    await queries.invalidateQueries({ queryKey: [api, 'payouts', 'schedule'] })
    say(t.scheduleSet)
    onClose()
  })

  function save(event: FormEvent) {
    event.preventDefault()
    if (wrong.minimum === undefined && wrong.keep === undefined) void saving.start()
  }

  const daysShown =
    frequency === 'weekly'
      ? t.weekdays.slice(0, daysOfWeek).map((label, index) => ({ value: String(index + 1), label }))
      : Array.from({ length: daysOfMonth }, (_, index) => String(index + 1))
  return (
    <Dialog opened close={onClose} title={t.schedule}>
      <form onSubmit={save} noValidate>
        <Stack>
          <Refused problem={saving.problem} />
          <Select
            label={t.howOften}
            data={frequencies.map((value) => ({ value, label: t.frequencies[value] }))}
            value={frequency}
            allowDeselect={false}
            data-autofocus
            onChange={(value) => {
              setFrequency(value as Frequency)
              setDay('1')
            }}
          />
          {isDated && (
            <Select
              label={frequency === 'weekly' ? t.weekday : t.dayOfMonth}
              description={t.dayHint}
              data={daysShown}
              value={day}
              allowDeselect={false}
              onChange={(value) => setDay(value ?? '1')}
            />
          )}
          {frequency !== 'none' && (
            <>
              <AmountField
                label={t.minimum}
                description={t.minimumHint}
                value={minimum}
                onChange={(event) => setMinimum(event.currentTarget.value)}
                error={wrong.minimum}
              />
              <AmountField
                label={t.keep}
                description={t.keepHint}
                value={keep}
                onChange={(event) => setKeep(event.currentTarget.value)}
                error={wrong.keep}
              />
            </>
          )}
          <FormEnd label={t.save} busy={saving.busy} cancel={onClose} />
        </Stack>
      </form>
    </Dialog>
  )
}
