// Bank orders without an answer, settled by two people.
import { Button, Group, Radio, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { BankAnswer, SettledAnswer } from '../../../../../src/backoffice/contract/operator/money.ts'
import { useFormats } from '../../../i18n/format.ts'
import { useTexts } from '../../../i18n/language.ts'
import { AmountField } from '../../../kit/amount-field.tsx'
import { Dialog } from '../../../kit/dialog.tsx'
import { useNotify } from '../../../kit/notify.ts'
import { useOperatorVerb, VerbForm } from '../parts.tsx'
import { moneyTexts } from './money-texts.ts'
import { Part } from './part.tsx'

type Order = BankAnswer['open'][number]
type Verb = 'settle' | 'approve' | 'withdraw'

interface Asked {
  readonly verb: Verb
  readonly order: Order
}

export function OpenOrders({ orders }: { readonly orders: readonly Order[] }) {
  const t = useTexts(moneyTexts)
  const format = useFormats()
  const [asked, setAsked] = useState<Asked>()
  const close = () => setAsked(undefined)
  return (
    <>
      <Part
        title={t.openOrders}
        none={t.noOpenOrders}
        columns={[
          { head: t.day, kind: 'line', cell: (one) => format.day(one.due_on) },
          { head: t.kind, cell: ({ kind }) => t.orderKind[kind] ?? kind },
          { head: t.amount, kind: 'amount', cell: ({ amount }) => format.money(amount) },
          { head: t.who, cell: ({ name }) => name },
          { head: t.merchant, kind: 'line', cell: (one) => one.wallet_id },
          { head: t.orderNotes, cell: (order) => <Notes order={order} /> },
          {
            head: t.whatToDo,
            kind: 'actions',
            cell: (order) => (
              <Group gap="xs" wrap="nowrap">
                {(order.waiting === null ? (['settle'] as const) : (['approve', 'withdraw'] as const)).map(
                  (verb) => (
                    <Button key={verb} size="xs" variant="default" onClick={() => setAsked({ verb, order })}>
                      {t.settleVerbs[verb]}
                    </Button>
                  ),
                )}
              </Group>
            ),
          },
        ]}
        rows={orders}
        keyOf={({ id }) => id}
      />
      <Dialog
        opened={asked !== undefined}
        close={close}
        title={asked === undefined ? '' : t.settleTitles[asked.verb]}
      >
        {asked?.verb === 'settle' && <SettleForm order={asked.order} close={close} />}
        {asked !== undefined && asked.verb !== 'settle' && (
          <DecideForm verb={asked.verb} order={asked.order} close={close} />
        )}
      </Dialog>
    </>
  )
}

function Notes({ order: { hint, waiting } }: { readonly order: Order }) {
  const t = useTexts(moneyTexts)
  if (waiting === null) return hint
  return t.proposed(t.answers[waiting.answer] ?? waiting.answer, waiting.by, waiting.reason)
}

interface FormProps {
  readonly order: Order
  readonly close: () => void
}

function useVerb(verb: Verb, { order, close }: FormProps, body: () => Record<string, unknown>) {
  const t = useTexts(moneyTexts)
  const say = useNotify()
  return useOperatorVerb<SettledAnswer>(() => [`/bank/orders/${order.id}/${verb}`, { body: body() }], {
    done({ state }) {
      say(state === 'waiting' ? t.waitsForSecond : t.done)
      close()
    },
  })
}

function SettleForm({ order, close }: FormProps) {
  const t = useTexts(moneyTexts)
  const [answer, setAnswer] = useState(order.answer === 'paid' ? 'returned' : '')
  const [fee, setFee] = useState('')
  const [reason, setReason] = useState('')
  const doing = useVerb('settle', { order, close }, () => ({
    ...{ answer, reason: reason.trim() },
    ...(fee.trim() !== '' && { fee: fee.trim().replace(',', '.') }),
  }))
  return (
    <VerbForm doing={doing} label={t.settleVerbs.settle} cancel={close}>
      <About order={order} />
      <Radio.Group label={t.whatBankDid} value={answer} onChange={setAnswer} required>
        <Stack gap="xs" mt="xs">
          {order.answer !== 'paid' && <Radio value="paid" label={t.wasPaid} required data-autofocus />}
          <Radio value="returned" label={t.wasReturned} required />
        </Stack>
      </Radio.Group>
      <AmountField
        label={t.bankFee}
        value={fee}
        pattern="[0-9]{1,9}([.,][0-9]{1,2})?"
        maxLength={12}
        onChange={({ currentTarget: { value } }) => setFee(value)}
      />
      <TextInput
        label={t.settleReason}
        value={reason}
        required
        maxLength={300}
        onChange={({ currentTarget: { value } }) => setReason(value)}
      />
    </VerbForm>
  )
}

function DecideForm({ verb, order, close }: FormProps & { readonly verb: 'approve' | 'withdraw' }) {
  const t = useTexts(moneyTexts)
  const doing = useVerb(verb, { order, close }, () => ({}))
  return (
    <VerbForm doing={doing} label={t.settleVerbs[verb]} cancel={close}>
      <About order={order} />
      <Text size="sm">
        <Notes order={order} />
      </Text>
    </VerbForm>
  )
}

function About({ order: { kind, amount, name } }: Pick<FormProps, 'order'>) {
  const t = useTexts(moneyTexts)
  const format = useFormats()
  return (
    <Text size="sm">
      {t.orderKind[kind] ?? kind}: {format.money(amount)}, {name}
    </Text>
  )
}
