import { Alert, Button, Group, List, Stack, Text } from '@mantine/core'
import type { Endpoint } from '../../api/types.ts'
import { useApiMutation } from '../../api/useApiMutation.ts'
import { CodeBlock } from '../../parts/CodeBlock.tsx'
import { CopyText } from '../../parts/CopyText.tsx'
import { Facts } from '../../parts/Facts.tsx'
import { FailureNote } from '../../parts/FailureNote.tsx'
import { Icon } from '../../parts/Icon.tsx'
import { Section } from '../../parts/Section.tsx'

type Checked = {
  verified: boolean
  method: 'dns' | 'well_known' | null
  challenge: {
    dns: { name: string; type: 'TXT'; value: string }
    wellKnown: { url: string; body: object }
  }
  failures: { method: 'dns' | 'well_known'; reason: 'not_found' | 'mismatch' | 'unreachable' }[]
}

const PLACES = { dns: 'DNS record', well_known: 'File on the host' } as const

const REASONS = {
  not_found: 'nothing is published there yet',
  mismatch: 'something is published there, but not the value of this endpoint',
  unreachable: 'it could not be reached; check that the name resolves and that the server answers',
} as const

/** Proves the domain of an endpoint: what to publish, and whether it is there. Source: api.md "Endpoints". */
export function DomainSection({ endpoint }: { endpoint: Endpoint }) {
  const path = `/api/endpoints/${endpoint.svceId ?? endpoint.id}`
  const change = useApiMutation<Checked>({ invalidates: [path, '/api/endpoints'] })
  const isProven = endpoint.verificationTier === 'domain_verified'
  return (
    <Section
      title="Domain"
      description="Whoever proves that the host is theirs raises the endpoint’s own score from 50 to 80, which agents may ask for. It is checked again every day."
    >
      {isProven && (
        <Alert color="teal" icon={<Icon name="check" />} title="The domain is proven">
          Leave what you published in place.
        </Alert>
      )}
      {change.data && <Outcome checked={change.data} />}
      <FailureNote error={change.error} />
      <Group>
        <Button
          variant={isProven ? 'default' : 'filled'}
          loading={change.isPending}
          onClick={() => change.mutate({ method: 'POST', path: `${path}/verify-domain` })}
        >
          {change.data || isProven ? 'Check now' : 'Show what to publish'}
        </Button>
      </Group>
    </Section>
  )
}

function Outcome({ checked }: { checked: Checked }) {
  const { dns, wellKnown } = checked.challenge
  return (
    <Stack role="status">
      {!checked.verified && (
        <Alert color="orange" icon={<Icon name="clock" />} title="Not proven yet">
          <List size="sm">
            {checked.failures.map(({ method, reason }) => (
              <List.Item key={method}>
                {PLACES[method]}: {REASONS[reason]}.
              </List.Item>
            ))}
          </List>
        </Alert>
      )}
      <Text fw={600} size="sm">
        Publish one of the two, then check
      </Text>
      <Facts
        facts={[
          ['DNS record, TXT', <CopyText key="name" text={dns.name} name="name of the DNS record" />],
          ['Its value', <CopyText key="value" text={dns.value} name="value of the DNS record" />],
          ['Or a file at', <CopyText key="url" text={wellKnown.url} name="address of the file" />],
        ]}
      />
      <CodeBlock code={JSON.stringify(wellKnown.body, null, 2)} name="Content of the file" />
    </Stack>
  )
}
