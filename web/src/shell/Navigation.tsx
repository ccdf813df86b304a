import { Badge, NavLink, Stack, VisuallyHidden } from '@mantine/core'
import { Icon, type IconName } from '../parts/Icon.tsx'
import { followLink } from '../router/navigate.ts'

type Waiting = { approvals: number; registrations: number; alerts: number }

type Place = { to: string; name: string; icon: IconName; waiting?: keyof Waiting }

const PLACES: readonly Place[] = [
  { to: '/', name: 'Overview', icon: 'overview' },
  { to: '/approvals', name: 'Approvals', icon: 'approvals', waiting: 'approvals' },
  { to: '/activity', name: 'Activity', icon: 'activity' },
  { to: '/agents', name: 'Agents', icon: 'agents' },
  {
    to: '/registration-requests',
    name: 'Registrations',
    icon: 'requests',
    waiting: 'registrations',
  },
  { to: '/endpoints', name: 'Endpoints', icon: 'endpoints' },
  { to: '/alerts', name: 'Alerts', icon: 'bell', waiting: 'alerts' },
  { to: '/audit', name: 'Audit', icon: 'audit' },
  { to: '/api-keys', name: 'API keys', icon: 'keys' },
  { to: '/organisations', name: 'Organisations', icon: 'organisations' },
]

/** What counts as waiting, for those who hear the number alone. */
const WAITING_WORDS = { approvals: 'waiting', registrations: 'waiting', alerts: 'unread' } as const

/** For those alone who have the role. */
const OPERATOR_PLACE: Place = { to: '/operator', name: 'Identities to review', icon: 'shield' }

type Props = { path: string; waiting: Waiting; isOperator: boolean; onLeave: () => void }

/** The pages of the dashboard, with what waits on them; `onLeave` closes the menu of a phone. */
export function Navigation({ path, waiting, isOperator, onLeave }: Props) {
  return (
    <Stack component="nav" gap={4} aria-label="Pages">
      {[...PLACES, ...(isOperator ? [OPERATOR_PLACE] : [])].map(({ to, name, icon, waiting: kind }) => {
        const isHere = placeOf(path) === to
        return (
          <NavLink
            key={to}
            href={to}
            label={name}
            leftSection={<Icon name={icon} />}
            rightSection={
              kind && waiting[kind] > 0 && <Count count={waiting[kind]} of={WAITING_WORDS[kind]} />
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
    </Stack>
  )
}

/** The entry that a page belongs to: an approval's address is older than the list of approvals. */
function placeOf(path: string): string {
  if (path.startsWith('/activity/pending/')) return '/approvals'
  return (
    [...PLACES, OPERATOR_PLACE].findLast(({ to }) => path === to || path.startsWith(`${to}/`))?.to ?? path
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
