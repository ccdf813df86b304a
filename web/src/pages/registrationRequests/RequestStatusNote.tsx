import type { RegistrationRequest } from '@svc/core/contract/registrationRequests.ts'
import { useEffect } from 'react'
import { StatusNote } from '../../parts/StatusNote.tsx'
import { TextLink } from '../../parts/TextLink.tsx'
import { When } from '../../parts/When.tsx'

type Props = { request: RegistrationRequest; onExpire: () => void }

const DAY_SECONDS = 86_400
/** Browser timers overflow at 2³¹ milliseconds. */
const TIMER_MAX_MS = 2_000_000_000

/** The status of a registration request and what it means. Source: `Spec: States and transitions`. */
export function RequestStatusNote({ request, onExpire }: Props) {
  const { status, lastEventAt, denialReason, svcId, secondsLeft } = request
  useEffect(() => {
    if (status !== 'pending') return
    const timer = setTimeout(onExpire, Math.min(TIMER_MAX_MS, (secondsLeft + 1) * 1000))
    return () => clearTimeout(timer)
  }, [status, secondsLeft, onExpire])
  switch (status) {
    case 'pending':
      return (
        <StatusNote color="orange" icon="clock" title="Waiting for your decision">
          {describeTimeLeft(secondsLeft)} to decide. After that the request expires.
        </StatusNote>
      )
    case 'approved':
      return (
        <StatusNote color="teal" icon="check" title="You approved this request">
          The agent was registered <When time={lastEventAt} />.{' '}
          {svcId && <TextLink to={`/agents/${svcId}`}>Go to the agent</TextLink>}
        </StatusNote>
      )
    case 'denied':
      return (
        <StatusNote color="red" icon="cross" title="Denied">
          Denied <When time={lastEventAt} />. The agent was not registered.
          {denialReason && ` Reason given to the requester: “${denialReason}”`}
        </StatusNote>
      )
    case 'expired':
      return (
        <StatusNote color="gray" icon="clock" title="This request has expired">
          Expired <When time={lastEventAt} />. The agent was not registered; the requester can ask again.
        </StatusNote>
      )
  }
}

function describeTimeLeft(seconds: number): string {
  const days = Math.floor(seconds / DAY_SECONDS)
  if (days > 1) return `You have ${days} days`
  const hours = Math.max(1, Math.ceil(seconds / 3600))
  return hours === 1 ? 'You have less than an hour' : `You have ${hours} hours`
}
