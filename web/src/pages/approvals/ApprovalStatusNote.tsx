import { Text, VisuallyHidden } from '@mantine/core'
import type { Approval } from '@svc/core/contract/approvals.ts'
import { useEffect, useState } from 'react'
import { StatusNote } from '../../parts/StatusNote.tsx'
import { When } from '../../parts/When.tsx'

type Props = {
  approval: Approval
  /** When the approval was fetched, in epoch milliseconds by this device's clock. */
  readAt: number
  onExpire: () => void
}

/** The status of an approval and what it means for the request. Source: `Spec: States and transitions`. */
export function ApprovalStatusNote(props: Props) {
  const { status, decidedAt, consumedAt, expiresAt } = props.approval
  // A new expiry starts a new countdown.
  const left = <TimeLeft key={expiresAt} {...props} />
  switch (status) {
    case 'pending':
      return (
        <StatusNote color="orange" icon="clock" title="Waiting for your decision">
          {left} to decide. The request is on hold and will not be granted unless you approve it.
        </StatusNote>
      )
    case 'approved':
      return (
        <StatusNote color="teal" icon="check" title="You approved this request">
          This exact request will be granted once, when the counterparty sends it again. {left} for that.
        </StatusNote>
      )
    case 'consumed':
      return (
        <StatusNote color="teal" icon="check" title="Approved, and used">
          The request was granted {consumedAt && <When time={consumedAt} />}. The approval cannot be used
          again.
        </StatusNote>
      )
    case 'denied':
      return (
        <StatusNote color="red" icon="cross" title="Denied">
          Denied {decidedAt && <When time={decidedAt} />}. The request will not be granted. No further action
          is needed.
        </StatusNote>
      )
    case 'expired':
      return (
        <StatusNote color="gray" icon="clock" title="This request has expired">
          Expired <When time={expiresAt} />. The request was not granted. If the agent tries again, you will
          be asked again.
        </StatusNote>
      )
  }
}

/**
 * A response gives the seconds left at the time it was fetched, rounded down.
 *
 * The earliest expiry seen is used, because rounding and network latency vary and the countdown must never go up.
 */
function TimeLeft({ approval: { secondsLeft }, readAt, onExpire }: Props) {
  const reported = readAt + secondsLeft * 1000
  const [endsAt, setEndsAt] = useState(reported)
  if (reported < endsAt) setEndsAt(reported)
  return (
    <>
      <Countdown endsAt={endsAt} onExpire={onExpire} /> left
    </>
  )
}

/** Seconds left at which screen readers announce the time left. */
const ANNOUNCED_AT = [600, 300, 60, 0]

/**
 * A countdown by the second; screen readers announce it only at a few moments.
 *
 * @param endsAt Epoch milliseconds by this device's clock.
 */
function Countdown({ endsAt, onExpire }: { endsAt: number; onExpire: () => void }) {
  const [left, setLeft] = useState(() => countSecondsUntil(endsAt))
  useEffect(() => {
    const timer = setInterval(() => setLeft(countSecondsUntil(endsAt)), 1000)
    return () => clearInterval(timer)
  }, [endsAt])
  const isOver = left === 0
  useEffect(() => {
    if (isOver) onExpire()
  }, [isOver, onExpire])
  const announced = ANNOUNCED_AT.findLast((seconds) => left <= seconds)
  return (
    <>
      <Text span inherit fw={650} style={{ fontVariantNumeric: 'tabular-nums' }} aria-hidden="true">
        {Math.floor(left / 60)}:{String(left % 60).padStart(2, '0')}
      </Text>
      <VisuallyHidden>{Math.ceil(left / 60)} minutes or less</VisuallyHidden>
      <VisuallyHidden role="status">
        {announced === undefined ? '' : describeTimeLeft(announced)}
      </VisuallyHidden>
    </>
  )
}

function countSecondsUntil(moment: number): number {
  return Math.max(0, Math.ceil((moment - Date.now()) / 1000))
}

function describeTimeLeft(seconds: number): string {
  if (seconds === 0) return 'Time is up.'
  const minutes = seconds / 60
  return minutes === 1 ? 'One minute left.' : `Less than ${minutes} minutes left.`
}
