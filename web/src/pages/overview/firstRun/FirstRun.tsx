import { Box, Button, Group, Skeleton } from '@mantine/core'
import { type ReactNode, Suspense, useEffect } from 'react'
import { useApiQuery } from '../../../api/useApiQuery.ts'
import { Section } from '../../../parts/Section.tsx'
import { useFocusOnChange } from '../../../parts/useFocusOnChange.ts'
import { loadLater } from '../../../router/loadLater.ts'
import { HideButton, RoleChoice } from './RoleChoice.tsx'
import type { FirstRunMemory, Role } from './useFirstRunMemory.ts'

const ProtectSteps = loadLater(async () => (await import('./ProtectSteps.tsx')).ProtectSteps)
const RunSteps = loadLater(async () => (await import('./RunSteps.tsx')).RunSteps)
const ReviewSteps = loadLater(async () => (await import('./ReviewSteps.tsx')).ReviewSteps)

type Props = {
  role: FirstRunMemory['role']
  isOperator: boolean
  onChoose: (role: Role | 'ask') => void
  /** Called when the last step is done. */
  onDone: () => void
  onHide: () => void
}

const TITLES: Readonly<Record<Role, { title: string; description: string }>> = {
  protect: { title: 'Protect an API', description: 'From nothing to your first granted request.' },
  run: { title: 'Run an agent', description: 'From nothing to the first request that proves your agent.' },
  review: {
    title: 'Review for this service',
    description: 'From your passkey to the first identity that you decide.',
  },
}

/** Guides an account to its first result, by what it is here for; asks for that once, unless it can be seen. */
export function FirstRun(props: Props) {
  const { role, onChoose, onHide } = props
  const area = useFocusOnChange(role)
  return (
    <Box ref={area} tabIndex={-1} style={{ outline: 'none' }}>
      {role === 'ask' ? (
        <RoleChoice onChoose={onChoose} onHide={onHide} />
      ) : role === null ? (
        <UnknownRole {...props} />
      ) : (
        <Chosen {...props} role={role} />
      )}
    </Box>
  )
}

/**
 * An account that this browser knows nothing of: one that has granted access before is not new, and one with an endpoint
 * or an agent has made its choice.
 */
function UnknownRole(props: Props) {
  const endpoints = useApiQuery('GET /api/endpoints', { query: { limit: 1 } })
  const agents = useApiQuery('GET /api/agents', { query: { limit: 100 } })
  const hasEndpoint = endpoints.data && endpoints.data.items.length > 0
  const hasAgent = agents.data && agents.data.items.length > 0
  const isEmpty = hasEndpoint === false && hasAgent === false
  const grants = useApiQuery('GET /api/activity', {
    query: { eventType: 'verification.completed', limit: 1 },
    enabled: hasEndpoint === true || hasAgent === true,
  })
  const hasGranted = grants.data && grants.data.items.length > 0
  const { onChoose, onHide } = props
  // biome-ignore lint/correctness/useExhaustiveDependencies: only what was found decides
  useEffect(() => {
    if (hasGranted) onHide()
  }, [hasGranted])
  if (isEmpty) return <RoleChoice onChoose={onChoose} onHide={onHide} />
  if (hasGranted !== false) return null
  return <Chosen {...props} role={hasEndpoint ? 'protect' : 'run'} />
}

function Chosen({ role, isOperator, onChoose, onDone, onHide }: Props & { role: Role }) {
  const content: Readonly<Record<Role, ReactNode>> = {
    protect: <ProtectSteps onDone={onDone} />,
    run: <RunSteps onDone={onDone} />,
    review: <ReviewSteps isOperator={isOperator} onDone={onDone} />,
  }
  return (
    <Section
      {...TITLES[role]}
      right={
        <Group gap={4}>
          <Button size="compact-sm" variant="subtle" onClick={() => onChoose('ask')}>
            Change role
          </Button>
          <HideButton onHide={onHide} />
        </Group>
      }
    >
      <Suspense fallback={<Skeleton height={160} aria-busy="true" aria-label="Loading" />}>
        {content[role]}
      </Suspense>
    </Section>
  )
}
