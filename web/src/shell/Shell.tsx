import { ActionIcon, Burger, Group, Indicator } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import type { User } from '@svc/core/contract/accounts.ts'
import { type ReactNode, useEffect, useRef } from 'react'
import { PENDING_POLL_MS } from '../api/useApiList.ts'
import { useApiQuery } from '../api/useApiQuery.ts'
import { useFirstRunMemory } from '../pages/overview/firstRun/useFirstRunMemory.ts'
import { Icon } from '../parts/Icon.tsx'
import { followLink } from '../router/navigate.ts'
import { AccountMenu } from './AccountMenu.tsx'
import { Announcement } from './Announcement.tsx'
import { Brand } from './Brand.tsx'
import { ColorSchemeToggle } from './ColorSchemeToggle.tsx'
import { FindButton } from './FindButton.tsx'
import { keepFocus } from './keepFocus.ts'
import { Navigation } from './Navigation.tsx'
import { OrganisationSwitcher } from './OrganisationSwitcher.tsx'
import { PageFrame } from './PageFrame.tsx'
import type { PendingCounts } from './places.ts'
import classes from './Shell.module.css'

/**
 * The frame around every page when signed in.
 *
 * Its few styles are our own, because the frame of the component kit can also be resized, which would slow the first page.
 */
export function Shell({ user, path, children }: { user: User; path: string; children: ReactNode }) {
  const [isOpen, { toggle, close }] = useDisclosure(false)
  const page = usePageFocus(path)
  useCloseOnEscape(isOpen, close)
  useEffect(keepFocus, [])
  const isOperator = user.role === 'operator'
  const pending = usePendingCounts(isOperator)
  const [{ role }] = useFirstRunMemory(user.id)
  return (
    <div className={classes.shell}>
      <a href="#page" className={classes.skip}>
        Skip to content
      </a>
      <header className={classes.header}>
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
            <OrganisationSwitcher visibleFrom="md" />
            <FindButton isOperator={user.role === 'operator'} />
            <AlertsButton unread={pending.alerts} />
            <ColorSchemeToggle />
            <AccountMenu user={user} />
          </Group>
        </Group>
      </header>
      <div className={classes.menu} data-open={isOpen || undefined}>
        <OrganisationSwitcher hiddenFrom="md" mb="sm" />
        <Navigation {...{ path, pending, isOperator, role }} onLeave={close} />
      </div>
      <main id="page" tabIndex={-1} ref={page} className={classes.page}>
        <div className={classes.column}>
          <PageFrame key={path}>{children}</PageFrame>
        </div>
      </main>
      <Announcement />
    </div>
  )
}

/** Closes the menu of a phone with Escape. */
function useCloseOnEscape(isOpen: boolean, close: () => void) {
  useEffect(() => {
    if (!isOpen) return
    const listen = ({ key }: KeyboardEvent) => key === 'Escape' && close()
    window.addEventListener('keydown', listen)
    return () => window.removeEventListener('keydown', listen)
  }, [isOpen, close])
}

/** Moves the focus to a new page, as a page load would, so that screen readers start at its top. */
function usePageFocus(path: string) {
  const page = useRef<HTMLElement>(null)
  const shown = useRef(path)
  useEffect(() => {
    if (shown.current !== path) page.current?.focus({ preventScroll: true })
    shown.current = path
  }, [path])
  return page
}

/** Link to the alerts, with the number of unread ones. */
function AlertsButton({ unread }: { unread: number }) {
  return (
    <Indicator label={unread > 99 ? '99+' : unread} size={16} disabled={unread === 0} color="red.8">
      <ActionIcon
        component="a"
        href="/alerts"
        onClick={followLink}
        variant="default"
        size="lg"
        aria-label={unread === 0 ? 'Alerts' : `Alerts, ${unread} unread`}
      >
        <Icon name="bell" />
      </ActionIcon>
    </Indicator>
  )
}

/** The largest page of a list; beyond it an exact count does not matter. */
const COUNTED_MAX = 100

/** New cases are not as urgent as what somebody waits for at this moment. */
const CASES_POLL_MS = 60_000

/** Counts what waits for the account: approvals, registrations and unread alerts, and for operators the pending cases. */
function usePendingCounts(isOperator: boolean): PendingCounts {
  const pending = { query: { status: 'pending', limit: COUNTED_MAX }, pollMs: PENDING_POLL_MS }
  const approvals = useApiQuery('GET /api/step-up-approvals', pending)
  const requested = useApiQuery('GET /api/registration-requests', pending)
  const unread = useApiQuery('GET /api/alerts', {
    query: { status: 'unread', limit: COUNTED_MAX },
    pollMs: PENDING_POLL_MS,
  })
  const cases = useApiQuery('GET /api/admin/kyd', {
    query: { status: 'pending', limit: COUNTED_MAX },
    pollMs: CASES_POLL_MS,
    enabled: isOperator,
  })
  return {
    cases: cases.data?.items.length ?? 0,
    approvals: approvals.data?.items.length ?? 0,
    registrations: requested.data?.items.length ?? 0,
    alerts: unread.data?.items.filter(({ mayMarkRead }) => mayMarkRead).length ?? 0,
  }
}
