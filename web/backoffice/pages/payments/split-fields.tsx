// Fields for the shares of a split.
import { Button, Group, Stack, TextInput } from '@mantine/core'
import { amountOf } from '../../i18n/amount.ts'
import { useTexts } from '../../i18n/language.ts'
import { AmountField } from '../../kit/amount-field.tsx'
import { paymentTexts } from './i18n.ts'

export interface Share {
  readonly id: string
  readonly wallet: string
  readonly amount: string
}

const sharesMax = 100

export function emptyShare(): Share {
  return { id: crypto.randomUUID(), wallet: '', amount: '' }
}

/** Undefined while a field is missing or wrong. */
export function splitOf(shares: readonly Share[]): { readonly split: readonly object[] } | undefined {
  if (shares.some((share) => !isPublicId(share.wallet) || amountOf(share.amount) === undefined))
    return undefined
  return {
    split: shares.map(({ wallet, amount }) => ({
      merchant_wallet: wallet.trim(),
      amount: amountOf(amount),
    })),
  }
}

function isPublicId(text: string): boolean {
  return /^[0-9A-Za-z]{16}$/.test(text.trim())
}

export function SplitFields({
  shares,
  change,
}: {
  readonly shares: readonly Share[]
  readonly change: (shares: readonly Share[]) => void
}) {
  const t = useTexts(paymentTexts)
  const replace = (id: string, changed: Partial<Share>) =>
    change(shares.map((share) => (share.id === id ? { ...share, ...changed } : share)))
  return (
    <Stack gap="xs">
      {shares.map((share) => (
        <Group key={share.id} gap="xs" align="flex-end">
          <TextInput
            flex={2}
            label={t.wallet}
            value={share.wallet}
            onChange={({ currentTarget: { value } }) => replace(share.id, { wallet: value })}
            error={share.wallet !== '' && !isPublicId(share.wallet) ? t.walletWrong : undefined}
          />
          <AmountField
            flex={1}
            label={t.share}
            value={share.amount}
            onChange={({ currentTarget: { value } }) => replace(share.id, { amount: value })}
            error={share.amount !== '' && amountOf(share.amount) === undefined ? t.amountWrong : undefined}
          />
          {shares.length > 1 && (
            <Button variant="subtle" onClick={() => change(shares.filter(({ id }) => id !== share.id))}>
              {t.removeShare}
            </Button>
          )}
        </Group>
      ))}
      {shares.length < sharesMax && (
        <Button variant="subtle" onClick={() => change([...shares, emptyShare()])}>
          {t.addShare}
        </Button>
      )}
    </Stack>
  )
}
