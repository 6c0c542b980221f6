// The bank account of a refund: named by the merchant, or by the payer on a page.
import { Radio, Stack, Table, Text, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { read } from '../../api.ts'
import { useFormats } from '../../i18n/format.ts'
import { isIban } from '../../i18n/iban.ts'
import { useTexts } from '../../i18n/language.ts'
import { afterPointer } from '../../kit/after-pointer.ts'
import { Panel } from '../../kit/page.tsx'
import { ToCopy } from '../../kit/to-copy.tsx'
import { useWallet } from '../../session.ts'
import { paymentTexts } from './i18n.ts'

export interface TypedAccount {
  readonly by: 'payer' | 'merchant'
  readonly iban: string
  readonly name: string
}

export const noAccount: TypedAccount = { by: 'payer', iban: '', name: '' }

/** Undefined if a field is missing or wrong. */
export function accountOf({ by, iban, name }: TypedAccount): object | undefined {
  if (by === 'payer') return {}
  return isIban(iban) && name.trim() !== '' ? { iban, name } : undefined
}

export function AccountFields({
  account,
  change,
}: {
  readonly account: TypedAccount
  readonly change: (account: TypedAccount) => void
}) {
  const t = useTexts(paymentTexts)
  const [isChecked, setIsChecked] = useState(false)
  const check = () => afterPointer(() => setIsChecked(true))
  const isIbanWrong = isChecked && account.iban.trim() !== '' && !isIban(account.iban)
  return (
    <Stack gap="sm">
      <Radio.Group
        label={t.refundTo}
        value={account.by}
        onChange={(by) => change({ ...account, by: by === 'merchant' ? 'merchant' : 'payer' })}
      >
        <Stack gap="xs" mt={4}>
          <Radio value="payer" label={t.byPayer} description={t.byPayerHint} />
          <Radio value="merchant" label={t.byMerchant} />
        </Stack>
      </Radio.Group>
      {account.by === 'merchant' && (
        <>
          <TextInput
            label={t.iban}
            required
            autoComplete="off"
            className="number"
            value={account.iban}
            onChange={({ currentTarget: { value } }) => change({ ...account, iban: value })}
            onBlur={check}
            error={isIbanWrong ? t.ibanWrong : undefined}
          />
          <TextInput
            label={t.holder}
            required
            autoComplete="off"
            maxLength={70}
            value={account.name}
            onChange={({ currentTarget: { value } }) => change({ ...account, name: value })}
          />
        </>
      )}
    </Stack>
  )
}

interface Answer {
  readonly status: 'WAITING' | 'NAMED' | 'ENDED'
  readonly refund_url?: string
  readonly expires?: string
  readonly iban?: string
  readonly name?: string
  readonly execution_date?: string
}

/** The account of a refund, or the link while the payer has not named one. */
export function RefundAccount({ id, status }: { readonly id: string; readonly status: string }) {
  const t = useTexts(paymentTexts)
  const format = useFormats()
  const { api } = useWallet()
  const { data } = useQuery({
    queryKey: [api, 'payment', id, 'account', status],
    queryFn: ({ signal }) => read<Answer>(`${api}/operations/${id}/refund_account`, signal),
    retry: false,
  })
  if (data === undefined) return null
  const facts = [
    [t.iban, data.iban],
    [t.holder, data.name],
    [t.executionDay, data.execution_date && format.day(data.execution_date)],
  ] as const
  return (
    <Panel title={t.refundTo}>
      {data.refund_url !== undefined && (
        <Stack gap="xs">
          <Text size="sm">{t.linkText}</Text>
          <ToCopy value={data.refund_url} label={t.refundLink} />
          {data.expires !== undefined && (
            <Text size="sm" c="dimmed">
              {t.linkUntil} {format.moment(data.expires)}
            </Text>
          )}
        </Stack>
      )}
      {data.status === 'ENDED' && <Text size="sm">{t.linkEnded}</Text>}
      {data.status === 'NAMED' && (
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
      )}
    </Panel>
  )
}
