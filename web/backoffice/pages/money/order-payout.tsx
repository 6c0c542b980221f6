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

/** No IBAN, or no connected bank. */
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
  const { api, id } = useWallet()
  const queries = useQueryClient()
  const [key] = useState(() => crypto.randomUUID())
  const [amount, setAmount] = useState('')
  const [notes, setNotes] = useState('')
  const [isTouched, setIsTouched] = useState(false)
  const [preview, setPreview] = useState<PayoutPreview>()

  const euros = amountIn(amount)
  const wrong = euros === undefined || euros <= 0 ? t.amountWrong : euros > available ? t.tooMuch : undefined
  const body = { amount: euros, ...(notes.trim() === '' ? {} : { notes: notes.trim() }) }

  // Shows a refusal that does not depend on the amount before the user types one.
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
  const withoutAccount = (error: unknown) => {
    if (!(error instanceof ApiError) || error.code !== illegalState) return undefined
    return /IBAN/.test(error.message) ? t.noIban : t.noBank
  }
  const looking = useDoing(
    async () => setPreview(await act<PayoutPreview>(`${api}/payouts`, { body: { ...body, dry_run: true } })),
    withoutAccount,
  )
  const ordering = useDoing(async () => {
    try {
      await act<Payout>(`${api}/payouts`, { body, key })
    } catch (error) {
      setPreview(undefined)
      // Another user may have ordered a payout.
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
            {typeof possible.data === 'string' && (
              <Alert color="yellow" role="alert" p="sm">
                {possible.data}{' '}
                {possible.data === t.noIban && (
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
            )}
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
              disabled={typeof possible.data === 'string'}
              cancel={onClose}
            />
          </Stack>
        </form>
      ) : (
        <Stack>
          <Text size="sm">{t.previewText}</Text>
          <Table variant="vertical" layout="fixed">
            <Table.Tbody>
              {[
                [t.amount, format.money(-preview.amount)],
                [t.iban, preview.iban],
                [t.paidOn, preview.execution_date && format.day(preview.execution_date)],
                [t.left, format.money(preview.after.available)],
              ].map(([label, value]) => (
                <Table.Tr key={label}>
                  <Table.Th>{label}</Table.Th>
                  <Table.Td className="number">{value}</Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
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
