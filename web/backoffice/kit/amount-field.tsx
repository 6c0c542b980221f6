// Field for an amount.
import { TextInput, type TextInputProps } from '@mantine/core'

/** Keeps the typed text, so that a comma does not disappear. `i18n/amount.ts` reads it. */
export function AmountField(props: TextInputProps) {
  return <TextInput inputMode="decimal" autoComplete="off" leftSection="€" {...props} />
}
