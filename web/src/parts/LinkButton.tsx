import { Button, type ButtonProps } from '@mantine/core'
import type { ReactNode } from 'react'
import { followLink } from '../router/followLink.ts'

/** A link inside the dashboard that looks like a button. */
export function LinkButton({ to, children, ...rest }: ButtonProps & { to: string; children: ReactNode }) {
  return (
    <Button component="a" href={to} onClick={followLink} {...rest}>
      {children}
    </Button>
  )
}
