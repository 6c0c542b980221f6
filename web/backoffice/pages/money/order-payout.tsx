// Ordering a payout: an amount, what it will do, and then the order, once.
import { Alert, Button, Group, Stack, Table, Text, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { ApiError, act } from '../../api.ts'
import { Dialog } from '../../kit/dialog.tsx'
import { useWallet } from '../../session.ts'
import { useFormats } from '../../texts/format.ts'
import { useTexts } from '../../texts/language.ts'
import { amountIn } from './amount.ts'
import type { Payout, PayoutPreview } from './answers.ts'
import { payoutTexts } from './texts.ts'

/** There is no account to pay to, or no bank that pays. */
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
  const { api } = useWallet()
  const queries = useQueryClient()
  // One order for as long as the form is open, however often it is sent.
  const [key] = useState(() => crypto.randomUUID())
  const [amount, setAmount] = useState('')
  const [notes, setNotes] = useState('')
  const [isTouched, setIsTouched] = useState(false)
  const [preview, setPreview] = useState<PayoutPreview>()
  const [problem, setProblem] = useState<string>()
  const [isBusy, setIsBusy] = useState(false)

  const euros = amountIn(amount)
  const wrong = euros === undefined || euros <= 0 ? t.amountWrong : euros > available ? t.tooMuch : undefined
  const body = { amount: euros, ...(notes.trim() === '' ? {} : { notes: notes.trim() }) }

  async function attempt(work: () => Promise<void>) {
    if (isBusy) return
    setIsBusy(true)
    setProblem(undefined)
    try {
      await work()
    } catch (error) {
      setPreview(undefined)
      setProblem(reasonOf(error))
      // Somebody else may have paid out meanwhile: show what is there now.
      void queries.invalidateQueries({ queryKey: [api, 'balance'] })
    } finally {
      setIsBusy(false)
    }
  }

  function reasonOf(error: unknown): string {
    if (!(error instanceof ApiError)) return String((error as Error).message)
    if (error.isOffline) return t.offline
    return error.code === illegalState ? t.noAccount : error.message
  }

  const look = (event: FormEvent) => {
    event.preventDefault()
    setIsTouched(true)
    if (wrong !== undefined) return
    void attempt(async () =>
      setPreview(await act<PayoutPreview>(`${api}/payouts`, { body: { ...body, dry_run: true } })),
    )
  }
  const order = () =>
    void attempt(async () => {
      await act<Payout>(`${api}/payouts`, { body, key })
      await queries.invalidateQueries({ queryKey: [api] })
      onClose()
    })

  return (
    <Dialog opened close={onClose} title={t.order}>
      {preview === undefined ? (
        <form onSubmit={look} noValidate>
          <Stack>
            <Refused problem={problem} />
            <TextInput
              label={t.amount}
              description={`${t.available}: ${format.money(available)}`}
              inputMode="decimal"
              autoComplete="off"
              leftSection="€"
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
            <Group justify="flex-end">
              <Button variant="default" onClick={onClose}>
                {t.cancel}
              </Button>
              <Button type="submit" loading={isBusy}>
                {t.preview}
              </Button>
            </Group>
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
            <Button onClick={order} loading={isBusy}>
              {t.orderNow}
            </Button>
          </Group>
        </Stack>
      )}
    </Dialog>
  )
}

function Refused({ problem }: { readonly problem: string | undefined }) {
  return problem === undefined ? null : (
    <Alert color="red" role="alert" p="sm">
      {problem}
    </Alert>
  )
}
