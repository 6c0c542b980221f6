// A secret that was just made: shown once, to be copied.
import { Button, Group, Stack, Text } from '@mantine/core'
import { Dialog } from '../../kit/dialog.tsx'
import { ToCopy } from '../../kit/to-copy.tsx'
import { useTexts } from '../../texts/language.ts'
import { developersTexts } from './texts.ts'

export function ShownOnce({
  title,
  secret,
  onClose,
}: {
  readonly title: string
  /** Undefined: nothing is shown. */
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
