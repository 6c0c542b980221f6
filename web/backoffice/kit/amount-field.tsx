// Field for an amount.
import { TextInput, type TextInputProps } from '@mantine/core'

/** Text in euros, so that a typed comma stays. `i18n/amount.ts` reads it. */
export function AmountField(props: TextInputProps) {
  return <TextInput inputMode="decimal" autoComplete="off" leftSection="€" {...props} />
}
