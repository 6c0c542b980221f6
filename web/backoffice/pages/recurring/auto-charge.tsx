// Automatic charges of one subscription, with their changes.
import { Button, Group, Paper, Stack, Text, Title } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { act } from '../../api.ts'
import { amountOf } from '../../i18n/amount.ts'
import { useFormats } from '../../i18n/format.ts'
import { useTexts } from '../../i18n/language.ts'
import { AmountField } from '../../kit/amount-field.tsx'
import { AskingButton } from '../../kit/confirm-button.tsx'
import { Dialog } from '../../kit/dialog.tsx'
import { Refused, useDoing } from '../../kit/doing.tsx'
import { FormEnd } from '../../kit/form-end.tsx'
import { useNotify } from '../../kit/notify.ts'
import { StatusBadge } from '../../kit/status.tsx'
import { type AutoCharge, autoChargeTexts } from './auto-charge-texts.ts'
import { recurringTexts } from './i18n.ts'

interface Props {
  readonly auto: AutoCharge
  readonly limit: number
  /** Of the subscription in the API. */
  readonly path: string
  readonly mayChange: boolean
  readonly onDone: () => Promise<unknown>
}

export function AutoChargeBox({ auto, limit, path, mayChange, onDone }: Props) {
  const t = useTexts(autoChargeTexts)
  const format = useFormats()
  const { status, amount, charges, max_charges, next_on, latest } = auto
  const error = latest?.error
  const work = (verb: 'pause' | 'resume') => async () => {
    await act(`${path}/${verb}`, { body: {} })
    await onDone()
  }
  return (
    <Paper withBorder p="lg" component="section" aria-label={t.title}>
      <Group justify="space-between">
        <Title order={2}>{t.title}</Title>
        <StatusBadge status={status} />
      </Group>
      <Text>
        {format.money(amount)} · {max_charges === undefined ? t.made(charges) : t.of(charges, max_charges)}
      </Text>
      {next_on !== undefined && (
        <Text size="sm">
          {t.nextOn}: {format.day(next_on)}
        </Text>
      )}
      {latest !== undefined && (
        <Group gap="xs" mt="xs">
          <Text size="sm">{t.latest}:</Text>
          <StatusBadge status={latest.result} />
          {error !== undefined && <Text size="sm">{t.errors[error] ?? error}</Text>}
        </Group>
      )}
      {mayChange && (
        <Group mt="md">
          {status === 'ACTIVE' && (
            <AskingButton label={t.pause} ask={t.pauseAsk} variant="default" work={work('pause')} />
          )}
          {status === 'PAUSED' && <AskingButton label={t.resume} ask={t.resumeAsk} work={work('resume')} />}
          {status !== 'ENDED' && <ChangeButton amount={amount} limit={limit} path={path} onDone={onDone} />}
        </Group>
      )}
    </Paper>
  )
}

function ChangeButton(props: {
  readonly amount: number
  readonly limit: number
  readonly path: string
  readonly onDone: () => Promise<unknown>
}) {
  const t = useTexts(autoChargeTexts)
  const common = useTexts(recurringTexts)
  const format = useFormats()
  const say = useNotify()
  const [isOpen, setIsOpen] = useState(false)
  const [text, setText] = useState('')
  const amount = amountOf(text)
  const doing = useDoing(async () => {
    await act(props.path, { method: 'PATCH', body: { auto_charge: { amount } } })
    say(t.changed)
    await props.onDone()
  })

  function open() {
    setText(format.typed(props.amount))
    doing.forget()
    setIsOpen(true)
  }

  function submit(event: FormEvent) {
    event.preventDefault()
    if (amount !== undefined) void doing.start().then((done) => done && setIsOpen(false))
  }

  return (
    <>
      <Button variant="default" onClick={open}>
        {t.change}
      </Button>
      <Dialog opened={isOpen} close={() => setIsOpen(false)} title={t.change}>
        <form onSubmit={submit} noValidate>
          <Stack>
            <Text size="sm">{t.changeText(format.money(props.limit))}</Text>
            <Refused problem={doing.problem} />
            <AmountField
              label={common.howMuch}
              data-autofocus
              value={text}
              error={amount === undefined ? common.amountWrong : undefined}
              onChange={(event) => setText(event.currentTarget.value)}
            />
            <FormEnd label={t.change} busy={doing.busy} cancel={() => setIsOpen(false)} />
          </Stack>
        </form>
      </Dialog>
    </>
  )
}
