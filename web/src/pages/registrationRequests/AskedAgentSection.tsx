import { Badge, Group } from '@mantine/core'
import type { ApiKey, Page, RegistrationRequest } from '../../api/types.ts'
import { useApiQuery } from '../../api/useApiQuery.ts'
import { CopyText } from '../../parts/CopyText.tsx'
import { DeclarationsView } from '../../parts/DeclarationsView.tsx'
import { Facts } from '../../parts/Facts.tsx'
import { Section } from '../../parts/Section.tsx'
import { When } from '../../parts/When.tsx'

/** Which agent is asked for, by whom and why: everything that an approval agrees to but its boundary. */
export function AskedAgentSection({ request }: { request: RegistrationRequest }) {
  const { registration, reason, ownerId, requestedAt, requestId, apiKeyId } = request
  const { model, framework, protocols, signerAddress: signer } = registration
  const keyName = useKeyName(apiKeyId)
  const made = (parts: (string | undefined)[]) => parts.filter(Boolean).join(' · ')
  return (
    <Section title="What is asked">
      <Facts
        facts={[
          ['Agent', registration.name],
          ['Description', registration.description],
          ['Reason', reason],
          ['Who asks', keyName === null ? whoAsks(request) : `${whoAsks(request)}, “${keyName}”`],
          ['Owner would be', ownerId && <CopyText text={ownerId} name="owner identifier" />],
          ['Type', registration.agentType],
          ['Model', model && made([model.modelName, model.modelProvider, model.modelType])],
          ['Framework', framework && made([framework.frameworkName, framework.frameworkVersion])],
          ['Protocols', protocols.length > 0 && <Names key="protocols" names={protocols} />],
          ['Challenge URL', registration.apiEndpoint],
          ['Signs with', signer && <CopyText key="signer" text={signer} name="address of its key" />],
          ['Picture', registration.image],
          ['Asked', <When key="asked" time={requestedAt} />],
          ['Request', <CopyText key="id" text={requestId} name="request identifier" />],
        ].flatMap(([name, value]) => (value === false ? [] : [[name as string, value] as const]))}
      />
      <DeclarationsView declarations={registration.declarations} />
    </Section>
  )
}

/** The name of a key that the account may see; null for others. */
function useKeyName(apiKeyId: string | null): string | null {
  const keys = useApiQuery<Page<ApiKey>>('/api/api-keys?limit=100', { enabled: apiKeyId !== null })
  return keys.data?.items.find(({ id }) => id === apiKeyId)?.name ?? null
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

/** Who asks for a registration, in words: somebody with a key of the account, or somebody who knows its address. */
export function whoAsks({ kind }: RegistrationRequest): string {
  return kind === 'api_key' ? 'Asked with one of your API keys' : 'Asked by somebody without an account here'
}
