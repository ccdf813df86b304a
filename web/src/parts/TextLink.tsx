import { Anchor } from '@mantine/core'
import type { ReactNode } from 'react'
import { followLink } from '../router/navigate.ts'

/** A link inside the dashboard, in running text: underlined, since colour alone would not set it apart. */
export function TextLink({ to, children }: { to: string; children: ReactNode }) {
  return (
    <Anchor href={to} onClick={followLink} inherit underline="always">
      {children}
    </Anchor>
  )
}
