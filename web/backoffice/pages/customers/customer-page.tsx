// One customer with the saved cards.
import { Anchor, Badge, Group, Paper, Stack, Text, Title } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { act, read } from '../../api.ts'
import { useFormats } from '../../i18n/format.ts'
import { useTexts } from '../../i18n/language.ts'
import { AskingButton, RemoveButton } from '../../kit/confirm-button.tsx'
import { Empty, Loaded, PageHead } from '../../kit/page.tsx'
import { DataTable } from '../../kit/table.tsx'
import { useWallet } from '../../session.ts'
import type { Customer } from './customers-page.tsx'
import { customerTexts } from './i18n.ts'

interface SavedCard {
  readonly id: string
  readonly status: string
  readonly card: { readonly type: string; readonly last4: string; readonly valdate: string }
  readonly date: string
}

const brandNames: Readonly<Record<string, string>> = {
  visa: 'Visa',
  mastercard: 'Mastercard',
  amex: 'American Express',
}

export function Page() {
  const t = useTexts(customerTexts)
  const navigate = useNavigate()
  const queries = useQueryClient()
  const { api, id: walletId, may } = useWallet()
  const { id } = useParams({ strict: false }) as { id?: string }
  const path = `${api}/customers/${id}`
  const list = `/wallets/${walletId}/customers`
  const query = useQuery({ queryKey: [path], queryFn: ({ signal }) => read<Customer>(path, signal) })
  return (
    <>
      <PageHead title={query.data?.name ?? t.unnamed} />
      <Anchor component={Link} to={list} size="sm">
        {t.back}
      </Anchor>
      <Loaded query={query}>
        {(customer) => (
          <Stack mt="md" gap="lg">
            <Facts customer={customer} />
            {may('customers') && (
              <Group>
                <AskingButton
                  label={t.deleteCustomer}
                  ask={t.deleteAsk}
                  isDanger
                  variant="light"
                  color="red"
                  work={async () => {
                    await act(path, { method: 'DELETE' })
                    // A cached list would still show the customer.
                    queries.removeQueries({ queryKey: [`${api}/customers`] })
                    await navigate({ to: list as string })
                  }}
                />
              </Group>
            )}
            <Cards path={`${path}/payment_methods`} />
          </Stack>
        )}
      </Loaded>
    </>
  )
}

function Facts({ customer }: { readonly customer: Customer }) {
  const t = useTexts(customerTexts)
  const format = useFormats()
  const { id: walletId } = useWallet()
  const { email, phone, ext_customerid: reference, date, id } = customer
  const contact = [email, phone].filter(Boolean).join(' · ')
  return (
    <Paper withBorder p="lg">
      {contact !== '' && <Text className="anywhere">{contact}</Text>}
      {reference !== undefined && (
        <Text size="sm">
          {t.reference}: {reference} ·{' '}
          <Anchor
            component={Link}
            to={`/wallets/${walletId}/payments` as string}
            search={{ text: reference } as never}
            size="sm"
          >
            {t.payments}
          </Anchor>
        </Text>
      )}
      <Text size="sm" c="dimmed">
        {t.since} {format.day(date)}
      </Text>
      <Text className="identifier" mt="xs">
        {id}
      </Text>
    </Paper>
  )
}

function Cards({ path }: { readonly path: string }) {
  const t = useTexts(customerTexts)
  const format = useFormats()
  const { may } = useWallet()
  const query = useQuery({
    queryKey: [path],
    queryFn: ({ signal }) => read<{ readonly elements: readonly SavedCard[] }>(path, signal),
  })
  return (
    <section>
      <Title order={2} mb="sm">
        {t.cards}
      </Title>
      <Loaded query={query}>
        {({ elements }) =>
          elements.length === 0 ? (
            <Empty title={t.noCards}>{t.noCardsText}</Empty>
          ) : (
            <DataTable
              label={t.cards}
              columns={[
                {
                  head: t.card,
                  kind: 'line',
                  cell: ({ card }) => `${brandNames[card.type] ?? card.type} •••• ${card.last4}`,
                },
                { head: t.valid, kind: 'line', cell: ({ card }) => card.valdate },
                {
                  head: t.status,
                  cell: ({ status }) => (
                    <Badge variant="light" tt="none" color={status === 'ACTIVE' ? 'green' : 'gray'}>
                      {t.statuses[status] ?? status}
                    </Badge>
                  ),
                },
                { head: t.saved, kind: 'line', cell: ({ date }) => format.day(date) },
                may('customers') && {
                  head: t.action,
                  kind: 'actions',
                  cell: ({ id, card }) => (
                    <RemoveButton
                      label={t.deleteCard}
                      title={t.deleteCardOf(card.last4)}
                      ask={t.deleteCardAsk}
                      work={async () => {
                        await act(`${path}/${id}`, { method: 'DELETE' })
                        await query.refetch()
                      }}
                    />
                  ),
                },
              ]}
              rows={elements}
              keyOf={({ id }) => id}
            />
          )
        }
      </Loaded>
    </section>
  )
}
