// Buttons with a confirmation dialog.
import { Button, type ButtonProps, Group, Stack, Text } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { useTexts } from '../i18n/language.ts'
import { shellTexts } from '../shell/i18n.ts'
import { Dialog } from './dialog.tsx'
import { Refused, useDoing } from './doing.tsx'

interface AskingProps extends ButtonProps {
  /** The text of the button, and of the button that confirms. */
  readonly label: string
  /** Default: the label. */
  readonly title?: string
  readonly ask: ReactNode
  readonly work: () => Promise<unknown>
  readonly isDanger?: boolean
}

export function AskingButton(props: AskingProps) {
  const t = useTexts(shellTexts)
  const { label, title = label, ask, work, isDanger = false, ...button } = props
  const [isOpen, setIsOpen] = useState(false)
  const doing = useDoing(work)
  const close = () => {
    setIsOpen(false)
    doing.forget()
  }
  return (
    <>
      <Button aria-label={title} {...button} onClick={() => setIsOpen(true)}>
        {label}
      </Button>
      <Dialog opened={isOpen} close={close} title={title}>
        <Stack>
          <Text size="sm" component="div">
            {ask}
          </Text>
          <Refused problem={doing.problem} />
          <Group justify="flex-end">
            <Button variant="default" onClick={close}>
              {t.cancel}
            </Button>
            <Button
              {...(isDanger && { color: 'red' })}
              loading={doing.busy}
              onClick={() => void doing.start().then((done) => done && close())}
            >
              {label}
            </Button>
          </Group>
        </Stack>
      </Dialog>
    </>
  )
}

export function RemoveButton(props: Omit<AskingProps, 'isDanger'>) {
  return <AskingButton {...props} isDanger size="compact-xs" variant="light" color="red" />
}
