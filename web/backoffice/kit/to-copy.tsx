// Value with a copy button.
import { Box, Button, Code, CopyButton, Group, Text } from '@mantine/core'
import { useTexts } from '../i18n/language.ts'
import { shellTexts } from '../shell/i18n.ts'

export function ToCopy({ value, label }: { readonly value: string; readonly label?: string }) {
  const t = useTexts(shellTexts)
  return (
    <div>
      {label !== undefined && (
        <Text size="sm" fw={600}>
          {label}
        </Text>
      )}
      <Group gap="xs" wrap="nowrap" align="flex-start">
        <Box flex={1} miw={0}>
          <Code block className="identifier wrapped" data-secret>
            {value}
          </Code>
        </Box>
        <CopyButton value={value}>
          {({ copied, copy }) => (
            <Button
              variant="light"
              onClick={copy}
              aria-label={label === undefined ? undefined : `${copied ? t.copied : t.copy}: ${label}`}
            >
              {copied ? t.copied : t.copy}
            </Button>
          )}
        </CopyButton>
      </Group>
    </div>
  )
}
