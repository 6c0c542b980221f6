// The field of every amount: it holds what was typed, so that no comma is lost; `texts/amount.ts` reads it.
import { TextInput, type TextInputProps } from '@mantine/core'

/** In euros, as text. */
export function AmountField(props: TextInputProps) {
  return <TextInput inputMode="decimal" autoComplete="off" leftSection="€" {...props} />
}
