// A secret that was just made: shown once, to be copied.
import { Button, Code, CopyButton, Group, Stack, Text } from '@mantine/core'
import { Dialog } from '../../kit/dialog.tsx'
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
        <Code block className="identifier" data-secret style={{ whiteSpace: 'pre-wrap' }}>
          {secret}
        </Code>
        <Group justify="flex-end">
          <CopyButton value={secret ?? ''}>
            {({ copied, copy }) => (
              <Button variant="light" onClick={copy}>
                {copied ? t.copied : t.copy}
              </Button>
            )}
          </CopyButton>
          <Button onClick={onClose}>{t.done}</Button>
        </Group>
      </Stack>
    </Dialog>
  )
}
