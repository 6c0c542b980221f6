// Refund, capture, release and split, each with a preview.
import { Alert, Button, Group, Skeleton, Stack, Text } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import type { PaymentAnswer } from '../../../../src/backoffice/contract/payments.ts'
import { ApiError, act, isRefusal } from '../../api.ts'
import { amountOf } from '../../i18n/amount.ts'
import { useFormats } from '../../i18n/format.ts'
import { useTexts } from '../../i18n/language.ts'
import { useErrorMessage } from '../../i18n/use-error-message.ts'
import { AmountField } from '../../kit/amount-field.tsx'
import { BeginButton } from '../../kit/begin-button.tsx'
import { Dialog } from '../../kit/dialog.tsx'
import { useNotify } from '../../kit/notify.ts'
import { useWallet } from '../../session.ts'
import { Problem } from '../../shell/problems.tsx'
import { paymentTexts } from './i18n.ts'
import { Postings, type ShownPosting } from './postings.tsx'
import { AccountFields, accountOf, noAccount, type TypedAccount } from './refund-account.tsx'
import { emptyShare, type Share, SplitFields, splitOf } from './split-fields.tsx'

const verbs = ['refund', 'capture', 'release', 'split'] as const
type Verb = (typeof verbs)[number]

const abilities: Record<Verb, string> = {
  refund: 'refund',
  capture: 'authorizations',
  release: 'authorizations',
  split: 'split',
}

/** A suspended merchant cannot do these. */
const begins: ReadonlySet<Verb> = new Set(['capture', 'split'])

export function PaymentActions({ answer }: { readonly answer: PaymentAnswer }) {
  const t = useTexts(paymentTexts)
  const { may } = useWallet()
  const [opened, setOpened] = useState<{ readonly verb: Verb; readonly key: string }>()
  const possible = verbs.filter((verb) => answer.left[verb] !== undefined && may(abilities[verb]))
  return (
    <>
      {possible.map((verb) => {
        const ButtonOf = begins.has(verb) ? BeginButton : Button
        return (
          <ButtonOf
            key={verb}
            variant={verb === possible[0] ? 'filled' : 'default'}
            onClick={() => setOpened({ verb, key: crypto.randomUUID() })}
          >
            {t.actions[verb]}
          </ButtonOf>
        )
      })}
      <Dialog
        opened={opened !== undefined}
        close={() => setOpened(undefined)}
        title={opened === undefined ? '' : t.actions[opened.verb]}
      >
        {opened && (
          <ActionForm
            key={opened.key}
            verb={opened.verb}
            formKey={opened.key}
            answer={answer}
            close={() => setOpened(undefined)}
          />
        )}
      </Dialog>
    </>
  )
}

interface Preview {
  readonly postings: readonly ShownPosting[]
}

function ActionForm({
  verb,
  formKey,
  answer,
  close,
}: {
  readonly verb: Verb
  readonly formKey: string
  readonly answer: PaymentAnswer
  readonly close: () => void
}) {
  const t = useTexts(paymentTexts)
  const said = useErrorMessage()
  const format = useFormats()
  const { api } = useWallet()
  const { payment, left } = answer
  const most = left[verb] ?? 0
  const [amount, setAmount] = useState(format.typed(most))
  const [shares, setShares] = useState<readonly Share[]>([emptyShare()])
  const [account, setAccount] = useState(noAccount)
  const toAccount = verb === 'refund' && answer.to_account
  const typed = { amount, shares, ...(toAccount && { account }) }
  const { problem, asked } = readForm(verb, typed, most)
  const [settled] = useDebouncedValue(asked === undefined ? undefined : JSON.stringify(asked), 250)
  const of = verb === 'refund' || verb === 'split' ? 'operations' : 'authorizations'
  const path = `${api}/${of}/${payment.id}/${verb}`
  const preview = useQuery({
    queryKey: [api, 'preview', path, settled],
    queryFn: () =>
      act<Preview>(path, { body: { ...(JSON.parse(settled ?? '{}') as object), dry_run: true } }),
    enabled: settled !== undefined,
    retry: false,
    staleTime: 0,
  })
  const { doing, submit, refresh } = useAction({
    ...{ verb, path, asked, formKey, id: payment.id, close },
    opensChild: toAccount,
  })
  // If the preview fails, the operation has changed, so the page reads it again.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each preview that failed
  useEffect(() => {
    if (preview.isError) void refresh()
  }, [preview.isError])
  const atMost = `${t.atMost} ${format.money(most, payment.currency)}`
  const isConflict = doing.error instanceof ApiError && doing.error.status === 409
  const messageOf = { none: undefined, wrong: t.amountWrong, tooMuch: t.amountTooMuch }
  return (
    <form noValidate onSubmit={submit}>
      <Stack gap="md">
        <Text size="sm">{t.actionAbout[verb]}</Text>
        <EndsRelease isFirst={verb === 'capture' && left.release !== undefined} />
        {verb === 'split' ? (
          <SplitFields shares={shares} change={setShares} />
        ) : (
          <AmountField
            label={t.amount}
            description={
              most === payment.amount ? atMost : `${atMost} ${t.of} ${format.money(payment.amount)}`
            }
            value={amount}
            onChange={({ currentTarget: { value } }) => setAmount(value)}
            error={messageOf[problem ?? 'none']}
            data-autofocus
          />
        )}
        {toAccount && <AccountFields account={account} change={setAccount} />}
        <div aria-live="polite">
          <Text fw={600} size="sm" mb={4}>
            {t.preview}
          </Text>
          <PreviewOf preview={preview} isAsked={asked !== undefined} />
        </div>
        {isConflict && (
          <Alert color="yellow" title={t.changed} role="alert">
            {t.changedText} {said(doing.error)}
          </Alert>
        )}
        {doing.error !== null && !isConflict && <Problem error={doing.error} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={close}>
            {t.cancel}
          </Button>
          <Button
            type="submit"
            loading={doing.isPending}
            disabled={asked === undefined || preview.isError || doing.isSuccess}
          >
            {verb === 'split'
              ? t.actions.split
              : `${t.actions[verb]} ${asked === undefined ? '' : format.money(amountOf(amount) ?? 0)}`}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

interface Action {
  readonly verb: Verb
  readonly path: string
  readonly asked: object | undefined
  readonly formKey: string
  readonly id: string
  readonly close: () => void
  /** Whether the next step is on the page of the new operation. */
  readonly opensChild: boolean
}

function useAction({ verb, path, asked, formKey, id, close, opensChild }: Action) {
  const t = useTexts(paymentTexts)
  const say = useNotify()
  const { api, id: wallet } = useWallet()
  const navigate = useNavigate()
  const client = useQueryClient()
  // The gateway executes a repeated key once. After a refusal the next try needs a new key.
  const [key, setKey] = useState(formKey)
  const inFlight = useRef(false)
  const refresh = () =>
    Promise.all([
      client.invalidateQueries({ queryKey: [api, 'payment', id] }),
      client.invalidateQueries({ queryKey: [api, 'payments'] }),
      client.invalidateQueries({ queryKey: [api, 'home'] }),
    ])
  const doing = useMutation({
    mutationFn: () => act<{ readonly id: string; readonly status: string }>(path, { body: asked, key }),
    async onSuccess({ id: made, status }) {
      say(opensChild ? t.refundOrdered : status === 'PENDING' ? t.pendingText : t.done[verb])
      close()
      if (opensChild) await navigate({ to: `/wallets/${wallet}/payments/${made}` as string })
      await refresh()
    },
    onError(error) {
      if (isRefusal(error)) setKey(crypto.randomUUID())
      void refresh()
    },
    onSettled() {
      inFlight.current = false
    },
  })
  function submit(event: FormEvent) {
    event.preventDefault()
    // The second click of a double click comes before the button shows as busy.
    if (asked === undefined || inFlight.current || doing.isSuccess) return
    inFlight.current = true
    doing.mutate()
  }
  return { doing, submit, refresh }
}

function readForm(
  verb: Verb,
  {
    amount,
    shares,
    account,
  }: {
    readonly amount: string
    readonly shares: readonly Share[]
    readonly account?: TypedAccount
  },
  most: number,
): { readonly problem?: 'wrong' | 'tooMuch' | undefined; readonly asked?: object | undefined } {
  if (verb === 'split') return { asked: splitOf(shares) }
  const problem = amountProblem(amount, most)
  if (problem !== undefined) return { problem }
  const to = account === undefined ? {} : accountOf(account)
  return to === undefined ? {} : { asked: { amount: amountOf(amount), ...to } }
}

function EndsRelease({ isFirst }: { readonly isFirst: boolean }) {
  const t = useTexts(paymentTexts)
  if (!isFirst) return null
  return (
    <Alert color="yellow" p="sm">
      {t.captureEndsRelease}
    </Alert>
  )
}

function PreviewOf({
  preview,
  isAsked,
}: {
  readonly preview: { readonly data: Preview | undefined; readonly error: Error | null }
  readonly isAsked: boolean
}) {
  const t = useTexts(paymentTexts)
  if (!isAsked) return <Text size="sm">—</Text>
  if (preview.error !== null) return <Problem error={preview.error} />
  if (preview.data === undefined) return <Skeleton height={24} />
  return preview.data.postings.length === 0 ? (
    <Text size="sm">{t.booksNothing}</Text>
  ) : (
    <Postings postings={preview.data.postings} />
  )
}

function amountProblem(text: string, most: number): 'wrong' | 'tooMuch' | undefined {
  const amount = amountOf(text)
  if (amount === undefined) return 'wrong'
  return amount > most ? 'tooMuch' : undefined
}
