import type { ActivityEvent } from '@svc/core/contract/activity.ts'
import { useApiQuery } from '../../../api/useApiQuery.ts'
import { EventRow } from '../../../parts/EventRow.tsx'
import { LinkButton } from '../../../parts/LinkButton.tsx'
import { Step, Steps } from './Step.tsx'
import { isSampleAgent } from './sampleAgent.ts'
import { useFirstDecision } from './useFirstDecision.ts'
import { useOnDone } from './useOnDone.ts'

const POLL_MS = 15_000

/** The steps of an account that runs an agent, until a request proves the agent. */
export function RunSteps({ onDone }: { onDone: () => void }) {
  const passkeys = useApiQuery('GET /api/auth/passkeys')
  const svcId = useAgent()
  const hasPasskey = (passkeys.data?.items.length ?? 0) > 0
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
      {svcId === undefined ? (
        <>
          <Step number={3} title={KEY.title} about={KEY.about} state="open" />
          <Step number={4} title="Its first proven request" state="open" />
        </>
      ) : (
        <>
          <KeyStep svcId={svcId} />
          <ProvenStep svcId={svcId} onDone={onDone} />
        </>
      )}
    </Steps>
  )
}

/** Looks for an agent until there is one: it may be registered elsewhere, such as on a server. */
function useAgent(): string | undefined {
  const list = { query: { limit: 100 } }
  const agents = useApiQuery('GET /api/agents', list)
  const svcId = agents.data?.items.find(
    (agent) => agent.agentStatus === 'active' && !isSampleAgent(agent),
  )?.svcId
  useApiQuery('GET /api/agents', { ...list, pollMs: POLL_MS, enabled: svcId === undefined })
  return svcId
}

const KEY = {
  title: 'Give it a key of its own',
  about: 'The agent signs its requests with it, so that nobody else can act in its name.',
} as const

function KeyStep({ svcId }: { svcId: string }) {
  const keys = useApiQuery('GET /api/agents/:id/keys', { params: { id: svcId } })
  const hasKey = keys.data?.items.some(({ status }) => status === 'active') === true
  return (
    <Step number={3} {...KEY} state={hasKey ? 'done' : 'open'}>
      {!hasKey && <LinkButton to={`/agents/${svcId}`}>Add a key on its page</LinkButton>}
    </Step>
  )
}

function ProvenStep({ svcId, onDone }: { svcId: string; onDone: () => void }) {
  const { found: proven } = useFirstDecision({ agent: svcId }, isProven)
  useOnDone(proven !== null, onDone)
  return (
    <Step
      number={4}
      title={proven ? 'Its first proven request' : 'Waiting for its first proven request…'}
      state={proven ? 'done' : 'waiting'}
      about={
        proven ? undefined : 'This turns green by itself once a counterparty has verified a request of it.'
      }
    >
      {proven && <EventRow event={proven} isNew />}
    </Step>
  )
}

function isProven({ eventData: { identityProof } }: ActivityEvent): boolean {
  return typeof identityProof === 'string' && identityProof !== 'none'
}
