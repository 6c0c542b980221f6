// Button that a suspension disables.
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
  // A `disabled` button cannot be focused, so nobody could read the reason.
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
