import { useEffect } from 'react'
import { useApiQuery } from '../../../api/useApiQuery.ts'
import { EventRow } from '../../../parts/EventRow.tsx'
import { LinkButton } from '../../../parts/LinkButton.tsx'
import { Step, Steps } from './Step.tsx'
import { isSampleAgent } from './sampleAgent.ts'

const POLL_MS = 15_000

/** The steps of an account that runs an agent, until a request proves the agent. */
export function RunSteps({ onDone }: { onDone: () => void }) {
  const passkeys = useApiQuery('GET /api/auth/passkeys')
  const agents = useApiQuery('GET /api/agents', { query: { limit: 100 } })
  const svcId = agents.data?.items.find(
    (agent) => agent.agentStatus === 'active' && !isSampleAgent(agent),
  )?.svcId
  const agent = { params: { id: svcId ?? '' }, enabled: svcId !== undefined }
  const keys = useApiQuery('GET /api/agents/:id/keys', agent)
  const events = useApiQuery('GET /api/activity', {
    query: { agent: svcId, limit: 100 },
    enabled: svcId !== undefined,
    pollMs: POLL_MS,
  })
  const proven = events.data?.items.find(({ eventData }) => isProof(eventData.identityProof))
  const hasPasskey = (passkeys.data?.items.length ?? 0) > 0
  const hasKey = keys.data?.items.some(({ status }) => status === 'active') === true
  const isDone = proven !== undefined
  // biome-ignore lint/correctness/useExhaustiveDependencies: only the state of the steps decides
  useEffect(() => {
    if (isDone) onDone()
  }, [isDone])
  return (
    <Steps>
      <Step
        number={1}
        title="Add a passkey"
        state={hasPasskey ? 'done' : 'open'}
        about="With it you approve what your agent may not do on its own, and change its keys."
      >
        {!hasPasskey && <LinkButton to="/account">Add a passkey</LinkButton>}
      </Step>
      <Step
        number={2}
        title="Register your agent"
        state={svcId ? 'done' : 'open'}
        about="Set what it may do and spend. The key that registers it owns it: a browser wallet that is linked to your account, or any key on your server."
      >
        {!svcId && <LinkButton to="/agents/register">Register an agent</LinkButton>}
      </Step>
      <Step
        number={3}
        title="Give it a key of its own"
        state={hasKey ? 'done' : 'open'}
        about="The agent signs its requests with it, so that nobody else can act in its name."
      >
        {svcId && !hasKey && <LinkButton to={`/agents/${svcId}`}>Add a key on its page</LinkButton>}
      </Step>
      <Step
        number={4}
        title={proven ? 'Your first proven request' : 'Waiting for its first proven request…'}
        state={proven ? 'done' : svcId ? 'waiting' : 'open'}
        about={
          proven ? undefined : 'This turns green by itself once a counterparty has verified a request of it.'
        }
      >
        {proven && <EventRow event={proven} isNew />}
      </Step>
    </Steps>
  )
}

function isProof(grade: unknown): boolean {
  return typeof grade === 'string' && grade !== 'none'
}
