// Settings for methods, splits and limits.
import { Checkbox, Group, Paper, SimpleGrid, Text, TextInput, Title } from '@mantine/core'
import { useState } from 'react'
import type { SettingsAnswer } from '../../../../src/backoffice/contract/settings.ts'
import { useFormats } from '../../i18n/format.ts'
import { useTexts } from '../../i18n/language.ts'
import { AmountField } from '../../kit/amount-field.tsx'
import { paymentTexts } from '../payments/i18n.ts'
import { settingsTexts } from './i18n.ts'
import { Section, useSave } from './save.tsx'
import { useTextsForm } from './use-texts-form.ts'

interface Props {
  readonly settings: SettingsAnswer
}

export function Methods({ settings }: Props) {
  const t = useTexts(settingsTexts)
  const saving = useSave()
  const { methods: names } = useTexts(paymentTexts)
  const [methods, setMethods] = useState<string[]>(settings.methods)
  return (
    <Section
      title={t.methods}
      about={t.methodsHint}
      saving={saving}
      submit={() => saving.mutate({ methods })}
    >
      <Checkbox.Group aria-label={t.methods} value={methods} onChange={setMethods}>
        <Group gap="lg">
          {settings.methods_allowed.map((method) => (
            <Checkbox key={method} value={method} label={names[method] ?? method} />
          ))}
        </Group>
      </Checkbox.Group>
    </Section>
  )
}

/** Only the operator changes it, because the refunds go to any account. */
export function Refunds({ settings }: Props) {
  const t = useTexts(settingsTexts)
  return (
    <Paper withBorder p="md" component="section" aria-label={t.refunds}>
      <Title order={2}>{t.refunds}</Title>
      <Text c="dimmed" size="sm" mb="sm">
        {t.refundsHint}
      </Text>
      <Text>{settings.mb_refunds ? t.refundsOn : t.refundsOff}</Text>
    </Paper>
  )
}

/** Shows the limits, which only the operator can change. */
export function Limits({ settings: { limits } }: Props) {
  const t = useTexts(settingsTexts)
  const format = useFormats()
  const facts = [
    [t.paymentLimit, limits.payment],
    [t.dayLimit, limits.day],
    [t.takenToday, limits.taken_today],
    [t.payoutDayLimit, limits.payout_day],
  ] as const
  const set = facts.filter(([, amount]) => amount !== null)
  if (set.length === 0) return null
  return (
    <Paper withBorder p="md" component="section" aria-label={t.limits}>
      <Title order={2}>{t.limits}</Title>
      <Text c="dimmed" size="sm" mb="sm">
        {t.limitsHint}
      </Text>
      <SimpleGrid cols={{ base: 2, sm: 4 }}>
        {set.map(([label, amount]) => (
          <div key={label}>
            <Text size="xs" c="dimmed">
              {label}
            </Text>
            <Text className="number">{format.money(amount ?? '')}</Text>
          </div>
        ))}
      </SimpleGrid>
    </Paper>
  )
}

/** Reads a comma as a point, because Portuguese keyboards have a comma. */
const decimal = (text: string) => text.trim().replace(',', '.')

export function Splits({ settings }: Props) {
  const t = useTexts(settingsTexts)
  const format = useFormats()
  const saving = useSave()
  const form = useTextsForm(
    {
      fixed: format.typed(Number(settings.split_fee_fixed)),
      percent: format.decimal(settings.split_fee_percent),
    },
    {
      fixed: {
        rule: (text) => /^\d{1,4}(\.\d{1,2})?$/.test(decimal(text)) && Number(decimal(text)) <= 1000,
        wrong: t.wrong.fixed,
      },
      percent: {
        rule: (text) => /^\d{1,3}(\.\d{1,2})?$/.test(decimal(text)) && Number(decimal(text)) <= 100,
        wrong: t.wrong.percent,
      },
    },
  )
  const submit = () => {
    const { fixed, percent } = form.values
    if (form.check())
      saving.mutate({ split_fee_fixed: decimal(fixed), split_fee_percent: Number(decimal(percent)) })
  }
  return (
    <Section title={t.splits} about={t.splitsHint} saving={saving} submit={submit}>
      <AmountField label={t.splitFixed} {...form.of('fixed')} />
      <TextInput label={t.splitPercent} inputMode="decimal" {...form.of('percent')} />
    </Section>
  )
}
