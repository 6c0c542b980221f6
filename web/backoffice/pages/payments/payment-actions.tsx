// Refunding, capturing, releasing and splitting: each shows what it books before it is done, and is done once.
import { Alert, Button, Group, Skeleton, Stack, Text, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { PaymentAnswer } from '../../../../src/backoffice/contract/payments.ts'
import { ApiError, act } from '../../api.ts'
import { Dialog } from '../../kit/dialog.tsx'
import { useSay } from '../../kit/say.ts'
import { useWallet } from '../../session.ts'
import { Problem } from '../../shell/problems.tsx'
import { useFormats } from '../../texts/format.ts'
import { useTexts } from '../../texts/language.ts'
import { useSaid } from '../../texts/use-said.ts'
import { Postings, type ShownPosting } from './postings.tsx'
import { emptyShare, type Share, SplitFields, splitOf } from './split-fields.tsx'
import { paymentTexts } from './texts.ts'

const verbs = ['refund', 'capture', 'release', 'split'] as const
type Verb = (typeof verbs)[number]

/** What the role must allow. */
const abilities: Record<Verb, string> = {
  refund: 'refund',
  capture: 'authorizations',
  release: 'authorizations',
  split: 'split',
}

export function PaymentActions({ answer }: { readonly answer: PaymentAnswer }) {
  const t = useTexts(paymentTexts)
  const { may } = useWallet()
  const [opened, setOpened] = useState<{ readonly verb: Verb; readonly key: string }>()
  const possible = verbs.filter((verb) => answer.left[verb] !== undefined && may(abilities[verb]))
  return (
    <>
      {possible.map((verb) => (
        <Button
          key={verb}
          variant={verb === possible[0] ? 'filled' : 'default'}
          onClick={() => setOpened({ verb, key: crypto.randomUUID() })}
        >
          {t.actions[verb]}
        </Button>
      ))}
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
  const say = useSay()
  const said = useSaid()
  const format = useFormats()
  const { api } = useWallet()
  const client = useQueryClient()
  const { payment, left } = answer
  // As it was when the form was opened: what changes meanwhile is said, and not slipped in.
  const [most] = useState(left[verb] ?? 0)
  const [amount, setAmount] = useState(format.typed(most))
  const [shares, setShares] = useState<readonly Share[]>([emptyShare()])
  const problem = verb === 'split' ? undefined : amountProblem(amount, most)
  const asked =
    verb === 'split' ? splitOf(shares) : problem === undefined ? { amount: eurosOf(amount) } : undefined
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
  const refresh = () =>
    Promise.all([
      client.invalidateQueries({ queryKey: [api, 'payment', payment.id] }),
      client.invalidateQueries({ queryKey: [api, 'payments'] }),
      client.invalidateQueries({ queryKey: [api, 'home'] }),
    ])
  const doing = useMutation({
    mutationFn: () => act<{ readonly status: string }>(path, { body: asked, key: formKey }),
    async onSuccess({ status }) {
      say(status === 'PENDING' ? t.pendingText : t.done[verb])
      close()
      await refresh()
    },
    onError() {
      void refresh()
    },
  })
  const isConflict = doing.error instanceof ApiError && doing.error.status === 409
  const messageOf = { none: undefined, wrong: t.amountWrong, tooMuch: t.amountTooMuch }
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        if (asked !== undefined && !doing.isPending && !doing.isSuccess) doing.mutate()
      }}
    >
      <Stack gap="md">
        <Text size="sm">{t.actionAbout[verb]}</Text>
        {verb === 'split' ? (
          <SplitFields shares={shares} change={setShares} />
        ) : (
          <TextInput
            label={t.amount}
            description={`${t.atMost} ${format.money(most, payment.currency)}`}
            inputMode="decimal"
            value={amount}
            onChange={({ currentTarget: { value } }) => setAmount(value)}
            error={messageOf[problem ?? 'none']}
            data-autofocus
          />
        )}
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
            disabled={asked === undefined || preview.isError || doing.isSuccess || isConflict}
          >
            {verb === 'split'
              ? t.actions.split
              : `${t.actions[verb]} ${asked === undefined ? '' : format.money(eurosOf(amount))}`}
          </Button>
        </Group>
      </Stack>
    </form>
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

/** As people write it, in euros. */
function eurosOf(text: string): number {
  return Number(text.trim().replace(',', '.'))
}

function amountProblem(text: string, most: number): 'wrong' | 'tooMuch' | undefined {
  if (!/^\d{1,6}([.,]\d{1,2})?$/.test(text.trim()) || eurosOf(text) <= 0) return 'wrong'
  return eurosOf(text) > most ? 'tooMuch' : undefined
}
