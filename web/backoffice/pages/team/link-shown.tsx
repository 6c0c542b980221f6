// Dialog that shows a new one-time link.
import { Stack, Text } from '@mantine/core'
import type { LinkMade } from '../../../../src/backoffice/contract/team.ts'
import { useTexts } from '../../i18n/language.ts'
import { Dialog } from '../../kit/dialog.tsx'
import { Secret } from '../security/secret.tsx'
import { teamTexts } from './i18n.ts'

export function LinkShown({
  link,
  onClose,
}: {
  readonly link: (LinkMade & { readonly text: string }) | undefined
  readonly onClose: () => void
}) {
  const t = useTexts(teamTexts)
  return (
    <Dialog opened={link !== undefined} close={onClose} title={t.invited} stays>
      <Stack>
        <Text size="sm">{link?.text}</Text>
        <Secret value={link?.url ?? ''} onDone={onClose} />
      </Stack>
    </Dialog>
  )
}
