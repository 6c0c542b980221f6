// Dialog that shows a new secret once.
import { Button, Group, Stack, Text } from '@mantine/core'
import { useTexts } from '../../i18n/language.ts'
import { Dialog } from '../../kit/dialog.tsx'
import { ToCopy } from '../../kit/to-copy.tsx'
import { developersTexts } from './i18n.ts'

export function ShownOnce({
  title,
  secret,
  onClose,
}: {
  readonly title: string
  readonly secret: string | undefined
  readonly onClose: () => void
}) {
  const t = useTexts(developersTexts)
  return (
    <Dialog opened={secret !== undefined} close={onClose} title={title} stays>
      <Stack>
        <Text size="sm">{t.shownOnce}</Text>
        <ToCopy value={secret ?? ''} />
        <Group justify="flex-end">
          <Button onClick={onClose}>{t.done}</Button>
        </Group>
      </Stack>
    </Dialog>
  )
}
