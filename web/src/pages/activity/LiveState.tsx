import { Badge, Button, Group, VisuallyHidden } from '@mantine/core'
import { useEffect, useState } from 'react'
import { Icon } from '../../parts/Icon.tsx'
import classes from './LiveState.module.css'

const WORDS = {
  connecting: ['Connecting', 'gray'],
  live: ['Live', 'teal'],
  lost: ['Reconnecting', 'orange'],
  paused: ['Paused', 'gray'],
} as const

/** Events are counted for so long before they are told of, so that a busy feed does not talk without end. */
const TOLD_AFTER_MS = 2_000

type Props = {
  state: keyof typeof WORDS
  count: number
  isPaused: boolean
  onPause: (isPaused: boolean) => void
}

/** Whether events come as they happen, the button that stops them, and how many have come for those who listen. */
export function LiveState({ state, count, isPaused, onPause }: Props) {
  const [words, color] = WORDS[state]
  const told = useSettled(count, TOLD_AFTER_MS)
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
        {words}
      </Badge>
      <Button
        variant="default"
        leftSection={<Icon name={isPaused ? 'play' : 'pause'} size={16} />}
        onClick={() => onPause(!isPaused)}
      >
        {isPaused ? 'Resume' : 'Pause'}
      </Button>
      <VisuallyHidden role="status">
        {told === 0 ? '' : `${told} new since you opened this page`}
      </VisuallyHidden>
    </Group>
  )
}

/** A value as it was when it last stood still for a while, or at the latest after that while. */
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
