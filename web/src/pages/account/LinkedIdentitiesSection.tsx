import { Button, Group, Paper, Stack, Text } from '@mantine/core'
import type { LinkedIdentity } from '@svc/core/contract/oauth.ts'
import { useApiMutation } from '../../api/useApiMutation.ts'
import { useApiQuery } from '../../api/useApiQuery.ts'
import { FailureNote } from '../../parts/FailureNote.tsx'
import { Loaded } from '../../parts/lists/Loaded.tsx'
import { Section } from '../../parts/Section.tsx'
import { When } from '../../parts/When.tsx'

/** Linked identities at other providers; hidden if no provider is configured. */
export function LinkedIdentitiesSection() {
  const methods = useApiQuery('GET /api/auth/methods')
  const query = useApiQuery('GET /api/auth/oauth/identities')
  const remove = useApiMutation('DELETE /api/auth/oauth/identities/:id', {
    invalidates: ['GET /api/auth/oauth/identities'],
    says: 'Removed',
  })
  const link = useApiMutation('POST /api/auth/oauth/:provider/link', {
    onDone: ({ url }) => window.location.assign(url),
  })
  const providers = methods.data?.methods.oauth ?? []
  const nameOf = (id: string) => providers.find(({ provider }) => provider === id)?.name ?? id
  if (providers.length === 0 && (query.data?.items.length ?? 0) === 0) return null
  return (
    <Section
      title="Linked identities"
      description="You can sign in with a linked identity. If you have an authenticator app, its code is still required."
    >
      <Loaded query={query}>
        {({ items }) => (
          <Stack gap="xs">
            {items.length === 0 && <Text c="dimmed">None linked.</Text>}
            {items.map((identity) => (
              <IdentityRow
                key={identity.id}
                name={nameOf(identity.provider)}
                identity={identity}
                onRemove={() => remove.mutate({ params: { id: identity.id } })}
              />
            ))}
          </Stack>
        )}
      </Loaded>
      <FailureNote error={remove.error ?? link.error} />
      <Group>
        {providers.map(({ provider, name }) => (
          <Button
            key={provider}
            variant="default"
            loading={link.isPending}
            onClick={() => link.mutate({ params: { provider } })}
          >
            Link {name}
          </Button>
        ))}
      </Group>
    </Section>
  )
}

type RowProps = { name: string; identity: LinkedIdentity; onRemove: () => void }

function IdentityRow({ name, identity: { email, linkedAt }, onRemove }: RowProps) {
  const title = email === null ? name : `${name}, ${email}`
  return (
    <Paper withBorder px="md" py="sm">
      <Group justify="space-between" gap="sm">
        <Stack gap={2} style={{ minWidth: 0 }}>
          <Text fw={550} style={{ overflowWrap: 'anywhere' }}>
            {title}
          </Text>
          <Text size="sm" c="dimmed">
            Linked <When time={linkedAt} />
          </Text>
        </Stack>
        <Button variant="light" color="red" size="xs" onClick={onRemove} aria-label={`Remove ${title}`}>
          Remove
        </Button>
      </Group>
    </Paper>
  )
}
