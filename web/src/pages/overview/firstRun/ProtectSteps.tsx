import { Alert, Box, Button, Group, Skeleton, Stack, Text } from '@mantine/core'
import type { ActivityEvent } from '@svc/core/contract/activity.ts'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { SecretOnce } from '../../../parts/code/SecretOnce.tsx'
import { SnippetTabs } from '../../../parts/code/SnippetTabs.tsx'
import { FailureNote } from '../../../parts/FailureNote.tsx'
import { TextLink } from '../../../parts/TextLink.tsx'
import { useFocusOnChange } from '../../../parts/useFocusOnChange.ts'
import { API_KEY_PLACEHOLDER, buildSnippets } from './buildSnippets.ts'
import { DecisionStep } from './DecisionStep.tsx'
import { SetUpForm } from './SetUpForm.tsx'
import { Step, Steps } from './Step.tsx'
import { createKey, type Protection } from './setUpProtection.ts'
import { TryRequest } from './TryRequest.tsx'
import { useFirstDecision } from './useFirstDecision.ts'
import { useOnDone } from './useOnDone.ts'
import { useProtection } from './useProtection.ts'

/** The steps of an account that protects an API, until its first request is granted. */
export function ProtectSteps({ onDone }: { onDone: () => void }) {
  const { isLoaded, error, protection, add } = useProtection()
  if (!isLoaded)
    return error ? (
      <FailureNote error={error} />
    ) : (
      <Skeleton height={160} aria-busy="true" aria-label="Loading" />
    )
  return <Loaded {...{ protection, add, onDone }} />
}

type LoadedProps = Pick<ReturnType<typeof useProtection>, 'protection' | 'add'> & { onDone: () => void }

function Loaded({ protection, add, onDone }: LoadedProps) {
  const { organization, endpoint, sampleAgentId, key = null } = protection
  const isSetUp = organization !== undefined && endpoint !== undefined && sampleAgentId !== undefined
  const area = useFocusOnChange(isSetUp)
  return (
    <Box ref={area} tabIndex={-1} style={{ outline: 'none' }}>
      {isSetUp ? (
        <SetUp
          {...{ organization, endpoint, sampleAgentId, apiKey: key, onDone }}
          onKey={(created) => add({ key: created })}
        />
      ) : (
        <NotSetUp made={protection} onMade={add} />
      )}
    </Box>
  )
}

const SET_UP = 'Name your organisation and your API'
const PASTE = 'Ask before you serve'
const WAIT = 'Your first granted request'
const TRY = 'Try a request'

function NotSetUp(props: Parameters<typeof SetUpForm>[0]) {
  return (
    <Steps>
      <Step
        number={1}
        title={SET_UP}
        state="open"
        about="This makes an organisation, an endpoint for the URL, and the API key with which your server asks."
      >
        <SetUpForm {...props} />
      </Step>
      <Step number={2} title={PASTE} state="open" />
      <Step number={3} title={WAIT} state="open" />
      <Step number={4} title={TRY} state="open" />
    </Steps>
  )
}

type Props = Omit<Protection, 'key'> & {
  /** Null if this page does not know one. */
  apiKey: string | null
  onKey: (key: string) => void
  onDone: () => void
}

function SetUp({ organization, endpoint, sampleAgentId, apiKey, onKey, onDone }: Props) {
  const { svceId, counterpartyUrl } = endpoint
  const { found: granted, latest } = useFirstDecision({ endpoint: svceId }, isGranted)
  const [hasTried, setTried] = useState(false)
  const isDone = granted !== null && hasTried
  useOnDone(isDone, onDone)
  const { origin } = window.location
  const snippets = buildSnippets({ origin, apiKey, svceId, counterpartyUrl, sampleAgentId })
  return (
    <Steps>
      <Step number={1} title={SET_UP} state="done" about={<MadeLinks {...{ endpoint, sampleAgentId }} />}>
        {apiKey !== null && (
          <SecretOnce secret={apiKey} name="API key">
            It is in every snippet below until you leave this page.
          </SecretOnce>
        )}
      </Step>
      <Step
        number={2}
        title={PASTE}
        state={granted ? 'done' : 'open'}
        about="Paste the request into a terminal for a quick look, or put a gateway in front of your API."
      >
        <Stack gap="sm">
          {apiKey === null && <NewKey organizationId={organization.id} onKey={onKey} />}
          <SnippetTabs snippets={snippets} />
        </Stack>
      </Step>
      <DecisionStep
        number={3}
        titles={{ done: WAIT, waiting: 'Waiting for your first request…' }}
        found={granted}
        latest={latest}
      />
      <Step
        number={4}
        title={TRY}
        state={hasTried ? 'done' : 'open'}
        about="See how the limits of an agent decide, amount by amount."
      >
        {apiKey === null ? (
          <Text size="sm">It needs an API key in this page: make a new one in step 2.</Text>
        ) : (
          <TryRequest {...{ apiKey, svceId, sampleAgentId }} onDone={() => setTried(true)} />
        )}
      </Step>
      {isDone && (
        <Alert color="teal" title="You are set up" role="status">
          Next: <TextLink to={`/endpoints/${svceId}?tab=policy`}>set the boundary of your endpoint</TextLink>,{' '}
          <TextLink to="/activity">follow the activity</TextLink>, and retire the sample agent on{' '}
          <TextLink to={`/agents/${sampleAgentId}?tab=settings`}>its page</TextLink> when you no longer need
          it.
        </Alert>
      )}
    </Steps>
  )
}

function isGranted({ eventType }: ActivityEvent): boolean {
  return eventType === 'verification.completed'
}

function MadeLinks({ endpoint, sampleAgentId }: Pick<Protection, 'endpoint' | 'sampleAgentId'>) {
  return (
    <>
      <TextLink to={`/endpoints/${endpoint.svceId}`}>{endpoint.counterpartyUrl}</TextLink> is registered, and
      so is a <TextLink to={`/agents/${sampleAgentId}`}>sample agent</TextLink>, which you can retire there.
    </>
  )
}

function NewKey({ organizationId, onKey }: { organizationId: string; onKey: (key: string) => void }) {
  const creating = useMutation({ mutationFn: () => createKey(organizationId), onSuccess: onKey })
  return (
    <Alert color="orange" title={`Replace ${API_KEY_PLACEHOLDER} by your API key`}>
      <Stack gap="xs">
        <Text size="sm">
          The key was shown once, and the service stores only a hash of it. If you have it, use it. If not,
          make a new one, and revoke the old one under <TextLink to="/api-keys">API keys</TextLink>.
        </Text>
        <FailureNote error={creating.error} />
        <Group>
          <Button size="xs" loading={creating.isPending} onClick={() => creating.mutate()}>
            Make a new key
          </Button>
        </Group>
      </Stack>
    </Alert>
  )
}
