// One subscription with its charges.
import { Anchor, Group, Paper, Stack, Text, TextInput, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { act, read } from '../../api.ts'
import { amountOf } from '../../i18n/amount.ts'
import { useFormats } from '../../i18n/format.ts'
import { useTexts } from '../../i18n/language.ts'
import { AmountField } from '../../kit/amount-field.tsx'
import { BeginButton } from '../../kit/begin-button.tsx'
import { AskingButton } from '../../kit/confirm-button.tsx'
import { Dialog } from '../../kit/dialog.tsx'
import { Refused, useDoing } from '../../kit/doing.tsx'
import { FormEnd } from '../../kit/form-end.tsx'
import { useNotify } from '../../kit/notify.ts'
import { Empty, Loaded, PageHead } from '../../kit/page.tsx'
import { StatusBadge } from '../../kit/status.tsx'
import { DataTable } from '../../kit/table.tsx'
import { useWallet } from '../../session.ts'
import { AutoChargeBox } from './auto-charge.tsx'
import type { AutoCharge } from './auto-charge-texts.ts'
import { recurringTexts } from './i18n.ts'
import { Paged, usePaged } from './paged.tsx'
import type { Subscription } from './subscriptions-page.tsx'

interface WholeSubscription extends Subscription {
  readonly frequency: number
  readonly period: string
  readonly auto_charge?: AutoCharge
  readonly client?: { readonly name?: string; readonly email?: string; readonly phone?: string }
}

interface Charge {
  readonly id: string
  readonly amount: number
  readonly currency: string
  readonly status: string
  readonly date: string
}

export function Page() {
  const t = useTexts(recurringTexts)
  const { api, id: walletId, may } = useWallet()
  const { id } = useParams({ strict: false }) as { id?: string }
  const path = `${api}/subscriptions/${id}`
  const query = useQuery({
    queryKey: [path],
    queryFn: ({ signal }) => read<WholeSubscription>(path, signal),
  })
  const charges = usePaged<{ readonly charge_order: Charge }>(`${path}/charge`)
  const refetch = () => Promise.all([query.refetch(), charges.refetch()])
  return (
    <>
      <PageHead title={t.subscription} />
      <Anchor component={Link} to={`/wallets/${walletId}/subscriptions`} size="sm">
        {t.back}
      </Anchor>
      <Loaded query={query}>
        {(subscription) => (
          <Stack mt="md" gap="lg">
            <Facts subscription={subscription} />
            {subscription.auto_charge !== undefined && (
              <AutoChargeBox
                auto={subscription.auto_charge}
                limit={subscription.amount}
                path={path}
                mayChange={may('subscriptions')}
                onDone={refetch}
              />
            )}
            {subscription.status === 'APPROVED' && may('subscriptions') && (
              <Group>
                <ChargeButton subscription={subscription} path={path} onDone={refetch} />
                <AskingButton
                  label={t.voidSubscription}
                  title={t.voidSubscriptionTitle}
                  ask={t.voidSubscriptionAsk}
                  isDanger
                  variant="light"
                  color="red"
                  work={async () => {
                    await act(path, { method: 'DELETE' })
                    await refetch()
                  }}
                />
              </Group>
            )}
            <Charges query={charges} />
          </Stack>
        )}
      </Loaded>
    </>
  )
}

function Facts({ subscription }: { readonly subscription: WholeSubscription }) {
  const t = useTexts(recurringTexts)
  const format = useFormats()
  const { amount, currency, frequency, period, status, client, description } = subscription
  const allowed = `${format.money(amount, currency)} ${t.every(frequency, t.periods[period] ?? period)}`
  const who = [client?.name, client?.email, client?.phone].filter(Boolean).join(' · ')
  const ends = subscription.end_date === undefined ? t.noEnd : format.day(subscription.end_date)
  return (
    <Paper withBorder p="lg">
      <Group justify="space-between">
        <Title order={2}>{allowed}</Title>
        <StatusBadge status={status} />
      </Group>
      {description !== undefined && <Text>{description}</Text>}
      {who !== '' && <Text size="sm">{who}</Text>}
      <Text size="sm" c="dimmed">
        {t.starts} {format.day(subscription.start_date)} · {t.expires} {ends}
      </Text>
      <Text className="identifier" mt="xs">
        {subscription.id}
      </Text>
    </Paper>
  )
}

function Charges({
  query,
}: {
  readonly query: ReturnType<typeof usePaged<{ readonly charge_order: Charge }>>
}) {
  const t = useTexts(recurringTexts)
  const format = useFormats()
  return (
    <section>
      <Title order={2} mb="sm">
        {t.charges}
      </Title>
      <Paged query={query} empty={<Empty title={t.noCharges}>{t.noChargesText}</Empty>}>
        {(elements) => (
          <DataTable
            label={t.charges}
            minWidth={420}
            columns={[
              { head: t.when, kind: 'line', cell: ({ date }) => format.moment(date) },
              { head: t.status, cell: ({ status }) => <StatusBadge status={status} /> },
              {
                head: t.amount,
                kind: 'amount',
                cell: ({ amount, currency }) => format.money(amount, currency),
              },
            ]}
            rows={elements.map((element) => element.charge_order)}
            keyOf={({ id }) => id}
          />
        )}
      </Paged>
    </section>
  )
}

function ChargeButton({
  subscription,
  path,
  onDone,
}: {
  readonly subscription: WholeSubscription
  readonly path: string
  readonly onDone: () => Promise<unknown>
}) {
  const t = useTexts(recurringTexts)
  const format = useFormats()
  const say = useNotify()
  const [key, setKey] = useState<string>()
  const [text, setText] = useState('')
  const [invoice, setInvoice] = useState('')
  const [isChecked, setIsChecked] = useState(false)
  const amount = amountOf(text)
  const doing = useDoing(async () => {
    const payment = {
      amount,
      currency: 'EUR',
      ...(invoice.trim() !== '' && { ext_invoiceid: invoice.trim() }),
    }
    await act(`${path}/charge`, { body: { payment }, ...(key !== undefined && { key }) })
    say(t.chargeDone)
    await onDone()
  })

  function open() {
    setKey(crypto.randomUUID())
    setText(format.typed(subscription.amount))
    setIsChecked(false)
    doing.forget()
  }

  function submit(event: FormEvent) {
    event.preventDefault()
    setIsChecked(true)
    if (amount !== undefined) void doing.start().then((done) => done && setKey(undefined))
  }

  return (
    <>
      <BeginButton onClick={open}>{t.charge}</BeginButton>
      <Dialog opened={key !== undefined} close={() => setKey(undefined)} title={t.chargeTitle}>
        <form onSubmit={submit} noValidate>
          <Stack>
            <Text size="sm">{t.chargeText(format.money(subscription.amount))}</Text>
            <Refused problem={doing.problem} />
            <AmountField
              label={t.howMuch}
              data-autofocus
              value={text}
              error={isChecked && amount === undefined ? t.amountWrong : undefined}
              onChange={(event) => setText(event.currentTarget.value)}
              onBlur={() => setIsChecked(true)}
            />
            <TextInput
              label={t.invoice}
              maxLength={45}
              value={invoice}
              onChange={(event) => setInvoice(event.currentTarget.value)}
            />
            <FormEnd label={t.charge} busy={doing.busy} cancel={() => setKey(undefined)} />
          </Stack>
        </form>
      </Dialog>
    </>
  )
}
