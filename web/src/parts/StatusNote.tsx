import { Alert } from '@mantine/core'
import type { ReactNode } from 'react'
import { Icon, type IconName } from './Icon.tsx'

type Props = { color: string; icon: IconName; title: string; children: ReactNode }

/** The status of something that is decided, and what it means; screen readers announce it when it changes. */
export function StatusNote({ color, icon, title, children }: Props) {
  return (
    <Alert color={color} icon={<Icon name={icon} />} title={title} role="status">
      {children}
    </Alert>
  )
}
