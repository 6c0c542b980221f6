// Short notes at the edge of the page.
import { notifications } from '@mantine/notifications'
import { useTexts } from '../i18n/language.ts'
import { shellTexts } from '../shell/i18n.ts'

/** Says that something was done, for a moment. */
export function useNotify(): (message: string) => void {
  const { close } = useTexts(shellTexts)
  return (message) => notifications.show({ message, closeButtonProps: { 'aria-label': close } })
}
