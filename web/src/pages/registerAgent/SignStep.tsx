import { Alert, Button, Checkbox, Divider, Group, Stack, Tabs, Text } from '@mantine/core'
import type { BodyOf } from '@svc/core/contract/operations.ts'
import type { Pdlss } from '@svc/core/pdlss/pdlss.ts'
import { useMutation } from '@tanstack/react-query'
import { useState, useSyncExternalStore } from 'react'
import { registerWithPasskey } from '../../api/registerWithPasskey.ts'
import { session, userOf } from '../../api/session.ts'
import { useInvalidate } from '../../api/useInvalidate.ts'
import { BoundaryView } from '../../parts/BoundaryView.tsx'
import { CodeBlock } from '../../parts/code/CodeBlock.tsx'
import { CopyText } from '../../parts/code/CopyText.tsx'
import { Facts } from '../../parts/Facts.tsx'
import { FailureNote } from '../../parts/FailureNote.tsx'
import { Icon } from '../../parts/Icon.tsx'
import { LinkButton } from '../../parts/LinkButton.tsx'
import type { Boundary } from '../../parts/pdlss/boundaryDimensions.ts'
import { limitsNothing } from '../../parts/pdlss/describeBoundary.ts'
import { Section } from '../../parts/Section.tsx'
import { TextLink } from '../../parts/TextLink.tsx'
import { type RegisteredAgent, registerWithWallet } from '../../wallet/registerWithWallet.ts'
import { WalletButtons } from '../../wallet/WalletButtons.tsx'
import { buildRegistrationExamples } from './buildRegistrationExamples.ts'

type Props = {
  body: BodyOf<'POST /api/agents/register'>
  /** What the owner is asked from the beginning; undefined for the default rules. */
  approvalRules: BodyOf<'POST /api/registration-requests'>['approvalRules']
  /** Called, too, with each failure that this step shows. */
  onFailure: (error: unknown) => void
  /** The boundary with what the declarations fill in. */
  boundary: Boundary
  /** Called when the agent is registered. */
  onDone: () => void
}

/** Last step: registers the agent with the account's passkey or a browser wallet, or shows how to do so with another key. */
export function SignStep({ body, approvalRules, boundary, onFailure, onDone }: Props) {
  const [registered, setRegistered] = useState<Registered | null>(null)
  const finish = (agent: Registered) => {
    setRegistered(agent)
    onDone()
  }
  const [isAccepted, setAccepted] = useState(false)
  if (registered) return <Registered agent={registered} />
  const isUnlimited = approvalRules === undefined && limitsNothing(boundary as Pdlss, 'agent')
  const summary = (
    <Section title={body.name} description="What you register. The boundary cannot be changed later.">
      <BoundaryView boundary={boundary} side="agent" approvalRules={approvalRules} />
      {isUnlimited && (
        <Checkbox
          label="Register without limits"
          checked={isAccepted}
          onChange={(event) => setAccepted(event.currentTarget.checked)}
        />
      )}
    </Section>
  )
  return (
    <Stack>
      {summary}
      {(!isUnlimited || isAccepted) && <WaysToSign {...{ body, approvalRules, onFailure }} onDone={finish} />}
    </Stack>
  )
}

type WaysProps = Pick<Props, 'body' | 'approvalRules' | 'onFailure'> & { onDone: (agent: Registered) => void }

/** With the passkey of the account, with a wallet, or with another key. */
function WaysToSign({ body, approvalRules, onFailure, onDone }: WaysProps) {
  const isSignedIn = userOf(useSyncExternalStore(session.subscribe, session.read)) !== null
  return (
    <>
      {isSignedIn ? (
        <>
          <WithPasskey
            body={{ ...body, approvalRules }}
            onRegistered={(svcId) => onDone({ svcId, name: body.name, owner: null })}
            onFailure={onFailure}
          />
          <Divider label="or with a wallet or another key" />
        </>
      ) : (
        <Text>
          <TextLink to="/">Sign in</TextLink> to register the agent with your passkey and without a wallet.
        </Text>
      )}
      <Text>
        A key that signs becomes the permanent owner of the agent and its on-chain token. No gas is needed. A
        wallet in this browser can sign, and so can the client library or the command line:
      </Text>
      {approvalRules !== undefined && (
        <Text size="sm" c="orange">
          A key registers only the boundary. To be asked about everything, set that under approval rules
          afterwards.
        </Text>
      )}
      <WalletButtons
        label="Sign and register with"
        onChoose={async (provider) => onDone(await registerWithWallet(provider, body))}
        onFailure={onFailure}
      />
      <Commands body={body} />
    </>
  )
}

type WithPasskeyProps = {
  body: BodyOf<'POST /api/registration-requests'>
  onRegistered: (svcId: string) => void
  onFailure: (error: unknown) => void
}

function WithPasskey({ body, onRegistered, onFailure }: WithPasskeyProps) {
  const invalidate = useInvalidate()
  const registering = useMutation({
    mutationFn: registerWithPasskey,
    onSuccess(svcId) {
      onRegistered(svcId)
      void invalidate(['GET /api/agents'])
    },
    onError: onFailure,
  })
  return (
    <Stack gap="sm">
      <Text>
        The agent belongs to your account. The service holds its on-chain token for you, or gives it to the
        wallet that you linked first.
      </Text>
      <FailureNote error={registering.error} />
      <Group>
        <Button
          leftSection={<Icon name="passkey" size={16} />}
          loading={registering.isPending}
          onClick={() => registering.mutate(body)}
        >
          Register with my passkey
        </Button>
      </Group>
    </Stack>
  )
}

function Commands({ body }: { body: object }) {
  const examples = buildRegistrationExamples(window.location.origin, body)
  return (
    <Tabs defaultValue="typescript">
      <Tabs.List mb="sm">
        <Tabs.Tab value="typescript">TypeScript</Tabs.Tab>
        <Tabs.Tab value="shell">curl</Tabs.Tab>
      </Tabs.List>
      <Tabs.Panel value="typescript">
        <CodeBlock code={examples.typescript} name="Register this agent with TypeScript" />
      </Tabs.Panel>
      <Tabs.Panel value="shell">
        <CodeBlock code={examples.shell} name="Register this agent with curl" />
        <Text size="sm" c="dimmed" mt="xs">
          <code>cast</code> is part of Foundry; any tool that signs a message per EIP-191 (personal_sign)
          works.
        </Text>
      </Tabs.Panel>
    </Tabs>
  )
}

/** `owner` is the address of the key that owns it; null if the account does. */
type Registered = Pick<RegisteredAgent, 'svcId' | 'name'> & { trustScore?: number; owner: string | null }

function Registered({ agent }: { agent: Registered }) {
  return (
    <Stack>
      <Alert color="teal" icon={<Icon name="check" />} title={`${agent.name} is registered`} role="status">
        {agent.owner === null
          ? 'Its token is being minted at the service’s expense. Give the agent a key of its own on its page.'
          : 'Its token is being minted at the service’s expense. To manage the agent as its owner, sign in with the same wallet or link the wallet under Account.'}
      </Alert>
      <Facts
        facts={[
          ['Identifier', <CopyText key="id" text={agent.svcId} name="agent identifier" />],
          ['Owner', agent.owner && <CopyText key="owner" text={agent.owner} name="owner’s address" />],
          ['Trust score', agent.trustScore === undefined ? null : String(agent.trustScore)],
        ]}
      />
      <Group>
        <LinkButton to={`/agents/${agent.svcId}`}>Go to the agent</LinkButton>
      </Group>
    </Stack>
  )
}
