// Suspense account and transfers without a wallet.
import { Alert, Button, Group, Skeleton, Stack, TextInput, Title } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type {
  AssignPreviewAnswer,
  SuspenseAnswer,
  SuspenseEntryAnswer,
  TransfersAnswer,
} from '../../../../../src/backoffice/contract/operator/money.ts'
import { read } from '../../../api.ts'
import { useFormats } from '../../../i18n/format.ts'
import { useTexts } from '../../../i18n/language.ts'
import { Dialog } from '../../../kit/dialog.tsx'
import { Empty, Loaded, PageHead } from '../../../kit/page.tsx'
import { DataTable } from '../../../kit/table.tsx'
import { Problem } from '../../../shell/problems.tsx'
import { Postings } from '../../payments/postings.tsx'
import { useOperatorQuery, useOperatorVerb, VerbForm } from '../parts.tsx'
import { moneyTexts } from './money-texts.ts'

interface Asked {
  readonly verb: 'refund' | 'assign'
  readonly of: 'suspense' | 'transfers'
  readonly id: string
  readonly amount: string
  readonly wallet: number | null
}

export function Page() {
  const t = useTexts(moneyTexts)
  const suspense = useOperatorQuery<SuspenseAnswer>('/suspense')
  const transfers = useOperatorQuery<TransfersAnswer>('/transfers')
  const [asked, setAsked] = useState<Asked>()
  const close = () => setAsked(undefined)
  return (
    <>
      <PageHead title={t.suspense} about={t.suspenseAbout} />
      <Stack gap="xl">
        <Loaded query={suspense}>
          {({ entries }) =>
            entries.length === 0 ? (
              <Empty title={t.noSuspense}>{t.noSuspenseText}</Empty>
            ) : (
              <Entries entries={entries} ask={setAsked} />
            )
          }
        </Loaded>
        <section>
          <Title order={2} mb="sm">
            {t.transfers}
          </Title>
          <Loaded query={transfers} rows={2}>
            {(answer) =>
              answer.transfers.length === 0 ? (
                <Empty title={t.noTransfers}>{t.noTransfersText}</Empty>
              ) : (
                <Transfers answer={answer} ask={setAsked} />
              )
            }
          </Loaded>
        </section>
      </Stack>
      <Dialog opened={asked !== undefined} close={close} title={asked === undefined ? '' : t[asked.verb]}>
        {asked?.verb === 'refund' && <RefundForm asked={asked} close={close} />}
        {asked?.verb === 'assign' && <AssignForm asked={asked} close={close} />}
      </Dialog>
    </>
  )
}

function Entries({
  entries,
  ask,
}: {
  readonly entries: readonly SuspenseEntryAnswer[]
  readonly ask: (asked: Asked) => void
}) {
  const t = useTexts(moneyTexts)
  const format = useFormats()
  return (
    <DataTable
      label={t.suspense}
      minWidth={760}
      columns={[
        { head: t.when, kind: 'line', cell: ({ paid }) => format.moment(paid) },
        { head: t.amount, kind: 'amount', cell: ({ amount }) => format.money(amount) },
        {
          head: t.reason,
          cell: ({ reason, problem }) => {
            const why = t.reasons[reason] ?? reason
            return problem === null ? why : `${why} (${t.reasons[problem] ?? problem})`
          },
        },
        { head: t.reference, kind: 'identifier', cell: ({ reference }) => reference },
        { head: t.merchant, cell: (one) => one.wallet_id ?? t.nobody },
        {
          head: t.whatToDo,
          kind: 'actions',
          cell: ({ id, amount, wallet_id, state }) =>
            state === 'OPEN' ? (
              <Group gap="xs" wrap="nowrap">
                {(['assign', 'refund'] as const).map((verb) => (
                  <Button
                    key={verb}
                    size="xs"
                    variant="default"
                    onClick={() => ask({ verb, of: 'suspense', id, amount, wallet: wallet_id })}
                  >
                    {t[verb]}
                  </Button>
                ))}
              </Group>
            ) : (
              state
            ),
        },
      ]}
      rows={entries}
      keyOf={({ id }) => id}
    />
  )
}

function Transfers({
  answer: { transfers },
  ask,
}: {
  readonly answer: TransfersAnswer
  readonly ask: (asked: Asked) => void
}) {
  const t = useTexts(moneyTexts)
  const format = useFormats()
  return (
    <DataTable
      label={t.transfers}
      minWidth={760}
      columns={[
        { head: t.when, kind: 'line', cell: ({ date }) => format.moment(date) },
        { head: t.amount, kind: 'amount', cell: ({ amount }) => format.money(amount) },
        { head: t.text, cell: ({ text }) => text },
        { head: t.from, kind: 'identifier', cell: ({ iban }) => iban },
        { head: t.problem, cell: ({ problem }) => problem },
        {
          head: t.whatToDo,
          kind: 'actions',
          cell: ({ id, amount }) => (
            <Button
              size="xs"
              variant="default"
              onClick={() => ask({ verb: 'assign', of: 'transfers', id, amount, wallet: null })}
            >
              {t.assign}
            </Button>
          ),
        },
      ]}
      rows={transfers}
      keyOf={({ id }) => id}
    />
  )
}

interface FormProps {
  readonly asked: Asked
  readonly close: () => void
}

function RefundForm({ asked, close }: FormProps) {
  const t = useTexts(moneyTexts)
  const format = useFormats()
  const [iban, setIban] = useState('')
  const [name, setName] = useState('')
  const byTransfer = iban.trim() !== ''
  const doing = useOperatorVerb(
    () => [
      `/suspense/${asked.id}/refund`,
      { body: byTransfer ? { iban: iban.trim(), name: name.trim() } : {} },
    ],
    { said: t.done, done: close },
  )
  const amount = format.money(asked.amount)
  return (
    <VerbForm doing={doing} label={t.refund} cancel={close}>
      <TextInput
        label={t.iban}
        description={t.ibanHint}
        value={iban}
        maxLength={60}
        data-autofocus
        onChange={({ currentTarget: { value } }) => setIban(value)}
      />
      {byTransfer && (
        <TextInput
          label={t.holder}
          value={name}
          maxLength={70}
          required
          onChange={({ currentTarget: { value } }) => setName(value)}
        />
      )}
      <Alert role="status">{byTransfer ? t.refundSays(amount, iban.trim()) : t.refundByRail(amount)}</Alert>
    </VerbForm>
  )
}

function AssignForm({ asked, close }: FormProps) {
  const t = useTexts(moneyTexts)
  const [wallet, setWallet] = useState(asked.wallet === null ? '' : String(asked.wallet))
  const [operation, setOperation] = useState('')
  const isSuspense = asked.of === 'suspense'
  const doing = useOperatorVerb(
    () => [
      `/${asked.of}/${asked.id}/assign`,
      {
        body: {
          wallet_id: Number(wallet),
          ...(isSuspense && operation.trim() !== '' && { operation_id: operation.trim() }),
        },
      },
    ],
    { said: t.done, done: close },
  )
  const typed = /^\d{1,15}$/.test(wallet.trim())
    ? new URLSearchParams({
        wallet_id: wallet.trim(),
        ...(isSuspense && operation.trim() !== '' && { operation_id: operation.trim() }),
      }).toString()
    : undefined
  const [settled] = useDebouncedValue(typed, 250)
  const preview = useQuery({
    queryKey: ['operator', 'preview', asked.of, asked.id, settled],
    queryFn: ({ signal }) =>
      read<AssignPreviewAnswer>(`/operator/${asked.of}/${asked.id}/assign?${settled}`, signal),
    enabled: settled !== undefined,
    retry: false,
    staleTime: 0,
  })
  return (
    <VerbForm
      doing={doing}
      label={t.assign}
      disabled={typed === undefined || typed !== settled || preview.data === undefined}
      cancel={close}
    >
      <TextInput
        label={t.wallet}
        value={wallet}
        inputMode="numeric"
        pattern="[0-9]{1,15}"
        required
        data-autofocus
        onChange={({ currentTarget: { value } }) => setWallet(value)}
      />
      {isSuspense && (
        <TextInput
          label={t.operation}
          value={operation}
          maxLength={40}
          onChange={({ currentTarget: { value } }) => setOperation(value)}
        />
      )}
      {typed !== undefined && (
        <Alert role="status" title={t.books}>
          {preview.error !== null && <Problem error={preview.error} />}
          {preview.data !== undefined && <Postings postings={preview.data.postings} />}
          {preview.isPending && <Skeleton height={24} />}
        </Alert>
      )}
    </VerbForm>
  )
}
