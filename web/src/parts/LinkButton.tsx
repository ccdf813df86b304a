import { Button, type ButtonProps } from '@mantine/core'
import type { ReactNode } from 'react'
import { followLink } from '../router/navigate.ts'

type Props = ButtonProps & {
  to: string
  children: ReactNode
  /** Called before the page changes. */
  onFollow?: () => void
}

/** An internal link that looks like a button. */
export function LinkButton({ to, children, onFollow, ...rest }: Props) {
  return (
    <Button
      component="a"
      href={to}
      onClick={(event) => {
        onFollow?.()
        followLink(event)
      }}
      {...rest}
    >
      {children}
    </Button>
  )
}
