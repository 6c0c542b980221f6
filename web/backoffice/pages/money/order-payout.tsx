// Dialog that orders a payout.
import { Alert, Anchor, Button, Group, Stack, Table, Text, TextInput } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { ApiError, act } from '../../api.ts'
import { amountIn } from '../../i18n/amount.ts'
import { useFormats } from '../../i18n/format.ts'
import { useTexts } from '../../i18n/language.ts'
import { AmountField } from '../../kit/amount-field.tsx'
import { Dialog } from '../../kit/dialog.tsx'
import { Refused, useDoing } from '../../kit/doing.tsx'
import { FormEnd } from '../../kit/form-end.tsx'
import { useNotify } from '../../kit/notify.ts'
import { useWallet } from '../../session.ts'
import type { Payout, PayoutPreview } from './answers.ts'
import { payoutTexts } from './i18n.ts'

/** The gateway answers this if the merchant has no IBAN or no bank is connected. */
const illegalState = 10013

export function OrderPayout({
  available,
  onClose,
}: {
  readonly available: number
  readonly onClose: () => void
}) {
  const t = useTexts(payoutTexts)
  const format = useFormats()
  const say = useNotify()
  const { api } = useWallet()
  const queries = useQueryClient()
  const [key] = useState(() => crypto.randomUUID())
  const [amount, setAmount] = useState('')
  const [notes, setNotes] = useState('')
  const [isTouched, setIsTouched] = useState(false)
  const [preview, setPreview] = useState<PayoutPreview>()

  const euros = amountIn(amount)
  const wrong = euros === undefined || euros <= 0 ? t.amountWrong : euros > available ? t.tooMuch : undefined
  const body = { amount: euros, ...(notes.trim() === '' ? {} : { notes: notes.trim() }) }

  const { obstacle, withoutAccount } = useObstacle()
  const looking = useDoing(
    async () => setPreview(await act<PayoutPreview>(`${api}/payouts`, { body: { ...body, dry_run: true } })),
    withoutAccount,
  )
  const ordering = useDoing(async () => {
    try {
      await act<Payout>(`${api}/payouts`, { body, key })
    } catch (error) {
      setPreview(undefined)
      // Another user may have ordered a payout meanwhile, so the balance is read again.
      void queries.invalidateQueries({ queryKey: [api, 'balance'] })
      throw error
    }
    await queries.invalidateQueries({ queryKey: [api] })
    say(t.ordered)
    onClose()
  }, withoutAccount)

  function look(event: FormEvent) {
    event.preventDefault()
    setIsTouched(true)
    ordering.forget()
    if (wrong === undefined) void looking.start()
  }

  return (
    <Dialog opened close={onClose} title={t.order}>
      {preview === undefined ? (
        <form onSubmit={look} noValidate>
          <Stack>
            {obstacle !== undefined && <Obstacle text={obstacle} />}
            <Refused problem={looking.problem ?? ordering.problem} />
            <AmountField
              label={t.amount}
              description={`${t.available}: ${format.money(available)}`}
              data-autofocus
              value={amount}
              onChange={(event) => setAmount(event.currentTarget.value)}
              onBlur={() => setIsTouched(amount !== '')}
              error={isTouched ? wrong : undefined}
            />
            <TextInput
              label={t.notes}
              description={t.notesHint}
              maxLength={255}
              value={notes}
              onChange={(event) => setNotes(event.currentTarget.value)}
            />
            <FormEnd
              label={t.preview}
              busy={looking.busy}
              disabled={obstacle !== undefined}
              cancel={onClose}
            />
          </Stack>
        </form>
      ) : (
        <Stack>
          <Text size="sm">{t.previewText}</Text>
          <PreviewTable preview={preview} />
          <Group justify="flex-end">
            <Button variant="default" onClick={() => setPreview(undefined)}>
              {t.change}
            </Button>
            <Button onClick={() => void ordering.start()} loading={ordering.busy}>
              {t.orderNow}
            </Button>
          </Group>
        </Stack>
      )}
    </Dialog>
  )
}

/** Finds a refusal that does not depend on the amount, to show it before the user types one. */
function useObstacle() {
  const t = useTexts(payoutTexts)
  const { api } = useWallet()
  const withoutAccount = (error: unknown) => {
    if (!(error instanceof ApiError) || error.code !== illegalState) return undefined
    return /IBAN/.test(error.message) ? t.noIban : t.noBank
  }
  const possible = useQuery({
    queryKey: [api, 'payouts', 'possible'],
    queryFn: () =>
      act(`${api}/payouts`, { body: { amount: 0.01, dry_run: true } }).then(
        () => null,
        (error: unknown) => withoutAccount(error) ?? null,
      ),
    staleTime: 0,
    retry: false,
  })
  return { obstacle: possible.data ?? undefined, withoutAccount }
}

function Obstacle({ text }: { readonly text: string }) {
  const t = useTexts(payoutTexts)
  const { id } = useWallet()
  return (
    <Alert color="yellow" role="alert" p="sm">
      {text}{' '}
      {text === t.noIban && (
        <Anchor
          component={Link}
          to={`/wallets/${id}/settings` as string}
          size="sm"
          c="inherit"
          underline="always"
        >
          {t.toSettings}
        </Anchor>
      )}
    </Alert>
  )
}

function PreviewTable({ preview }: { readonly preview: PayoutPreview }) {
  const t = useTexts(payoutTexts)
  const format = useFormats()
  const rows = [
    [t.amount, format.money(-preview.amount)],
    [t.iban, preview.iban],
    [t.paidOn, preview.execution_date && format.day(preview.execution_date)],
    [t.left, format.money(preview.after.available)],
  ]
  return (
    <Table variant="vertical" layout="fixed">
      <Table.Tbody>
        {rows.map(([label, value]) => (
          <Table.Tr key={label}>
            <Table.Th>{label}</Table.Th>
            <Table.Td className="number">{value}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  )
}
