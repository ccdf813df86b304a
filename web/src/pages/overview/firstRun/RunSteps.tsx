import { Box, Skeleton } from '@mantine/core'
import { useState } from 'react'
import { useApiQuery } from '../../../api/useApiQuery.ts'
import { AddPasskey } from '../../../parts/AddPasskey.tsx'
import { useFocusOnChange } from '../../../parts/useFocusOnChange.ts'
import { RegisterForm } from './RegisterForm.tsx'
import { RunAgent } from './RunAgent.tsx'
import type { RunningAgent } from './runningAgent.ts'
import { Step, Steps } from './Step.tsx'
import { isSampleAgent } from './sampleAgent.ts'

const POLL_MS = 15_000

/** The steps of an account that runs an agent, until a request that proves the agent is granted. */
export function RunSteps({ onDone }: { onDone: () => void }) {
  const passkeys = useApiQuery('GET /api/auth/passkeys')
  const [made, setMade] = useState<RunningAgent | null>(null)
  const { isLoaded, svcId } = useAgent(made !== null)
  const agent = made ?? (svcId === undefined ? null : { svcId, key: null, purpose: 'shopping:browse' })
  const area = useFocusOnChange(agent === null)
  if (!isLoaded || passkeys.data === undefined) {
    return <Skeleton height={160} aria-busy="true" aria-label="Loading" />
  }
  return (
    <Box ref={area} tabIndex={-1} style={{ outline: 'none' }}>
      {agent === null ? (
        <NoAgent hasPasskey={passkeys.data.items.length > 0} onRegistered={setMade} />
      ) : (
        <RunAgent agent={agent} onDone={onDone} />
      )}
    </Box>
  )
}

type NoAgentProps = { hasPasskey: boolean; onRegistered: (agent: RunningAgent) => void }

function NoAgent({ hasPasskey, onRegistered }: NoAgentProps) {
  return (
    <Steps>
      <Step
        number={1}
        title="Register your agent"
        state="open"
        about="Your passkey registers it, so you need no wallet. Its key is made in this page: the private half is saved as a file, and the service gets only the public half."
      >
        {hasPasskey ? (
          <RegisterForm onRegistered={onRegistered} />
        ) : (
          <AddPasskey invalidates={['GET /api/auth/passkeys']} />
        )}
      </Step>
      <Step number={2} title="Send a signed request" state="open" />
      <Step number={3} title="Its first proven request" state="open" />
    </Steps>
  )
}

/** Looks for an agent until there is one: it may be registered elsewhere, such as on a server. */
function useAgent(isKnown: boolean): { isLoaded: boolean; svcId: string | undefined } {
  const list = { query: { limit: 100 } }
  const agents = useApiQuery('GET /api/agents', list)
  const svcId = agents.data?.items.find(
    (agent) => agent.agentStatus === 'active' && !isSampleAgent(agent),
  )?.svcId
  useApiQuery('GET /api/agents', { ...list, pollMs: POLL_MS, enabled: svcId === undefined && !isKnown })
  return { isLoaded: agents.data !== undefined, svcId }
}
