// A button that is off while the merchant is suspended.
import { Button, type ButtonProps, Tooltip } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTexts } from '../i18n/language.ts'
import { useWallet } from '../session.ts'
import { shellTexts } from '../shell/i18n.ts'

interface BeginButtonProps extends ButtonProps {
  readonly children: ReactNode
  readonly onClick: () => void
  readonly 'aria-label'?: string
}

export function BeginButton({ onClick, ...button }: BeginButtonProps) {
  const t = useTexts(shellTexts)
  const { isSuspended } = useWallet()
  if (!isSuspended) return <Button {...button} onClick={onClick} />
  // The button is not `disabled`, because nobody could focus it and read the reason.
  return (
    <Tooltip
      withinPortal={false}
      label={t.whileSuspended}
      events={{ hover: true, focus: true, touch: true }}
      multiline
      maw={280}
    >
      <Button {...button} data-disabled aria-disabled="true" aria-description={t.whileSuspended} />
    </Tooltip>
  )
}
