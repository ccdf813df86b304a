import { AppShell, Burger, Group } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { type ReactNode, useEffect, useRef } from 'react'
import type { User } from '../api/types.ts'
import { AccountMenu } from './AccountMenu.tsx'
import { AlertsButton } from './AlertsButton.tsx'
import { Brand } from './Brand.tsx'
import { ColorSchemeToggle } from './ColorSchemeToggle.tsx'
import { Navigation } from './Navigation.tsx'
import classes from './Shell.module.css'
import { useWaiting } from './useWaiting.ts'

/** The frame around every page of somebody who is signed in. */
export function Shell({ user, path, children }: { user: User; path: string; children: ReactNode }) {
  const [isOpen, { toggle, close }] = useDisclosure(false)
  const page = usePageFocus(path)
  const waiting = useWaiting()
  return (
    <AppShell
      header={{ height: 60 }}
      navbar={{ width: 230, breakpoint: 'sm', collapsed: { mobile: !isOpen } }}
      padding={{ base: 'md', sm: 'xl' }}
    >
      <a href="#page" className={classes.skip}>
        Skip to content
      </a>
      <AppShell.Header px="md">
        <Group h="100%" justify="space-between" wrap="nowrap">
          <Group gap="sm" wrap="nowrap">
            <Burger
              opened={isOpen}
              onClick={toggle}
              hiddenFrom="sm"
              size="sm"
              aria-label={isOpen ? 'Close the menu' : 'Open the menu'}
              aria-expanded={isOpen}
            />
            <Brand />
          </Group>
          <Group gap="xs" wrap="nowrap">
            <AlertsButton unread={waiting.alerts} />
            <ColorSchemeToggle />
            <AccountMenu user={user} />
          </Group>
        </Group>
      </AppShell.Header>
      <AppShell.Navbar p="sm">
        <Navigation path={path} waiting={waiting} isOperator={user.role === 'operator'} onLeave={close} />
      </AppShell.Navbar>
      <AppShell.Main id="page" tabIndex={-1} ref={page} className={classes.page}>
        <div className={classes.column}>{children}</div>
      </AppShell.Main>
    </AppShell>
  )
}

/** A new page takes the focus, as a loaded one would, so that reading starts at its top. */
function usePageFocus(path: string) {
  const page = useRef<HTMLElement>(null)
  const shown = useRef(path)
  useEffect(() => {
    if (shown.current !== path) page.current?.focus({ preventScroll: true })
    shown.current = path
  }, [path])
  return page
}
