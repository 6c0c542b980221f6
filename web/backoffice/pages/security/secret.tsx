// Something to copy that is shown once.
import { Button, Code, CopyButton, Group, Stack } from '@mantine/core'
import { useTexts } from '../../texts/language.ts'
import { securityTexts } from './texts.ts'

export function Secret({ value, onDone }: { readonly value: string; readonly onDone: () => void }) {
  const t = useTexts(securityTexts)
  return (
    <Stack>
      <Code block className="identifier wrapped" data-secret>
        {value}
      </Code>
      <Group justify="flex-end">
        <CopyButton value={value}>
          {({ copied, copy }) => (
            <Button variant="light" onClick={copy}>
              {copied ? t.copied : t.copy}
            </Button>
          )}
        </CopyButton>
        <Button onClick={onDone}>{t.done}</Button>
      </Group>
    </Stack>
  )
}
