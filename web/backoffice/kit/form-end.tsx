// Buttons at the end of a dialog's form.
import { Button, Group, type MantineColor } from '@mantine/core'
import { useTexts } from '../i18n/language.ts'
import { shellTexts } from '../shell/i18n.ts'

export function FormEnd({
  label,
  busy,
  cancel,
  disabled = false,
  color,
}: {
  readonly label: string
  readonly busy: boolean
  readonly cancel: () => void
  readonly disabled?: boolean
  readonly color?: MantineColor
}) {
  const t = useTexts(shellTexts)
  return (
    <Group justify="flex-end">
      <Button variant="default" onClick={cancel}>
        {t.cancel}
      </Button>
      <Button type="submit" loading={busy} disabled={disabled} {...(color && { color })}>
        {label}
      </Button>
    </Group>
  )
}
