import { Badge, Button, Group, VisuallyHidden } from '@mantine/core'
import { useEffect, useState } from 'react'
import { Icon } from '../../parts/Icon.tsx'
import classes from './LiveState.module.css'

const STATES = {
  connecting: ['Connecting', 'gray'],
  live: ['Live', 'teal'],
  lost: ['Reconnecting', 'orange'],
  paused: ['Paused', 'gray'],
} as const

/** Delay before new events are announced, so that a busy feed does not announce without end. */
const ANNOUNCE_DELAY_MS = 2_000

type Props = {
  state: keyof typeof STATES
  count: number
  isPaused: boolean
  onPause: (isPaused: boolean) => void
}

/** State of the live feed, with a pause button and an announcement of new events for screen readers. */
export function LiveState({ state, count, isPaused, onPause }: Props) {
  const [label, color] = STATES[state]
  const announced = useSettled(count, ANNOUNCE_DELAY_MS)
  return (
    <Group gap="xs">
      <Badge
        variant="light"
        color={color}
        tt="none"
        radius="sm"
        size="lg"
        role="status"
        leftSection={<span className={classes.dot} data-live={state === 'live' || undefined} />}
      >
        {label}
      </Badge>
      <Button
        variant="default"
        leftSection={<Icon name={isPaused ? 'play' : 'pause'} size={16} />}
        onClick={() => onPause(!isPaused)}
      >
        {isPaused ? 'Resume' : 'Pause'}
      </Button>
      <VisuallyHidden role="status">
        {announced === 0 ? '' : `${announced} new events since you opened this page`}
      </VisuallyHidden>
    </Group>
  )
}

/** Follows a changing value with a delay of at most `ms`. */
function useSettled(value: number, ms: number): number {
  const [settled, setSettled] = useState(value)
  const isBehind = settled !== value
  useEffect(() => {
    if (!isBehind) return
    const timer = setTimeout(() => setSettled(value), ms)
    return () => clearTimeout(timer)
  }, [isBehind, value, ms])
  return settled
}
