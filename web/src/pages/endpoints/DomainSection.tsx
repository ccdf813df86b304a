import { Alert, Button, Group, List, Stack, Text } from '@mantine/core'
import type { Endpoint } from '@svc/core/contract/endpoints.ts'
import type { AnswerOf } from '@svc/core/contract/operations.ts'
import { useApiMutation } from '../../api/useApiMutation.ts'
import { FailureNote } from '../../parts/FailureNote.tsx'
import { Icon } from '../../parts/Icon.tsx'
import { Section } from '../../parts/Section.tsx'
import { ChallengeFacts } from './ChallengeFacts.tsx'

type CheckResult = AnswerOf<'POST /api/endpoints/:id/verify-domain'>

const LOCATIONS = { dns: 'DNS record', well_known: 'File on the host' } as const

const REASONS = {
  not_found: 'nothing published yet',
  mismatch: 'published, but with a different value',
  unreachable: 'unreachable; check that the name resolves and that the server responds',
} as const

/** Verifies the domain of an endpoint: shows what to publish and checks it. */
export function DomainSection({ endpoint }: { endpoint: Endpoint }) {
  const id = endpoint.svceId ?? endpoint.id
  const change = useApiMutation('POST /api/endpoints/:id/verify-domain', {
    invalidates: [['GET /api/endpoints/:id', { id }], 'GET /api/endpoints'],
  })
  const isVerified = endpoint.verificationTier === 'domain_verified'
  return (
    <Section
      title="Domain"
      description="Proving that the host is yours raises the endpoint’s own trust score from 50 to 80; agents can require a minimum. The proof is checked daily."
    >
      {isVerified && (
        <Alert color="teal" icon={<Icon name="check" />} title="Domain verified">
          Keep the published record in place.
        </Alert>
      )}
      {change.data && <Outcome result={change.data} checkedAt={change.submittedAt} />}
      <FailureNote error={change.error} />
      <Group>
        <Button
          variant={isVerified ? 'default' : 'filled'}
          loading={change.isPending}
          onClick={() => change.mutate({ params: { id } })}
        >
          {change.data || isVerified ? 'Check now' : 'Show what to publish'}
        </Button>
      </Group>
    </Section>
  )
}

function Outcome({ result, checkedAt }: { result: CheckResult; checkedAt: number }) {
  return (
    <Stack role="status">
      {!result.verified && (
        <Alert color="orange" icon={<Icon name="clock" />} title="Not verified yet">
          <Text size="sm">{describeCheck(checkedAt)}</Text>
          <List size="sm">
            {result.failures.map(({ method, reason }) => (
              <List.Item key={method}>
                {LOCATIONS[method]}: {REASONS[reason]}.
              </List.Item>
            ))}
          </List>
        </Alert>
      )}
      <Text fw={600} size="sm">
        Publish one of these, then check
      </Text>
      <ChallengeFacts challenge={result.challenge} />
    </Stack>
  )
}

/** Says when it was checked, so that a check that finds the same again says something new. */
function describeCheck(checkedAt: number): string {
  return `Checked at ${new Date(checkedAt).toLocaleTimeString('en-GB')}: nothing found yet.`
}
