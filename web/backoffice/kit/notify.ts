// Short notifications.
import { notifications } from '@mantine/notifications'
import { useTexts } from '../i18n/language.ts'
import { shellTexts } from '../shell/i18n.ts'

export function useNotify(): (message: string) => void {
  const { close } = useTexts(shellTexts)
  return (message) => notifications.show({ message, closeButtonProps: { 'aria-label': close } })
}
