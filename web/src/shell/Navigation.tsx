import { Badge, Stack, Text, UnstyledButton, VisuallyHidden } from '@mantine/core'
import { type MouseEvent, useId } from 'react'
import { Icon } from '../parts/Icon.tsx'
import { followLink } from '../router/navigate.ts'
import classes from './Navigation.module.css'
import { listPlaces, type PendingCounts, type Place, type PlaceGroup } from './places.ts'

/** What the number counts, for screen readers. */
const COUNT_LABELS = {
  approvals: 'pending',
  registrations: 'pending',
  alerts: 'unread',
  cases: 'pending',
} as const

type Props = {
  path: string
  pending: PendingCounts
  isOperator: boolean
  /** What the account has said it is here for; null if it has not. */
  role: string | null
  onLeave: () => void
}

/** The main menu with its pending counts; `onLeave` closes the menu on a phone. */
export function Navigation({ path, pending, isOperator, role, onLeave }: Props) {
  const groups = listPlaces(role, isOperator)
  const here = placeOf(groups, path)
  return (
    <Stack component="nav" gap="xs" aria-label="Pages">
      {groups.map((group) => (
        <Group key={group.name} {...group} {...{ here, pending, onLeave }} />
      ))}
      {/* Not a page of the dashboard, so the browser loads it. */}
      <UnstyledButton component="a" href="/docs/" className={classes.link}>
        <Icon name="code" />
        Documentation
      </UnstyledButton>
    </Stack>
  )
}

type GroupProps = PlaceGroup & Pick<Props, 'pending' | 'onLeave'> & { here: string }

function Group({ name, places, here, pending, onLeave }: GroupProps) {
  const id = useId()
  return (
    <Stack gap={2} role="group" aria-labelledby={name === null ? undefined : id}>
      {name !== null && (
        <Text id={id} size="xs" c="dimmed" fw={600} px="sm" pt={4}>
          {name}
        </Text>
      )}
      {places.map((place) => (
        <PlaceLink key={place.to} place={place} isHere={place.to === here} {...{ pending, onLeave }} />
      ))}
    </Stack>
  )
}

type LinkProps = Pick<Props, 'pending' | 'onLeave'> & { place: Place; isHere: boolean }

function PlaceLink({ place: { to, name, icon, counts: kind }, isHere, pending, onLeave }: LinkProps) {
  return (
    <UnstyledButton
      component="a"
      href={to}
      className={classes.link}
      aria-current={isHere ? 'page' : undefined}
      onClick={(event: MouseEvent<HTMLAnchorElement>) => {
        followLink(event)
        onLeave()
      }}
    >
      <Icon name={icon} />
      <span className={classes.name}>{name}</span>
      {kind && pending[kind] > 0 && <Count count={pending[kind]} of={COUNT_LABELS[kind]} />}
    </UnstyledButton>
  )
}

/** The menu entry that a page belongs to. The page of an approval is at `/activity/pending/`, the address in mails. */
function placeOf(groups: readonly PlaceGroup[], path: string): string {
  if (path.startsWith('/activity/pending/')) return '/approvals'
  const places = groups.flatMap((group) => group.places)
  return places.findLast(({ to }) => path === to || path.startsWith(`${to}/`))?.to ?? path
}

function Count({ count, of }: { count: number; of: string }) {
  return (
    <Badge size="md" circle={count < 10} color="red.8" tt="none">
      {count > 99 ? '99+' : count}
      <VisuallyHidden> {of}</VisuallyHidden>
    </Badge>
  )
}
