import { Group } from '@mantine/core'
import type { HealthCheck } from '@svc/core/contract/service.ts'
import { useApiQuery } from '../../api/useApiQuery.ts'
import { Facts } from '../../parts/Facts.tsx'
import { Loaded } from '../../parts/Loaded.tsx'
import { Section } from '../../parts/Section.tsx'
import { StatusBadge } from '../../parts/StatusBadge.tsx'
import { wordsOf } from '../../parts/words.ts'

/** Health of the service and its components. */
export function HealthSection() {
  const health = useApiQuery('GET /api/health', { alsoAccept: 503, pollMs: 30_000 })
  return (
    <Section
      title="Service"
      description="If the chain is unreachable, decisions continue and records are anchored later."
      right={health.data && <StatusBadge value={health.data.status} />}
    >
      <Loaded query={health}>
        {({ checks, version }) => (
          <Facts
            facts={[
              ['Database', <Check key="database" check={checks.database} />],
              ['Chain', <Check key="chain" check={checks.chain} />],
              ['Relayer', <Check key="relayer" check={checks.relayer} />],
              ['Audit queue', <Check key="auditQueue" check={checks.auditQueue} />],
              ['Version', version],
            ]}
          />
        )}
      </Loaded>
    </Section>
  )
}

function Check({ check }: { check: HealthCheck }) {
  const observed = Object.entries(check.observed ?? {}).map(([name, value]) => `${wordsOf(name)} ${value}`)
  return (
    <Group gap="xs">
      <StatusBadge value={check.status} />
      {[check.detail, ...observed].filter(Boolean).join(' · ')}
    </Group>
  )
}
