import { Alert, Text, VisuallyHidden } from '@mantine/core'
import { type ReactNode, useEffect, useState } from 'react'
import type { Approval } from '../../api/types.ts'
import { Icon, type IconName } from '../../parts/Icon.tsx'
import { When } from '../../parts/When.tsx'

type Props = {
  approval: Approval
  /** When the approval was read, in epoch milliseconds by this device's clock. */
  readAt: number
  onEnd: () => void
}

/** How an approval stands, and what that means for the request. Source: `Spec: States and transitions`. */
export function ApprovalStatusNote(props: Props) {
  const { status, decidedAt, consumedAt, expiresAt } = props.approval
  // Another end is another countdown.
  const left = <TimeLeft key={expiresAt} {...props} />
  switch (status) {
    case 'pending':
      return (
        <Note color="orange" icon="clock" title="The request is held until you answer">
          {left} to decide. Without an answer it does not go through.
        </Note>
      )
    case 'approved':
      return (
        <Note color="teal" icon="check" title="You approved it">
          Exactly this request goes through once, when the counterparty sends it again. {left} for that.
        </Note>
      )
    case 'consumed':
      return (
        <Note color="teal" icon="check" title="Approved, and used">
          The request went through {consumedAt && <When time={consumedAt} />}. The approval is used up.
        </Note>
      )
    case 'denied':
      return (
        <Note color="red" icon="cross" title="Denied">
          It was denied {decidedAt && <When time={decidedAt} />}, and does not go through. Nothing else is to
          be done.
        </Note>
      )
    case 'expired':
      return (
        <Note color="gray" icon="clock" title="The time to answer is over">
          It ended <When time={expiresAt} />. The request did not go through; if the agent still wants it, the
          counterparty asks again and you are asked anew.
        </Note>
      )
  }
}

type NoteProps = { color: string; icon: IconName; title: string; children: ReactNode }

function Note({ color, icon, title, children }: NoteProps) {
  return (
    <Alert color={color} icon={<Icon name={icon} />} title={title} role="status">
      {children}
    </Alert>
  )
}

/**
 * An answer tells the seconds left when it was read, which may be a while ago, rounded down.
 *
 * The earliest end that any answer gave is kept: rounding and travel shift each by some, and time that was shown is
 * not given back.
 */
function TimeLeft({ approval: { secondsLeft }, readAt, onEnd }: Props) {
  const told = readAt + secondsLeft * 1000
  const [endsAt, setEndsAt] = useState(told)
  if (told < endsAt) setEndsAt(told)
  return (
    <>
      <Countdown endsAt={endsAt} onEnd={onEnd} /> left
    </>
  )
}

/** Moments at which those who listen are told how much is left, in seconds. */
const TOLD_AT = [600, 300, 60, 0]

/**
 * How long is left until a moment, second by second; told aloud only at a few moments, not each second.
 *
 * @param endsAt Epoch milliseconds by this device's clock.
 */
function Countdown({ endsAt, onEnd }: { endsAt: number; onEnd: () => void }) {
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
