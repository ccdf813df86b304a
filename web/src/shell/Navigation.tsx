import { Badge, NavLink, Stack, VisuallyHidden } from '@mantine/core'
import { Icon } from '../parts/Icon.tsx'
import { followLink } from '../router/navigate.ts'
import { OPERATOR_PLACES, type PendingCounts, PLACES } from './places.ts'

/** What the number counts, for screen readers. */
const COUNT_LABELS = {
  approvals: 'pending',
  registrations: 'pending',
  alerts: 'unread',
  cases: 'pending',
} as const

type Props = { path: string; pending: PendingCounts; isOperator: boolean; onLeave: () => void }

/** The main menu with its pending counts; `onLeave` closes the menu on a phone. */
export function Navigation({ path, pending, isOperator, onLeave }: Props) {
  return (
    <Stack component="nav" gap={4} aria-label="Pages">
      {[...PLACES, ...(isOperator ? OPERATOR_PLACES : [])].map(({ to, name, icon, counts: kind }) => {
        const isHere = placeOf(path) === to
        return (
          <NavLink
            key={to}
            href={to}
            label={name}
            leftSection={<Icon name={icon} />}
            rightSection={
              kind && pending[kind] > 0 && <Count count={pending[kind]} of={COUNT_LABELS[kind]} />
            }
            active={isHere}
            aria-current={isHere ? 'page' : undefined}
            style={{ borderRadius: 'var(--mantine-radius-md)' }}
            onClick={(event) => {
              followLink(event)
              onLeave()
            }}
          />
        )
      })}
      {/* Not a page of the dashboard, so the browser loads it. */}
      <NavLink
        href="/docs"
        label="API reference"
        leftSection={<Icon name="code" />}
        style={{ borderRadius: 'var(--mantine-radius-md)' }}
      />
    </Stack>
  )
}

/** The menu entry that a page belongs to. The page of an approval is at `/activity/pending/`, the address in mails. */
function placeOf(path: string): string {
  if (path.startsWith('/activity/pending/')) return '/approvals'
  return (
    [...PLACES, ...OPERATOR_PLACES].findLast(({ to }) => path === to || path.startsWith(`${to}/`))?.to ?? path
  )
}

function Count({ count, of }: { count: number; of: string }) {
  return (
    <Badge size="md" circle={count < 10} color="red.8" tt="none">
      {count > 99 ? '99+' : count}
      <VisuallyHidden> {of}</VisuallyHidden>
    </Badge>
  )
}
