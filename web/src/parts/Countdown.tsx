import { Text, VisuallyHidden } from '@mantine/core'
import { useEffect, useState } from 'react'

/** Moments at which those who listen are told how much is left, in seconds. */
const TOLD_AT = [600, 300, 60, 0]

/**
 * How long is left until a moment, second by second; told aloud only at a few moments, not each second.
 *
 * @param endsAt Epoch milliseconds by this device's clock.
 */
export function Countdown({ endsAt, onEnd }: { endsAt: number; onEnd: () => void }) {
  const [left, setLeft] = useState(() => secondsUntil(endsAt))
  useEffect(() => {
    const timer = setInterval(() => setLeft(secondsUntil(endsAt)), 1000)
    return () => clearInterval(timer)
  }, [endsAt])
  const isOver = left === 0
  useEffect(() => {
    if (isOver) onEnd()
  }, [isOver, onEnd])
  const told = TOLD_AT.findLast((seconds) => left <= seconds)
  return (
    <>
      <Text span inherit fw={650} style={{ fontVariantNumeric: 'tabular-nums' }} aria-hidden="true">
        {Math.floor(left / 60)}:{String(left % 60).padStart(2, '0')}
      </Text>
      <VisuallyHidden>{Math.ceil(left / 60)} minutes or less</VisuallyHidden>
      <VisuallyHidden role="status">{told === undefined ? '' : inWords(told)}</VisuallyHidden>
    </>
  )
}

function secondsUntil(moment: number): number {
  return Math.max(0, Math.ceil((moment - Date.now()) / 1000))
}

function inWords(seconds: number): string {
  if (seconds === 0) return 'The time is over.'
  const minutes = seconds / 60
  return minutes === 1 ? 'A minute is left.' : `Less than ${minutes} minutes are left.`
}
