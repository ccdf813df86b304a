import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import type { ActivityEvent } from '@svc/core/contract/activity.ts'
import { useMutation } from '@tanstack/react-query'
import { useApiQuery } from '../../../api/useApiQuery.ts'
import { KEY_FILE, type NewAgentKeyPair, saveAgentKey } from '../../../parts/code/createAgentKey.ts'
import { buildFirstRequests } from '../../../parts/code/firstRequestSnippets.ts'
import { SnippetTabs } from '../../../parts/code/SnippetTabs.tsx'
import { FailureNote } from '../../../parts/FailureNote.tsx'
import { Icon } from '../../../parts/Icon.tsx'
import { TextLink } from '../../../parts/TextLink.tsx'
import { NewAgentKey } from '../../agents/NewAgentKey.tsx'
import { DecisionStep } from './DecisionStep.tsx'
import type { RunningAgent } from './runningAgent.ts'
import { Step, Steps } from './Step.tsx'
import { sendFirstRequest } from './sendFirstRequest.ts'
import { useFirstDecision } from './useFirstDecision.ts'
import { useOnDone } from './useOnDone.ts'

type Props = { agent: RunningAgent; onDone: () => void }

/** The steps after the registration: a request that the agent signs, until one is granted. */
export function RunAgent({ agent, onDone }: Props) {
  const { svcId, key } = agent
  const { found: proven, latest } = useFirstDecision({ agent: svcId }, isGrantedAndProven)
  useOnDone(proven !== null, onDone)
  return (
    <Steps>
      <Step
        number={1}
        title="Register your agent"
        state="done"
        about={
          <>
            <TextLink to={`/agents/${svcId}`}>Your agent</TextLink> is registered. The service pays for its
            token on chain and holds it for you.
          </>
        }
      >
        {key && <SavedKey agentKey={key} />}
      </Step>
      <Step
        number={2}
        title="Send a signed request"
        state={proven ? 'done' : 'open'}
        about="To the sample counterparty of this service, which decides as any other would. Use the same lines for your own counterparties."
      >
        <SignedRequest agent={agent} />
      </Step>
      <DecisionStep
        number={3}
        titles={{ done: 'Its first proven request', waiting: 'Waiting for its first proven request…' }}
        found={proven}
        latest={latest}
      />
    </Steps>
  )
}

function isGrantedAndProven({ eventType, eventData: { identityProof } }: ActivityEvent): boolean {
  const isProven = typeof identityProof === 'string' && identityProof !== 'none'
  return eventType === 'verification.completed' && isProven
}

function SavedKey({ agentKey }: { agentKey: NewAgentKeyPair }) {
  return (
    <Alert
      color="orange"
      icon={<Icon name="warning" />}
      title={`Keep the file ${KEY_FILE}: it is the agent’s key`}
    >
      <Stack gap="xs">
        <Text size="sm">
          Your browser has saved it. Whoever has it can act as your agent. The service does not have it and
          cannot give it to you again.
        </Text>
        <Group>
          <Button size="xs" variant="default" onClick={() => saveAgentKey(agentKey)}>
            Save it again
          </Button>
        </Group>
      </Stack>
    </Alert>
  )
}

function SignedRequest({ agent: { svcId, key, purpose } }: Pick<Props, 'agent'>) {
  const keys = useApiQuery('GET /api/agents/:id/keys', { params: { id: svcId }, enabled: key === null })
  const hasKey = key !== null || keys.data?.items.some(({ status }) => status === 'active') === true
  const { origin } = window.location
  const crv = key?.publicKey.crv ?? 'Ed25519'
  const sending = useMutation({
    mutationFn: (pair: NewAgentKeyPair) => sendFirstRequest(pair, { svcId, purpose, origin }),
  })
  if (!hasKey) {
    return keys.data === undefined ? null : <NewAgentKey svcId={svcId} onClose={() => void keys.refetch()} />
  }
  return (
    <Stack gap="sm">
      <SnippetTabs snippets={buildFirstRequests({ origin, svcId, purpose, keyFile: KEY_FILE, crv })} />
      {key && (
        <Group gap="sm">
          <Button variant="default" loading={sending.isPending} onClick={() => sending.mutate(key)}>
            Send it from this page
          </Button>
          <Text size="sm" c="dimmed">
            This page still has the key, and can sign the same request.
          </Text>
        </Group>
      )}
      <FailureNote error={sending.error} />
      {sending.data && (
        <Text size="sm" role="status">
          {sending.data.message}
        </Text>
      )}
    </Stack>
  )
}
