import { Badge, Group, Stack } from '@mantine/core'
import type { RegistrationRequest } from '@svc/core/contract/registrationRequests.ts'
import { useApiQuery } from '../../api/useApiQuery.ts'
import { CopyText } from '../../parts/code/CopyText.tsx'
import { DeclarationsView } from '../../parts/DeclarationsView.tsx'
import { Facts } from '../../parts/Facts.tsx'
import { Section } from '../../parts/Section.tsx'
import { When } from '../../parts/When.tsx'
import { capitalise } from '../../parts/words/words.ts'

/** The requested agent, the requester and the reason: everything to approve except the boundary. */
export function RequestedAgentSection({ request }: { request: RegistrationRequest }) {
  const { registration, reason, ownerId, requestedAt, requestId, apiKeyId } = request
  const { model, framework, protocols, keys, signerAddress: signer } = registration
  const keyName = useKeyName(apiKeyId)
  const joinParts = (parts: (string | undefined)[]) => parts.filter(Boolean).join(' · ')
  return (
    <Section title="Request">
      <Facts
        facts={[
          ['Agent', registration.name],
          ['Description', registration.description],
          ['Reason', reason],
          [
            'Requested by',
            capitalise(describeRequester(request)) + (keyName === null ? '' : ` (${keyName})`),
          ],
          ['Owner', ownerId && <CopyText text={ownerId} name="owner identifier" />],
          ['Type', registration.agentType],
          ['Model', model && joinParts([model.modelName, model.modelProvider, model.modelType])],
          ['Framework', framework && joinParts([framework.frameworkName, framework.frameworkVersion])],
          ['Protocols', protocols.length > 0 && <Names key="protocols" names={protocols} />],
          ['Challenge URL', registration.apiEndpoint],
          ['Signing address', signer && <CopyText key="signer" text={signer} name="signing address" />],
          ['Keys', keys.length > 0 && <Thumbprints key="keys" thumbprints={keys.map(({ kid }) => kid)} />],
          ['Picture', registration.image],
          ['Requested', <When key="requested" time={requestedAt} />],
          ['Request identifier', <CopyText key="id" text={requestId} name="request identifier" />],
        ].flatMap(([name, value]) => (value === false ? [] : [[name as string, value] as const]))}
      />
      <DeclarationsView declarations={registration.declarations} />
    </Section>
  )
}

/** Looks up the name of an API key; null if the account cannot see it. */
function useKeyName(apiKeyId: string | null): string | null {
  const keys = useApiQuery('GET /api/api-keys', { query: { limit: 100 }, enabled: apiKeyId !== null })
  return keys.data?.items.find(({ id }) => id === apiKeyId)?.name ?? null
}

/** The thumbprints of the keys that the agent will sign with, to be compared with the agent's. */
function Thumbprints({ thumbprints }: { thumbprints: readonly string[] }) {
  return (
    <Stack gap={2}>
      {thumbprints.map((thumbprint) => (
        <CopyText key={thumbprint} text={thumbprint} name="thumbprint" />
      ))}
    </Stack>
  )
}

function Names({ names }: { names: readonly string[] }) {
  return (
    <Group gap={4}>
      {names.map((name) => (
        <Badge key={name} variant="default" radius="sm" tt="none">
          {name}
        </Badge>
      ))}
    </Group>
  )
}

/** Describes the requester. */
export function describeRequester({ kind }: RegistrationRequest): string {
  return REQUESTERS[kind]
}

const REQUESTERS: Readonly<Record<RegistrationRequest['kind'], string>> = {
  api_key: 'one of your API keys',
  outreach: 'someone without an account here',
  account: 'your account, on the dashboard',
}
