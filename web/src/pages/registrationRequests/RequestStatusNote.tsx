import { Alert } from '@mantine/core'
import { type ReactNode, useEffect } from 'react'
import type { RegistrationRequest } from '../../api/types.ts'
import { Icon, type IconName } from '../../parts/Icon.tsx'
import { TextLink } from '../../parts/TextLink.tsx'
import { When } from '../../parts/When.tsx'

type Props = { request: RegistrationRequest; onEnd: () => void }

const DAY_SECONDS = 86_400
/** Timers of browsers end at 2³¹ milliseconds. */
const TIMER_MAX_MS = 2_000_000_000

/** How a registration request stands, and what that means. Source: `Spec: States and transitions`. */
export function RequestStatusNote({ request, onEnd }: Props) {
  const { status, lastEventAt, denialReason, svcId, secondsLeft } = request
  useEffect(() => {
    if (status !== 'pending') return
    const timer = setTimeout(onEnd, Math.min(TIMER_MAX_MS, (secondsLeft + 1) * 1000))
    return () => clearTimeout(timer)
  }, [status, secondsLeft, onEnd])
  switch (status) {
    case 'pending':
      return (
        <Note color="orange" icon="clock" title="Nothing is registered until you answer">
          {leftInWords(secondsLeft)} to decide. Without an answer the request lapses.
        </Note>
      )
    case 'approved':
      return (
        <Note color="teal" icon="check" title="You approved it">
          The agent was registered <When time={lastEventAt} />.{' '}
          {svcId && <TextLink to={`/agents/${svcId}`}>Go to the agent</TextLink>}
        </Note>
      )
    case 'denied':
      return (
        <Note color="red" icon="cross" title="Denied">
          It was denied <When time={lastEventAt} />. Nothing was registered.
          {denialReason && ` Whoever asked is told: “${denialReason}”`}
        </Note>
      )
    case 'expired':
      return (
        <Note color="gray" icon="clock" title="The time to answer is over">
          It ended <When time={lastEventAt} />. Nothing was registered; whoever wants it can ask again.
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

function leftInWords(seconds: number): string {
  const days = Math.floor(seconds / DAY_SECONDS)
  if (days > 1) return `${days} days are left`
  const hours = Math.max(1, Math.ceil(seconds / 3600))
  return hours === 1 ? 'Less than an hour is left' : `${hours} hours are left`
}
