// Modal dialog.
import { Modal } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTexts } from '../i18n/language.ts'
import { shellTexts } from '../shell/i18n.ts'

export function Dialog({
  opened,
  close,
  title,
  stays = false,
  size = 'md',
  zIndex,
  children,
}: {
  readonly opened: boolean
  readonly close: () => void
  readonly title: string
  /** Only a button closes the dialog, because its content is shown once. */
  readonly stays?: boolean
  readonly size?: 'md' | 'xl'
  readonly zIndex?: number
  readonly children: ReactNode
}) {
  const t = useTexts(shellTexts)
  const head = { component: 'div' }
  return (
    <Modal.Root
      opened={opened}
      onClose={close}
      closeOnClickOutside={!stays}
      closeOnEscape={!stays}
      size={size}
      {...(zIndex !== undefined && { zIndex })}
      centered
    >
      <Modal.Overlay />
      <Modal.Content>
        <Modal.Header {...head}>
          <Modal.Title fw={600}>{title}</Modal.Title>
          {!stays && <Modal.CloseButton aria-label={t.close} />}
        </Modal.Header>
        <Modal.Body>{children}</Modal.Body>
      </Modal.Content>
    </Modal.Root>
  )
}
