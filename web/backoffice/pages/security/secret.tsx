// Secret that is shown once.
import { Button, Group, Stack } from '@mantine/core'
import { useTexts } from '../../i18n/language.ts'
import { ToCopy } from '../../kit/to-copy.tsx'
import { securityTexts } from './i18n.ts'

export function Secret({ value, onDone }: { readonly value: string; readonly onDone: () => void }) {
  const t = useTexts(securityTexts)
  return (
    <Stack>
      <ToCopy value={value} />
      <Group justify="flex-end">
        <Button onClick={onDone}>{t.done}</Button>
      </Group>
    </Stack>
  )
}
