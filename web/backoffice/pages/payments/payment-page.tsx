// One payment with its history and actions.
import { Anchor, Badge, Grid, Group, Stack, Table, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { ListedPayment, PaymentAnswer } from '../../../../src/backoffice/contract/payments.ts'
import { read } from '../../api.ts'
import { useFormats } from '../../i18n/format.ts'
import { useTexts } from '../../i18n/language.ts'
import { Loaded, PageHead, Panel } from '../../kit/page.tsx'
import { StatusBadge } from '../../kit/status.tsx'
import { useWallet } from '../../session.ts'
import { paymentTexts } from './i18n.ts'
import { PaymentActions } from './payment-actions.tsx'
import { RefundAccount } from './refund-account.tsx'
import { storyWords } from './story-words.ts'
import { PaymentTimeline } from './timeline.tsx'

const lookAgainMs = 5000

export function Page() {
  const t = useTexts(paymentTexts)
  const { api, id: wallet } = useWallet()
  const { id } = useParams({ strict: false }) as { id: string }
  const query = useQuery({
    queryKey: [api, 'payment', id],
    queryFn: ({ signal }) => read<PaymentAnswer>(`${api}/payments/${id}`, signal),
    refetchInterval: ({ state }) =>
      state.data?.family.some(({ status }) => status === 'PENDING') === true ? lookAgainMs : false,
  })
  return (
    <>
      <Anchor component={Link} to={`/wallets/${wallet}/payments` as string} size="sm">
        ← {t.back}
      </Anchor>
      <Loaded query={query}>{(answer) => <Payment answer={answer} />}</Loaded>
    </>
  )
}

function Payment({ answer }: { readonly answer: PaymentAnswer }) {
  const t = useTexts(paymentTexts)
  const format = useFormats()
  const { payment, family, timeline } = answer
  const { may } = useWallet()
  const type = t.types[payment.type] ?? payment.type
  const goesToAccount = answer.to_account && payment.type === 'REFUND' && payment.amount < 0 && may('refund')
  return (
    <>
      <PageHead
        title={`${type} · ${format.money(payment.amount, payment.currency)}`}
        about={
          <Group gap="xs" component="span">
            <StatusBadge status={payment.status} />
            <span className="identifier">{payment.id}</span>
          </Group>
        }
        actions={<PaymentActions answer={answer} />}
      />
      <Grid gap="lg">
        <Grid.Col span={{ base: 12, lg: 5 }}>
          <Stack gap="lg">
            <Panel title={t.facts}>
              <Facts answer={answer} />
            </Panel>
            {goesToAccount && <RefundAccount id={payment.id} status={payment.status} />}
            {family.length > 1 && (
              <Panel title={t.family}>
                <Family family={family} own={payment.id} />
              </Panel>
            )}
          </Stack>
        </Grid.Col>
        <Grid.Col span={{ base: 12, lg: 7 }}>
          <Panel title={t.story}>
            <PaymentTimeline moments={timeline} family={family} own={payment.id} />
          </Panel>
        </Grid.Col>
      </Grid>
    </>
  )
}

interface KnownFields {
  readonly card?: {
    readonly last4?: string
    readonly bin?: string
    readonly type?: string
    readonly valdate?: string
  }
  readonly mb?: { readonly entity?: string; readonly ref?: string }
  readonly mbway?: { readonly phone?: string }
  readonly client?: { readonly name?: string; readonly email?: string; readonly phone?: string }
  readonly notes?: string
  readonly expires?: string
  readonly channel?: string
  readonly ext_invoiceid?: string
  readonly ext_customerid?: string
  readonly ext_email?: string
}

function Facts({ answer }: { readonly answer: PaymentAnswer }) {
  const t = useTexts(paymentTexts)
  const format = useFormats()
  const words = useTexts(storyWords)
  const { payment, family, belongs_to: belongsTo } = answer
  const known = payment as KnownFields
  const own = family.find(({ id }) => id === payment.id)
  const { card, mb, client } = known
  const facts: readonly (readonly [string, ReactNode])[] = [
    [t.amount, format.money(payment.amount, payment.currency)],
    [t.fee, payment.fee === 0 ? undefined : format.money(payment.fee, payment.currency)],
    [t.net, payment.fee === 0 ? undefined : format.money(payment.amount_net, payment.currency)],
    [t.refunded, own === undefined || own.refunded === 0 ? undefined : format.money(own.refunded)],
    [t.when, format.moment(payment.date)],
    [t.method, payment.method === undefined ? undefined : (t.methods[payment.method] ?? payment.method)],
    [t.card, card && `${card.type ?? ''} ${card.bin ?? ''} ···· ${card.last4 ?? ''} ${card.valdate ?? ''}`],
    [t.reference, mb && `${mb.entity ?? ''} ${mb.ref ?? ''}`],
    [t.phone, known.mbway?.phone ?? client?.phone],
    [t.customer, client?.name ?? known.ext_customerid],
    [t.email, client?.email ?? known.ext_email],
    [t.invoice, known.ext_invoiceid],
    [t.store, own?.store],
    [t.channel, known.channel && (words.channel?.[known.channel] ?? known.channel)],
    [t.expires, known.expires && format.moment(known.expires)],
    [t.error, own?.error],
    [t.notes, known.notes],
    [t.checkout, belongsTo.checkout],
    [t.subscription, belongsTo.subscription],
    [t.payment_link, belongsTo.payment_link],
  ]
  return (
    <Table variant="vertical" layout="fixed" withRowBorders={false} verticalSpacing={4}>
      <Table.Tbody>
        {facts.map(
          ([name, value]) =>
            value !== undefined && (
              <Table.Tr key={name}>
                <Table.Th scope="row" w={150}>
                  {name}
                </Table.Th>
                <Table.Td style={{ overflowWrap: 'anywhere' }}>{value}</Table.Td>
              </Table.Tr>
            ),
        )}
      </Table.Tbody>
    </Table>
  )
}

function Family({ family, own }: { readonly family: readonly ListedPayment[]; readonly own: string }) {
  const t = useTexts(paymentTexts)
  const format = useFormats()
  const { id: wallet } = useWallet()
  return (
    <Stack gap="xs">
      {family.map((one) => (
        <Group key={one.id} justify="space-between" gap="xs">
          <Group gap="xs">
            {one.id === own ? (
              <Badge variant="outline" tt="none">
                {t.types[one.type] ?? one.type}
              </Badge>
            ) : (
              <Anchor component={Link} to={`/wallets/${wallet}/payments/${one.id}` as string}>
                {t.types[one.type] ?? one.type}
              </Anchor>
            )}
            <StatusBadge status={one.status} />
          </Group>
          <Text className="number" size="sm">
            {format.money(one.amount, one.currency)}
          </Text>
        </Group>
      ))}
    </Stack>
  )
}
