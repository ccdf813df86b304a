import { NavLink, Stack } from '@mantine/core'
import { Icon, type IconName } from '../parts/Icon.tsx'
import { followLink } from '../router/followLink.ts'

const PLACES: readonly { to: string; name: string; icon: IconName }[] = [
  { to: '/', name: 'Overview', icon: 'overview' },
  { to: '/activity', name: 'Activity', icon: 'activity' },
  { to: '/agents', name: 'Agents', icon: 'agents' },
  { to: '/endpoints', name: 'Endpoints', icon: 'endpoints' },
  { to: '/api-keys', name: 'API keys', icon: 'keys' },
  { to: '/organisations', name: 'Organisations', icon: 'organisations' },
]

/** The pages of the dashboard; `onLeave` closes the menu of a phone. */
export function Navigation({ path, onLeave }: { path: string; onLeave: () => void }) {
  return (
    <Stack component="nav" gap={4} aria-label="Pages">
      {PLACES.map(({ to, name, icon }) => {
        const isHere = to === '/' ? path === '/' : path === to || path.startsWith(`${to}/`)
        return (
          <NavLink
            key={to}
            href={to}
            label={name}
            leftSection={<Icon name={icon} />}
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
