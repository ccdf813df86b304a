import { Anchor } from '@mantine/core'
import type { ReactNode } from 'react'
import { followLink } from '../router/navigate.ts'

/** An internal link in running text, underlined because colour is not enough to recognise it. */
export function TextLink({ to, children }: { to: string; children: ReactNode }) {
  return (
    <Anchor href={to} onClick={followLink} inherit underline="always">
      {children}
    </Anchor>
  )
}
